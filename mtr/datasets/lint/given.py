"""The rows of a data set in memory, for layouts whose own files are not rows of passages, queries and qrels."""

from mtr.datasets.lint.material import Material
from mtr.datasets.lint.rows import PassageRow, QrelRow, QueryRow
from mtr.datasets.lint.text_keys import text_key
from mtr.datasets.records import Dataset


def add_given(material: Material, dataset: Dataset) -> None:
    """Each passage, query, standalone query and gold as a row without a line."""
    place = material.whole
    for passage in dataset.passages.values():
        material.passages.append(PassageRow(place, passage.passage_id, text_key(passage.text)))
    for turn in dataset.turns:
        material.queries.append(QueryRow(place, "query", turn.query_id, text_key(turn.query)))
        if turn.standalone_query is not None:
            key = text_key(turn.standalone_query)
            material.queries.append(QueryRow(place, "standalone query", turn.query_id, key))
        for gold in turn.gold:
            material.qrels.append(QrelRow(place, turn.query_id, gold.passage_id, gold.grade))
