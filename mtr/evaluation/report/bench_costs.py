"""The sections of a benchmark's report on what it took: seconds and money a query by system, and each stage."""

from mtr.evaluation.benchmark import BenchSummary, StageCost
from mtr.evaluation.latency import Latency, latencies
from mtr.evaluation.report.bench_charts import latency_chart, seconds_text
from mtr.evaluation.report.bench_sections import mean_cell
from mtr.evaluation.report.numbers import NOT_MEASURED
from mtr.evaluation.report.tables import Cell, Section, Table
from mtr.progress import duration


def latency_section(summary: BenchSummary) -> Section:
    """What a query takes, against the main metric."""
    found = latencies(summary.systems)
    chart = latency_chart(summary, found)
    means = {one.name: one.figures.means[summary.metric] for one in summary.systems}
    columns = ("system", summary.metric, "seconds a query", "query strategy", "retrieval", "reranking", "tokens", "usd")
    rows = tuple((Cell(text=one.system), mean_cell(means[one.system]), *_takes(one)) for one in found)
    text = [
        "Wall time of all stages of a system over its queries, indexing left out. Queries run side by side, so that "
        "one asked alone may take longer."
    ]
    if any(one.estimated for one in found):
        text.append(
            "About: some calls of a stage were replayed from the ledger, and its time and money are scaled up to what "
            "all calls would take. Where all were replayed, nothing was measured."
        )
    charts = () if chart is None else (chart,)
    tables = (Table(columns=columns, rows=rows),)
    return Section(key="latency", title="Latency against quality", text=tuple(text), charts=charts, tables=tables)


def _takes(one: Latency) -> tuple[Cell, ...]:
    about = "about " if one.estimated else ""
    stages = (one.seconds, one.queries, one.retrieve, one.rerank)
    times = (NOT_MEASURED if value is None else seconds_text(value) for value in stages)
    first, *others = times
    return (
        Cell(text=first if one.seconds is None else f"{about}{first}"),
        *(Cell(text=other) for other in others),
        Cell(text=NOT_MEASURED if one.tokens is None else f"{one.tokens:,.0f}"),
        Cell(text=NOT_MEASURED if one.usd is None else f"${one.usd:.5f}"),
    )


def cost_section(summary: BenchSummary) -> Section:
    """Time, calls, tokens and money of each stage, each once, as they were when it ran."""
    stages = {cost.stage: cost for system in summary.systems for cost in system.costs}
    columns = ("stage", "time", "items", "per item", "calls", "replayed", "tokens", "usd")
    table = Table(columns=columns, rows=tuple(map(_cost, stages.values())))
    text = "A call that was answered from the ledger is replayed: it took no time worth counting and costs nothing."
    return Section(key="cost", title="Time and money of each stage", text=(text,), tables=(table,))


def _cost(cost: StageCost) -> tuple[Cell, ...]:
    each = "" if not cost.items else f"{1000 * cost.seconds / cost.items:.2f} ms"
    time = duration(cost.seconds) if cost.seconds >= 10 else f"{cost.seconds:.2f} s"
    known = (
        f"{cost.calls:,}",
        f"{cost.replayed:,}",
        NOT_MEASURED if cost.tokens is None else f"{cost.tokens:,}",
        NOT_MEASURED if cost.usd is None else f"${cost.usd:.4f}",
    )
    return tuple(Cell(text=text) for text in (cost.stage, time, f"{cost.items:,}", each, *known))
