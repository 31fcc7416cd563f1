"""Prints what `mtr score` found: a table of means, a table of pairs for each metric, what the set tells apart."""

import typer

from mtr.cli.tables import print_table
from mtr.evaluation.intervals import Mean
from mtr.evaluation.run_comparison import MetricComparison, RunComparison, RunFigures
from mtr.evaluation.significance import ALPHA, PairTest

PAIRS = ("first", "second", "difference", "95 % interval", "standardised", "p", "p (Holm)", f"apart at {ALPHA}")


def print_comparison(compared: RunComparison, qrels: str) -> None:
    """Print tables to stdout, and what needs a second look to stderr."""
    title = f"{qrels}: {compared.queries} judged queries of {compared.conversations} conversations"
    if compared.conversations == compared.queries:
        title = f"{qrels}: {compared.queries} judged queries, each on its own"
    metrics = tuple(compared.runs[0].means)
    headings = ("run", *(part for metric in metrics for part in (metric, "95 % interval")))
    counts = ("scored", "missing, count 0", "not judged, dropped")
    print_table(title, (*headings, *counts), [_row(figures) for figures in compared.runs])
    for comparison in compared.comparisons:
        print_table(f"{comparison.metric}: every pair", PAIRS, [_pair(test) for test in comparison.pairs])
    for comparison in compared.comparisons:
        typer.echo(_told_apart(comparison))
    nothing = compared.runs[0].nothing_relevant
    if nothing:
        typer.echo(f"{nothing} judged queries have no relevant passage: every run scores 0 on them", err=True)


def _row(figures: RunFigures) -> tuple[object, ...]:
    cells = [cell for mean in figures.means.values() for cell in (f"{mean.mean:.5f}", _interval(mean))]
    scored = f"{figures.judged - figures.missing} of {figures.judged}"
    return (figures.run, *cells, scored, figures.missing, figures.unjudged)


def _pair(test: PairTest) -> tuple[object, ...]:
    return (
        test.first,
        test.second,
        f"{test.difference.mean:+.4f}",
        _interval(test.difference),
        None if test.standardised is None else f"{test.standardised:+.2f}",
        f"{test.p:.4f}",
        f"{test.p_holm:.4f}",
        "yes" if test.p_holm < ALPHA else "no",
    )


def _interval(mean: Mean) -> str | None:
    return None if mean.low is None else f"{mean.low:.3f} to {mean.high:.3f}"


def _told_apart(comparison: MetricComparison) -> str:
    found = comparison.discrimination
    if found is None or found.share is None:
        return f"{comparison.metric}: nothing to tell apart"
    pairs = f"{found.told_apart} of {found.pairs} pairs told apart at {found.alpha} ({100 * found.share:.0f} %)"
    return f"{comparison.metric}: {pairs}; best {found.best}, worst {found.worst}, gap {found.gap:.4f}"
