"""The first screen of a RAG evaluation: how many answers are right, at which k, and where the others go wrong."""

from collections.abc import Iterator

from mtr.evaluation.intervals import Mean, Share
from mtr.evaluation.rag import RIGHT, ArmFigures, RagSummary
from mtr.evaluation.report.numbers import NOT_MEASURED, Unit, counted, in_words, listed, number, of, unit_of
from mtr.evaluation.report.rag_words import best_arms, best_words, named, right_words
from mtr.evaluation.report.tables import dots
from mtr.evaluation.report.verdict import Fact


def rag_question(summary: RagSummary) -> str:
    """The question the report answers."""
    return f"How well do RAG systems answer {summary.dataset}?"


def lead(summary: RagSummary) -> Iterator[str]:
    """The answer: the best system, the best k of each, where answers go wrong, and what right means."""
    best = best_arms(summary)
    if best:
        yield _best(best[0], summary)
    for sweep in summary.sweeps:
        if sweep.measure == RIGHT:
            yield f"k of {sweep.system}: best by right answers is {best_words(sweep)} ({counted(sweep.turns, 'turn')})."
    if best:
        yield _blame(best[0])
    yield right_words(summary)


def tiles(summary: RagSummary) -> tuple[Fact, ...]:
    """The figures of the best system at its best k."""
    best = best_arms(summary)
    if not best:
        return ()
    arm = best[0]
    scores = [_fact(f"{named(one.criterion)}", one.mean, unit_of(one.reply)) for one in arm.criteria]
    return (_fact(f"right answers of {arm.name}", arm.right, "share"), *scores, _recall(arm))


def _best(arm: ArmFigures, summary: RagSummary) -> str:
    judges = listed(summary.judges)
    asked = f"{of(summary.turns, summary.turns_of)} turns of {counted(summary.conversations, 'conversation')}"
    if arm.right.share is None:
        return f"Whether answers are right was {NOT_MEASURED} on {asked}, judged by {judges}."
    measured = f"{number(arm.right.share, 'share')}, {in_words(arm.right, 'share')}"
    of_all = f"{of(arm.right.count, arm.right.measured)} of its decided answers are right"
    of_several = len(summary.arms) > 1 and arm.right.count
    more = f" It is the best of {len(summary.arms):,} combinations of system and k." if of_several else ""
    return f"{arm.name}: {of_all} ({measured}), on {asked}, judged by {judges}.{more}"


def _blame(arm: ArmFigures) -> str:
    counts = {one.name: one.count for one in arm.cases}
    generation, retrieval = counts["found, wrong"], counts["not found, wrong"]
    if not generation + retrieval:
        return f"No answer of {arm.name} to a turn with gold is known to be wrong."
    return (
        f"Of the wrong answers of {arm.name} to turns with gold, {generation:,} had gold among what was retrieved, so "
        f"that the answer is to blame, and {retrieval:,} had none, so that retrieval is."
    )


def _fact(name: str, value: Mean | Share, unit: Unit) -> Fact:
    at = value.mean if isinstance(value, Mean) else value.share
    if at is None:
        return Fact(name=name, text=NOT_MEASURED, small=(f"{of(0, value.asked)} turns",), measured=False)
    small = (in_words(value, unit), f"{of(value.measured, value.asked)} turns measured")
    return Fact(name=name, text=number(at, unit), small=small, dots=dots(value, unit), measured=True)


def _recall(arm: ArmFigures) -> Fact:
    return _fact("context recall", arm.retrieval["R"], "share")
