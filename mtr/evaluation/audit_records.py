"""The whole of an audit: what `report.html`, `report.md` and `summary.json` tell. Records only."""

from mtr.evaluation.agreement import Agreement
from mtr.evaluation.intervals import Mean, Share
from mtr.evaluation.positions import PositionTest
from mtr.records import Record
from mtr.verdicts import JudgedBy


class Group(Record):
    """The mean of a criterion over the turns of one turn number, move or subset."""

    name: str
    mean: Mean


class JudgeSummary(Record):
    """One judge on one criterion. `wrote` counts verdicts on turns that its own family wrote."""

    judge: str
    mean: Mean
    unreadable: int
    abstained: int
    wrote: int


class CriterionSummary(Record):
    """One criterion over all turns judged.

    `mean` is over turns: of 1 to 5 for scales and claims, of shares for yes or no and for a choice. `without_writers`
    leaves out verdicts of judges whose family wrote the turn; None when there are none. `unasked` counts turns by the
    reason why nothing was asked of them.
    """

    criterion: str
    description: str
    reply: JudgedBy
    mean: Mean
    without_writers: Mean | None
    unasked: dict[str, int]
    asks: int
    unreadable: int
    abstained: int
    ties: int
    splits: int
    adjudicated: int
    agreement: Agreement | None
    judges: tuple[JudgeSummary, ...]
    by_turn: tuple[Group, ...]
    by_move: tuple[Group, ...]
    by_subset: tuple[Group, ...]


class JudgePositions(Record):
    """Whether a judge's choices among candidates lean to a place."""

    judge: str
    test: PositionTest


class AuditSummary(Record):
    """What an audit found, as a whole.

    `noise` is the share of gold passages judged that score below 3 of 5 in alignment; `missing` that of turns for which
    a passage not marked was chosen over the gold in every order and confirmed; `claims` that of claims with a quote
    that stands in the gold. `completeness_scaled` is 1 + 4 x share, for comparison with the published scale only.
    """

    dataset: str
    layout: str
    turns: int
    turns_of: int
    conversations: int
    judges: tuple[str, ...]
    rule: str
    criteria: tuple[CriterionSummary, ...]
    noise: Share | None
    missing: Share | None
    claims: Share | None
    completeness_scaled: float | None
    positions: tuple[JudgePositions, ...]
    notes: tuple[str, ...] = ()
