"""Rules about texts: blank ones, one text under several ids, queries that are passages as well."""

from collections.abc import Iterator

from mtr.datasets.lint.finding import Hit, Rule
from mtr.datasets.lint.material import Material


def _blank_passages(material: Material) -> Iterator[Hit]:
    for row in material.passages:
        if row.key is None:
            yield Hit(row.place, row.passage_id, f"passage {row.passage_id!r} has no text")


def _blank_gold(material: Material) -> Iterator[Hit]:
    blank = {row.passage_id for row in material.passages if row.key is None}
    for query_id, judged in material.gold.items():
        for row in judged:
            if row.passage_id in blank:
                yield Hit(row.place, query_id, f"gold {row.passage_id!r} has no text")


def _blank_queries(material: Material) -> Iterator[Hit]:
    for row in material.queries:
        if row.key is None:
            yield Hit(row.place, row.query_id, f"query {row.query_id!r} has no text")


def _text_again(material: Material) -> Iterator[Hit]:
    """A finding for each further id, so that the count is that of passages to be dropped."""
    seen: set[str] = set()
    for row in material.passages:
        first = None if row.key is None else material.ids_by_text[row.key][0]
        if first is not None and first != row.passage_id and row.passage_id not in seen:
            seen.add(row.passage_id)
            yield Hit(row.place, row.passage_id, f"{row.passage_id!r} has the text of {first!r}")


def _queries_that_are_passages(material: Material) -> Iterator[Hit]:
    """Each query once for its id and once for its text, in whichever of its wordings it comes first."""
    for query_id, place in material.query_places.items():
        if query_id in material.passage_ids:
            message = f"a passage has the id {query_id!r} too; BEIR's own scoring drops it from this query's ranking"
            yield Hit(place, query_id, message)
    told: set[str] = set()
    for row in material.queries:
        passages = material.ids_by_text.get(row.key) if row.key is not None else None
        if passages and row.query_id not in told:
            told.add(row.query_id)
            yield Hit(row.place, row.query_id, f"the query is the text of passage {passages[0]!r}")


TEXT_RULES = (
    Rule("blank-gold", "error", "a gold passage without a text", _blank_gold),
    Rule("blank-query", "error", "a query without a text", _blank_queries),
    Rule("blank-passage", "warning", "a passage without a text", _blank_passages),
    Rule("text-repeat", "warning", "a passage whose text stands under another id", _text_again),
    Rule(
        "query-is-passage",
        "warning",
        "a query that is a passage too, by its id or its text",
        _queries_that_are_passages,
    ),
)
