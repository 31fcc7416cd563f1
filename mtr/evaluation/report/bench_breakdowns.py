"""The sections of a benchmark's report on groups of turns and on cutoffs: a chart where they have an order, a table."""

from collections.abc import Iterator, Sequence

from mtr.evaluation.benchmark import BenchSummary, Breakdown
from mtr.evaluation.breakdowns import MOVE, SUBSET, SWITCH, TURN, TYPE, WAYS
from mtr.evaluation.report.bench_charts import cutoff_chart, cutoffs_of, group_chart
from mtr.evaluation.report.bench_sections import mean_cell
from mtr.evaluation.report.tables import Cell, Section, Table
from mtr.query_types import typed_languages

_DRAWN = (TURN, SWITCH)
_WHY_NOT = {
    MOVE: "the data set names no moves.",
    SWITCH: "the data set names no hard switch.",
    SUBSET: "the data set names no subsets.",
    TYPE: f"question words are known for these languages alone: {', '.join(typed_languages())}.",
}
_WHAT = {
    SWITCH: "Turns before, at and after the first hard switch of their conversation, in conversations that have one.",
    TYPE: "Queries as typed, by the first word that asks in their last question; how many and which count as facts. "
    "Key words and requests without such a word are other.",
}


def breakdown_sections(summary: BenchSummary) -> Iterator[Section]:
    """The main metric by groups of turns; a way to group that the set does not know says so."""
    known = {one.by: one for one in summary.breakdowns}
    for by in WAYS:
        key, title, found = by.replace(" ", "-"), f"{summary.metric} by {by}", known.get(by)
        if found is None:
            if by in _WHY_NOT:
                yield Section(key=key, title=title, text=(f"Not measured: {_WHY_NOT[by]}",))
            continue
        yield Section(
            key=key,
            title=title,
            text=(_WHAT[by],) if by in _WHAT else (),
            charts=(group_chart(summary, found),) if by in _DRAWN and len(found.groups) > 1 else (),
            tables=(_table(found, [system.name for system in summary.systems]),),
        )


def _table(breakdown: Breakdown, systems: Sequence[str]) -> Table:
    """The longer side runs down the page."""
    counts = [Cell(text=f"{next(iter(group.means.values())).asked:,}") for group in breakdown.groups]
    names = [group.name for group in breakdown.groups]
    scores = [[mean_cell(group.means[system]) for system in systems] for group in breakdown.groups]
    if len(names) >= len(systems):
        rows = [
            (Cell(text=name), count, *row) for name, count, row in zip(names, counts, scores, strict=True)
        ]  # fmt: skip
        return Table(columns=(breakdown.by, "turns", *systems), rows=tuple(rows))
    across = [(Cell(text=system), *(row[place] for row in scores)) for place, system in enumerate(systems)]
    label = f"{breakdown.by} " if breakdown.by == TURN else ""
    columns = ("system", *(f"{label}{name}" for name in names))
    return Table(columns=columns, rows=((Cell(text="turns"), *counts), *across))


def cutoff_sections(summary: BenchSummary) -> Iterator[Section]:
    """Each measure that was computed at more than one cutoff."""
    found = cutoffs_of(summary)
    if not found:
        return
    tables = []
    for measure, cutoffs in found:
        columns = tuple(f"{measure}@{cutoff}" for cutoff in cutoffs)
        rows = tuple(
            (Cell(text=one.name), *(mean_cell(one.figures.means[column]) for column in columns))
            for one in summary.systems
        )
        tables.append(Table(title=measure, columns=("system", *columns), rows=rows))
    charts = tuple(cutoff_chart(summary, measure, cutoffs) for measure, cutoffs in found)
    yield Section(key="cutoff", title="Score by cutoff", charts=charts, tables=tuple(tables))
