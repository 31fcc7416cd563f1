"""The sections of a RAG report that compare: k with k, system with system, by paired tests."""

from collections.abc import Iterator

from mtr.evaluation.rag import RIGHT, RagSummary, SideBySide, Sweep
from mtr.evaluation.report.numbers import NOT_MEASURED, Unit
from mtr.evaluation.report.rag_charts import sweep_charts
from mtr.evaluation.report.rag_words import best_words, k_words, named, unit_in
from mtr.evaluation.report.tables import Cell, Section, Table, mean_cell
from mtr.evaluation.significance import ALPHA, PairTest

_SHOWN_PAIRS = 30
_TESTS = "Two-sided paired permutation tests that flip whole conversations, corrected for all pairs by Holm's method"


def sweep_sections(summary: RagSummary) -> Iterator[Section]:
    """Curves over k, the best k under each measure, and the tests of right answers."""
    if not summary.sweeps:
        return
    text = (
        f"{_TESTS}: all pairs of k under one measure of one system. Two k are told apart when p after Holm is below "
        f"{ALPHA}. Only turns measured at every k take part, so that means may differ from those above."
    )
    systems = list(dict.fromkeys(one.system for one in summary.sweeps))
    tables = [_means(summary, [one for one in summary.sweeps if one.system == name], name) for name in systems]
    tables += [_pairs(f"Pairs of k by right answers: {one.system}", one.tests, "share")
               for one in summary.sweeps if one.measure == RIGHT and one.tests]  # fmt: skip
    yield Section(key="sweep", title="Which k?", text=(text,), charts=sweep_charts(summary), tables=tuple(tables))


def _means(summary: RagSummary, sweeps: list[Sweep], system: str) -> Table:
    ks = list(sweeps[0].means)
    rows = []
    for one in sweeps:
        unit = unit_in(summary, one.measure)
        means = (mean_cell(one.means[k], unit, "no turn is measured at every k") for k in ks)
        rows.append((Cell(text=named(one.measure)), Cell(text=best_words(one)), Cell(text=f"{one.turns:,}"), *means))
    return Table(title=system, columns=("measure", "best k", "turns", *(f"k = {k}" for k in ks)), rows=tuple(rows))


def side_by_side_sections(summary: RagSummary) -> Iterator[Section]:
    """Systems at the same k under every measure."""
    if not summary.comparisons:
        return
    tables = [_side_by_side(summary, one) for one in summary.comparisons if one.tests]
    text = f"{_TESTS} of systems at one k under one measure, on the turns that are measured for each of them."
    yield Section(key="compared", title="Which system?", text=(text,), tables=tuple(tables))


def _side_by_side(summary: RagSummary, one: SideBySide) -> Table:
    title = f"{named(one.measure).capitalize()}, k {k_words(one.k)}, {one.turns:,} turns"
    return _pairs(title, one.tests, unit_in(summary, one.measure))


def _pairs(title: str, tests: tuple[PairTest, ...], unit: Unit) -> Table:
    order = sorted(tests, key=lambda test: test.p_holm)
    left_out = len(order) - _SHOWN_PAIRS
    return Table(
        title=title,
        columns=("first − second", "difference", "standardised", "p", "p after Holm"),
        rows=tuple(_pair(test, unit) for test in order[:_SHOWN_PAIRS]),
        note=f"{left_out:,} more in summary.json." if left_out > 0 else "",
    )


def _pair(test: PairTest, unit: Unit) -> tuple[Cell, ...]:
    effect = NOT_MEASURED if test.standardised is None else f"{test.standardised:.2f}"
    return (
        Cell(text=f"{test.first} − {test.second}"),
        mean_cell(test.difference, unit, "nothing to compare"),
        Cell(text=effect),
        Cell(text=f"{test.p:.4f}"),
        Cell(text=f"{test.p_holm:.4f}"),
    )
