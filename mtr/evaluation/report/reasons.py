"""Why something was not measured, in words made of counts. An absent number is never a zero and never a blank."""

from collections.abc import Mapping

from mtr.evaluation.agreement import Agreement
from mtr.evaluation.audit_records import AuditSummary, CriterionSummary, JudgeSummary
from mtr.evaluation.report.numbers import counted, spoken


def criterion_of(summary: AuditSummary, name: str) -> CriterionSummary | None:
    """The summary of a criterion, None where it was not among those judged."""
    return next((one for one in summary.criteria if one.criterion == name), None)


def why_not(one: CriterionSummary | None, name: str) -> str:
    """Why a criterion has no result."""
    if one is None:
        return f"{spoken(name)} was not among the criteria judged"
    if one.mean.asked:
        return f"no result on any of {counted(one.mean.asked, 'turn')} asked: {_lost(one.abstained, one.ties)}"
    return reasons(one.unasked) or "no turn was put before the judges"


def why_not_judge(one: JudgeSummary) -> str:
    """Why a judge has no mean on a criterion."""
    if not one.mean.asked:
        return "nothing was asked"
    return f"no verdict on any of {counted(one.mean.asked, 'turn')} asked: {_abstained(one.abstained)}"


def why_not_group(asked: int) -> str:
    """Why a group of turns has no mean."""
    return f"no result on any of {counted(asked, 'turn')} asked"


def why_no_agreement(one: CriterionSummary) -> str:
    """Why there are no measures of agreement at all."""
    if not one.mean.asked:
        return why_not(one, one.criterion)
    return "fewer than two judges" if one.agreement is None else "no item has two marks"


def why_no_alpha(one: Agreement) -> str:
    """Why alpha is unknown."""
    return "all marks are the same" if one.items > 1 else "fewer than two items have two marks"


def why_no_kappa(one: Agreement) -> str:
    """Why kappa is unknown."""
    return "all marks are the same" if one.kappa_items > 1 else "fewer than two items have a mark of every judge"


def reasons(unasked: Mapping[str, int]) -> str:
    """`12 turns: the data set has no answer`, by number."""
    ordered = sorted(unasked.items(), key=lambda row: (-row[1], row[0]))
    return "; ".join(f"{counted(count, 'turn')}: {reason}" for reason, count in ordered)


def _lost(abstained: int, ties: int) -> str:
    return f"{_abstained(abstained)}, {counted(ties, 'unbroken tie')}"


def _abstained(abstained: int) -> str:
    return counted(abstained, "abstention")
