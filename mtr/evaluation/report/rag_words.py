"""How the report of a RAG evaluation calls its measures, and in which unit they are."""

from collections.abc import Mapping

from mtr.evaluation.rag import RECALL, RIGHT, ArmFigures, RagSummary, Sweep
from mtr.evaluation.rag_turns import COMPLETE, FAITHFUL, RELEVANT
from mtr.evaluation.report.numbers import Unit, counted, listed, spoken, unit_of

_NAMES: Mapping[str, str] = {FAITHFUL: "faithfulness", RELEVANT: "relevance", COMPLETE: "completeness"}


def named(measure: str) -> str:
    """A measure as a heading."""
    return _NAMES.get(measure, spoken(measure))


def unit_in(summary: RagSummary, measure: str) -> Unit:
    """Shares for right answers, context recall and yes or no; else 1 to 5."""
    if measure in {RIGHT, RECALL}:
        return "share"
    return next(unit_of(one.reply) for arm in summary.arms for one in arm.criteria if one.criterion == measure)


def right_words(summary: RagSummary) -> str:
    """What a right answer is."""
    by = listed(tuple(map(named, summary.right.by)))
    return (
        f"An answer is right when it scores {summary.right.at:g} or more of 5 in {by}; wrong as soon as one score is "
        "below; undecided where that cannot be told. A refusal is right where the set says that the turn cannot be "
        "answered, and wrong elsewhere; an answer to such a turn is wrong."
    )


def best_words(sweep: Sweep) -> str:
    """The best k under a measure, and what is not told apart from it."""
    if sweep.best is None:
        return "none, every k has 0" if sweep.turns else "not measured at every k"
    if not sweep.alike:
        return f"{sweep.best}, told apart from every other k"
    return f"{sweep.best}, not told apart from {listed(tuple(map(str, sweep.alike)))}"


def k_words(k: int | None) -> str:
    """A k in a table."""
    return "as made" if k is None else str(k)


def best_arms(summary: RagSummary) -> tuple[ArmFigures, ...]:
    """Each system at its best k by right answers, the best system first."""
    best: dict[str, ArmFigures] = {}
    for arm in summary.arms:
        if arm.system not in best or _share(arm) > _share(best[arm.system]):
            best[arm.system] = arm
    return tuple(sorted(best.values(), key=lambda arm: -_share(arm)))


def _share(arm: ArmFigures) -> float:
    return -1.0 if arm.right.share is None else arm.right.share


def reasons_words(reasons: Mapping[str, int]) -> str:
    """`no gold is marked (3 turns); …`."""
    return "; ".join(f"{reason} ({counted(count, 'turn')})" for reason, count in reasons.items())
