"""What a judge found of the planted faults by one criterion, and what else it found."""

from collections.abc import Mapping, Sequence

from benchmarks.planted.planting import Kind, Planted
from mtr.evaluation.cuts import area
from mtr.evaluation.findings import findings_of
from mtr.evaluation.intervals import wilson_interval
from mtr.evaluation.resampling import Interval
from mtr.records import Record
from mtr.verdicts import COMPLETENESS, Criterion, JudgedTurn

MEANT_FOR: Mapping[str, Kind] = {
    "query_evidence_alignment": "wrong gold",
    "passage_answers": "wrong gold",
    "evidence_completeness": "missing gold",
    "answer_faithfulness": "unfaithful",
    "answer_supported": "unfaithful",
}
"""The fault each criterion is meant to find."""

_FINDINGS = ("noise", "missing_evidence", "unfaithful", "query")


class Found(Record):
    """Faults found of those planted, and alarms that were right of all. `area`: the chance that a turn with the fault
    scores below one without, where the criterion scores; None of a choice.
    """

    how: str
    kind: Kind
    found: int
    planted: int
    alarms: int
    area: float | None
    measured: int
    asked: int

    @property
    def recall(self) -> Interval:
        """Wilson's interval: planted faults of a kind lie in conversations of their own."""
        return wilson_interval(self.found, self.planted)

    @property
    def precision(self) -> Interval:
        """Wilson's interval, as if alarms were independent."""
        return wilson_interval(self.found, self.alarms)


def found_by(one: Criterion, turns: Sequence[JudgedTurn], planted: Planted) -> list[Found]:
    """By the audit's own findings; of a choice first the passages chosen over the gold, then those confirmed."""
    kind = MEANT_FOR[one.name]
    truth = planted.faults[kind]
    alarms = {finding.query_id for finding in findings_of(turns, [one]) if finding.kind in _FINDINGS}
    rows = {one.name: alarms}
    if one.name == COMPLETENESS:
        chosen = {turn.query_id for turn in turns if _over_the_gold(turn)}
        rows = {f"{one.name}: chosen over the gold": chosen, f"{one.name}: confirmed": alarms}
    scores = {turn.query_id: _score(turn, one) for turn in turns}
    clean = [score for name, score in scores.items() if score is not None and name not in truth]
    wrong = [score for name, score in scores.items() if score is not None and name in truth]
    return [
        Found(
            how=how,
            kind=kind,
            found=len(ids & truth),
            planted=len(truth),
            alarms=len(ids),
            area=None if one.name == COMPLETENESS else area(clean, wrong),
            measured=len(clean) + len(wrong),
            asked=len(turns),
        )
        for how, ids in rows.items()
    ]


def _over_the_gold(turn: JudgedTurn) -> bool:
    """Whether the same passage was chosen in every order that was asked, and is no gold."""
    orders = [tally for tally in turn.tallies if tally.criterion == COMPLETENESS]
    choices = {tally.choice for tally in orders}
    return len(choices) == 1 and choices != {None} and orders[0].score == 0


def _score(turn: JudgedTurn, one: Criterion) -> float | None:
    scores = [tally.score for tally in turn.tallies if tally.criterion == one.name and _counts(turn, tally.subject)]
    known = [score for score in scores if score is not None]
    return sum(known) / len(known) if known else None


def _counts(turn: JudgedTurn, subject: str) -> bool:
    return not subject or subject in turn.gold
