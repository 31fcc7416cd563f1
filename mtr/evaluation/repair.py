"""What an audit would change: qrels without gold that does not answer and with gold that was missing."""

from collections.abc import Iterator, Mapping, Sequence

from mtr.datasets.own import QRELS_HEADER
from mtr.datasets.records import AnyTurn, Dataset
from mtr.evaluation.audit import NOISE_BELOW, is_gold_alignment
from mtr.records import Record
from mtr.verdicts import JudgedTurn


class MissingEvidence(Record):
    """A passage that the judges take for gold and the data set does not."""

    query_id: str
    query: str
    passage_id: str
    title: str
    text: str
    alignment: float | None


def missing_evidence(dataset: Dataset, judged: Sequence[JudgedTurn]) -> Iterator[MissingEvidence]:
    """Every confirmed passage, in the order of the turns."""
    for turn in judged:
        scores = {one.subject: one.score for one in turn.tallies if one.subject}
        for passage_id in turn.missing:
            passage = dataset.passages[passage_id]
            yield MissingEvidence(
                query_id=turn.query_id,
                query=turn.query,
                passage_id=passage_id,
                title=passage.title,
                text=passage.text,
                alignment=scores.get(passage_id),
            )


def repaired_qrels(turns: Sequence[AnyTurn], judged: Sequence[JudgedTurn]) -> Iterator[str]:
    """Lines of BEIR qrels. Turns that were not judged, and gold that was not measured, stay as they are."""
    by_id: Mapping[str, JudgedTurn] = {turn.query_id: turn for turn in judged}
    yield QRELS_HEADER
    for turn in turns:
        found = by_id.get(turn.query_id)
        bad = _noise(found) if found else set[str]()
        for gold in turn.gold:
            if gold.passage_id not in bad:
                yield f"{turn.query_id}\t{gold.passage_id}\t{gold.grade}\n"
        for passage_id in found.missing if found else ():
            yield f"{turn.query_id}\t{passage_id}\t1\n"


def _noise(turn: JudgedTurn) -> set[str]:
    return {
        one.subject
        for one in turn.tallies
        if is_gold_alignment(turn, one) and one.score is not None and one.score < NOISE_BELOW
    }
