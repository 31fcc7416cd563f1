"""The first screen of a benchmark: the best system, what is not told apart from it, how far the set can be trusted."""

from collections.abc import Iterator

from mtr.evaluation.benchmark import BenchSummary, SystemFigures
from mtr.evaluation.report.numbers import NOT_MEASURED, PERCENT, counted, listed, of
from mtr.evaluation.report.tables import Dots
from mtr.evaluation.report.verdict import Fact, facts
from mtr.evaluation.run_comparison import MetricComparison

NOT_AUDITED = "not audited"
_NAMED = 3
"""So many systems are named on the first screen."""


def bench_question(summary: BenchSummary) -> str:
    """The question the report answers."""
    return f"Which system finds the gold of {summary.dataset}?"


def lead(summary: BenchSummary) -> Iterator[str]:
    """The answer: a paragraph each for the best system, what is not told apart from it, the set's power and trust."""
    best = best_system(summary)
    yield (
        f"{best.name} is best by {summary.metric}, {best.figures.means[summary.metric].mean or 0.0:.4f}, of "
        f"{counted(len(summary.systems), 'system')} on {of(summary.turns, summary.judged)} judged turns of "
        f"{counted(summary.conversations, 'conversation')}, each ranked among {_searched(summary)}."
    )
    compared = main_comparison(summary)
    if compared is not None and compared.discrimination is not None:
        power, alike = compared.discrimination, not_told_apart(summary)
        if alike:
            more = (f"{len(alike) - _NAMED:,} more",) if len(alike) > _NAMED else ()
            yield f"Not told apart from it, and so perhaps as good: {listed((*alike[:_NAMED], *more))}."
        else:
            yield f"It is told apart from {'each' if len(summary.systems) > 2 else 'the'} other."
        yield (
            f"The set tells {of(power.told_apart, power.pairs)} pairs of systems apart by {summary.metric} "
            f"(Holm-corrected p below {power.alpha}); between best and worst lie {power.gap:.4f}."
        )
    yield _trust(summary)


def tiles(summary: BenchSummary) -> tuple[Fact, ...]:
    """The figures a reader came for; the audit's own stand beside the scores."""
    return (_best(summary), *_alike(summary), *_trusted(summary))


def best_system(summary: BenchSummary) -> SystemFigures:
    """The system with the highest mean under the main metric."""
    return max(summary.systems, key=lambda one: one.figures.means[summary.metric].mean or 0.0)


def main_comparison(summary: BenchSummary) -> MetricComparison | None:
    """The comparison under the main metric; None for one system alone."""
    return next((one for one in summary.comparisons if one.metric == summary.metric), None)


def not_told_apart(summary: BenchSummary) -> tuple[str, ...]:
    """The systems that the tests do not tell apart from the best, the highest score first."""
    compared, best = main_comparison(summary), best_system(summary).name
    if compared is None or compared.discrimination is None:
        return ()
    alike = {
        one.first if one.second == best else one.second
        for one in compared.pairs
        if best in {one.first, one.second} and one.p_holm >= compared.discrimination.alpha
    }
    score = {one.name: one.figures.means[summary.metric].mean or 0.0 for one in summary.systems}
    return tuple(sorted(alike, key=lambda name: -score[name]))


def _best(summary: BenchSummary) -> Fact:
    best = best_system(summary)
    mean = best.figures.means[summary.metric]
    name = f"best by {summary.metric}"
    if mean.mean is None:
        return Fact(name=name, text=NOT_MEASURED, small=(best.name,), measured=False)
    bounds = f"95{PERCENT} interval {mean.low:.4f} to {mean.high:.4f}" if mean.low is not None else "no interval"
    return Fact(
        name=name,
        text=f"{mean.mean:.4f}",
        small=(best.name, bounds),
        dots=Dots(at=mean.mean, low=mean.low, high=mean.high),
        measured=True,
    )


def _alike(summary: BenchSummary) -> Iterator[Fact]:
    compared = main_comparison(summary)
    if compared is None or compared.discrimination is None:
        return
    power, alike = compared.discrimination, not_told_apart(summary)
    yield Fact(
        name="not told apart from the best",
        text=of(len(alike), len(summary.systems) - 1),
        small=(f"Holm-corrected p of {power.alpha} or more",),
        measured=True,
    )
    yield Fact(
        name="pairs of systems told apart",
        text=of(power.told_apart, power.pairs),
        small=(f"Holm-corrected p below {power.alpha}", f"best − worst {power.gap:.4f}"),
        measured=True,
    )


def _trusted(summary: BenchSummary) -> tuple[Fact, ...]:
    """Noise and missing evidence: what touches the gold that systems are scored by."""
    if summary.audit is not None:
        return facts(summary.audit)[:2]
    words = "how far the gold can be trusted is not known; mtr audit tells"
    return (Fact(name="trust in the gold", text=NOT_AUDITED, small=(words,), measured=False),)


def _searched(summary: BenchSummary) -> str:
    if summary.parts:
        return f"the passages of its own subset ({', '.join(summary.parts)}; {summary.passages:,} in all)"
    return counted(summary.passages, "passage")


def _trust(summary: BenchSummary) -> str:
    if summary.audit is None:
        return "Not audited: how far the gold can be trusted is not known; mtr audit tells."
    told = [f"{one.name} {one.text}" for one in facts(summary.audit)[:2]]
    judged = of(summary.audit.turns, summary.audit.turns_of)
    return f"Audited, {judged} turns judged: {'; '.join(told)}. Its figures are below."
