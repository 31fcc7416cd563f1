"""The charts of a sweep: scores, shares and tokens over k, with intervals."""

from collections.abc import Iterator, Sequence

from mtr.evaluation.intervals import Mean
from mtr.evaluation.rag import ArmFigures, RagSummary, Sweep
from mtr.evaluation.report.charts.marks import STYLES
from mtr.evaluation.report.charts.records import Axis, Chart, Point, Series, Tick
from mtr.evaluation.report.charts.scale import ticks_from_zero
from mtr.evaluation.report.numbers import Unit, counted, interval_of, number
from mtr.evaluation.report.rag_words import named, unit_in
from mtr.evaluation.report.tables import TOP_OF_SCALE

_NOTE = "Bars are 95 % intervals, over the turns that are measured at every k."
_SCALE = tuple(Tick(at=score, text=str(score)) for score in range(1, TOP_OF_SCALE + 1))
_SHARE = tuple(Tick(at=percent / 100, text=f"{percent} %") for percent in range(0, 101, 20))


def sweep_charts(summary: RagSummary) -> tuple[Chart, ...]:
    """For one system all measures of a unit in one chart; for several a chart for each measure."""
    systems = list(dict.fromkeys(one.system for one in summary.sweeps))
    if len(systems) == 1:
        drawn = [_of_unit(summary, "scale", f"Scores of {systems[0]} by k"),
                 _of_unit(summary, "share", f"Right answers and context recall of {systems[0]} by k")]  # fmt: skip
    else:
        measures = dict.fromkeys(one.measure for one in summary.sweeps)
        drawn = [_of_measure(summary, measure) for measure in measures]
    return tuple(chart for chart in (*drawn, _tokens(summary, systems)) if chart is not None)


def _of_unit(summary: RagSummary, unit: Unit, title: str) -> Chart | None:
    rows = [one for one in summary.sweeps if unit_in(summary, one.measure) == unit]
    return _chart(title, unit, [(named(one.measure), one) for one in rows])


def _of_measure(summary: RagSummary, measure: str) -> Chart | None:
    rows = [one for one in summary.sweeps if one.measure == measure]
    return _chart(f"{named(measure).capitalize()} by k", unit_in(summary, measure), [(one.system, one) for one in rows])


def _chart(title: str, unit: Unit, rows: Sequence[tuple[str, Sweep]]) -> Chart | None:
    series = tuple(
        Series(name=name, style=style, points=tuple(_points(name, sweep, unit)))
        for style, (name, sweep) in enumerate(rows[:STYLES])
        if sweep.turns
    )
    if not series:
        return None
    y = Axis(label="score of 5", ticks=_SCALE) if unit == "scale" else Axis(label="share", ticks=_SHARE)
    return Chart(title=title, x=_ks(sorted({k for _, one in rows for k in one.means})), y=y, series=series, note=_NOTE)


def _points(name: str, sweep: Sweep, unit: Unit) -> Iterator[Point]:
    for k, mean in sweep.means.items():
        if mean.mean is not None:
            yield Point(x=k, y=mean.mean, low=mean.low, high=mean.high, words=_words(name, k, mean, unit))


def _words(name: str, k: int, mean: Mean, unit: Unit) -> str:
    value, bounds = number(mean.mean or 0.0, unit), interval_of(mean, unit)
    return f"{name} at k = {k}: {value} ({bounds}), {counted(mean.measured, 'turn')}"


def _tokens(summary: RagSummary, systems: Sequence[str]) -> Chart | None:
    """Tokens of an answer by k; there is no interval, they were counted."""
    series = []
    for style, system in enumerate(systems[:STYLES]):
        arms = [
            one for one in summary.arms if one.system == system and one.k is not None and one.cost.tokens is not None
        ]
        if arms:
            series.append(Series(name=system, style=style, points=tuple(_counted(arm) for arm in arms)))
    if not series:
        return None
    ticks = ticks_from_zero(max(point.y for one in series for point in one.points))
    ks = sorted({int(point.x) for one in series for point in one.points})
    return Chart(title="Tokens of an answer by k", x=_ks(ks), y=Axis(label="tokens", ticks=ticks), series=tuple(series))


def _counted(arm: ArmFigures) -> Point:
    tokens = arm.cost.tokens or 0.0
    return Point(
        x=arm.k or 0, y=tokens, words=f"{arm.name}: {tokens:,.0f} tokens, {counted(arm.cost.counted, 'answer')}"
    )


def _ks(ks: Sequence[int]) -> Axis:
    return Axis(label="k: passages to answer from", ticks=tuple(Tick(at=k, text=str(k)) for k in ks))
