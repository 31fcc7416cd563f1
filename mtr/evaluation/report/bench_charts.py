"""The charts of a benchmark: score by turn, by cutoff, around a hard switch, and against latency."""

from collections.abc import Sequence

from mtr.evaluation.benchmark import BenchSummary, Breakdown
from mtr.evaluation.breakdowns import TURN
from mtr.evaluation.intervals import Mean
from mtr.evaluation.latency import Latency
from mtr.evaluation.metrics import parse_metrics
from mtr.evaluation.report.charts.marks import STYLES
from mtr.evaluation.report.charts.records import Axis, Chart, Point, Series, Tick
from mtr.evaluation.report.charts.scale import log_ticks, ticks_from_zero
from mtr.evaluation.report.numbers import counted

INTERVALS = "Bars are 95 % intervals."


def shown_systems(summary: BenchSummary) -> tuple[str, ...]:
    """The systems that charts have room for, in the table's order: all, or the best by the main metric."""
    score = {one.name: one.figures.means[summary.metric].mean or 0.0 for one in summary.systems}
    best = set(sorted(score, key=lambda name: -score[name])[:STYLES])
    return tuple(name for name in score if name in best)


def group_chart(summary: BenchSummary, breakdown: Breakdown) -> Chart:
    """The main metric by the groups of a breakdown that have an order in time."""
    turns = breakdown.by == TURN
    ticks = tuple(
        Tick(at=int(group.name) if turns else place, text=group.name) for place, group in enumerate(breakdown.groups)
    )
    series = []
    for style, name in enumerate(shown_systems(summary)):
        points = []
        for tick, group in zip(ticks, breakdown.groups, strict=True):
            mean, where = group.means[name], f"turn {group.name}" if turns else group.name
            if mean.mean is not None:
                points.append(_point(tick.at, mean, f"{name}, {where}", counted(mean.asked, "turn")))
        series.append(Series(name=name, style=style, points=tuple(points)))
    title = f"{summary.metric} by {breakdown.by}"
    label = "turn number" if turns else "turns of a conversation"
    return _chart(summary, title, Axis(label=label, ticks=ticks), series, summary.metric)


def cutoffs_of(summary: BenchSummary) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The measures that were computed at more than one cutoff, with those cutoffs ascending."""
    found: dict[str, set[int]] = {}
    for metric in parse_metrics(summary.metrics):
        if metric.cutoff is not None and metric.rel == 1:
            found.setdefault(metric.measure, set()).add(metric.cutoff)
    return tuple((measure, tuple(sorted(cutoffs))) for measure, cutoffs in found.items() if len(cutoffs) > 1)


def cutoff_chart(summary: BenchSummary, measure: str, cutoffs: Sequence[int]) -> Chart:
    """One measure by its cutoffs, on a logarithmic axis."""
    means = {one.name: one.figures.means for one in summary.systems}
    series = []
    for style, name in enumerate(shown_systems(summary)):
        points = []
        for cutoff in cutoffs:
            mean = means[name][f"{measure}@{cutoff}"]
            if mean.mean is not None:
                points.append(_point(cutoff, mean, f"{name}, {measure}@{cutoff}", counted(mean.asked, "turn")))
        series.append(Series(name=name, style=style, points=tuple(points)))
    ticks = tuple(Tick(at=cutoff, text=str(cutoff)) for cutoff in cutoffs)
    axis = Axis(label="cutoff: passages looked at, from the top", ticks=ticks, log=True)
    return _chart(summary, f"{measure} by cutoff", axis, series, measure)


def latency_chart(summary: BenchSummary, latencies: Sequence[Latency]) -> Chart | None:
    """The main metric against seconds a query, on a logarithmic axis; None where no time was measured."""
    means = {one.name: one.figures.means[summary.metric] for one in summary.systems}
    timed = {one.system: one for one in latencies if one.seconds}
    series = []
    for style, name in enumerate(shown_systems(summary)):
        one, mean = timed.get(name), means[name]
        if one is None or one.seconds is None or mean.mean is None:
            continue
        about = "about " if one.estimated else ""
        point = _point(one.seconds, mean, name, f"{about}{seconds_text(one.seconds)} a query")
        series.append(Series(name=name, style=style, points=(point.model_copy(update={"hollow": one.estimated}),)))
    if not series:
        return None
    ticks = log_ticks([point.x for one in series for point in one.points])
    axis = Axis(label="seconds a query, all stages", ticks=ticks, log=True)
    hollow = " A hollow mark is an estimate: some calls were replayed." if any(
        point.hollow for one in series for point in one.points) else ""  # fmt: skip
    drawn = _chart(summary, "Latency against quality", axis, series, summary.metric)
    return drawn.model_copy(update={"joined": False, "note": f"{drawn.note}{hollow}"})


def seconds_text(seconds: float) -> str:
    """With three digits that count: `0.0123 s`, `1.23 s`, `123 s`."""
    decimals = next(
        (places for bound, places in ((100, 0), (10, 1), (1, 2), (0.1, 3), (0.01, 4)) if seconds >= bound), 5
    )
    return f"{seconds:.{decimals}f} s"


def _point(x: float, mean: Mean, what: str, more: str) -> Point:
    value = mean.mean or 0.0
    bounds = f" ({mean.low:.4f} to {mean.high:.4f})" if mean.low is not None and mean.high is not None else ""
    return Point(x=x, y=value, low=mean.low, high=mean.high, words=f"{what}: {value:.4f}{bounds}, {more}")


def _chart(summary: BenchSummary, title: str, x: Axis, series: Sequence[Series], y: str) -> Chart:
    values = [value for one in series for point in one.points for value in (point.y, point.high) if value is not None]
    every = len(summary.systems)
    note = f"Shown: the {STYLES} best of {every:,} systems by {summary.metric}; the table has them all. " if (
        every > STYLES) else ""  # fmt: skip
    ticks = ticks_from_zero(max(values, default=1.0))
    return Chart(title=title, x=x, y=Axis(label=y, ticks=ticks), series=tuple(series), note=f"{note}{INTERVALS}")
