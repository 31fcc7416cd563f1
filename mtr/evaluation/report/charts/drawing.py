"""A chart as SVG: grid, axes, lines, intervals, markers. Units are CSS pixels at its full size."""

from dataclasses import dataclass
from functools import cached_property

from mtr.evaluation.report.charts.marks import line, marker
from mtr.evaluation.report.charts.records import Axis, Chart, Point, Series, Tick
from mtr.evaluation.report.charts.scale import Scale, scale
from mtr.evaluation.report.markup import Markup, join, tag

WIDTH, HEIGHT = 640, 340
LEFT, RIGHT, TOP, BOTTOM = 58, 18, 26, 50
_APART = 6.0
"""Between the points of two series at one x, so that their intervals can be read."""
_CAP = 3.0
_FEWEST_BETWEEN = 30
"""From one written tick to the next; ticks between are left without text."""


@dataclass(frozen=True)
class _Picture:
    chart: Chart

    @cached_property
    def x(self) -> Scale:
        """The horizontal scale; a margin keeps the first and last points off the edges."""
        axis = self.chart.x
        values = [tick.at for tick in axis.ticks] + [point.x for one in self.chart.series for point in one.points]
        edge = 0.0 if axis.log and not self.chart.joined else max(26.0, self.apart * len(self.chart.series) / 2 + 6)
        return scale(values, LEFT + edge, WIDTH - RIGHT - edge, log=axis.log)

    @cached_property
    def y(self) -> Scale:
        """The vertical scale, upwards."""
        points = [point for one in self.chart.series for point in one.points]
        values = [tick.at for tick in self.chart.y.ticks] + [point.y for point in points]
        return scale(values, HEIGHT - BOTTOM, TOP)

    @cached_property
    def apart(self) -> float:
        """How far series stand aside from one another; less where many share a narrow place."""
        if not self.chart.joined:
            return 0.0
        places = max(len(self.chart.x.ticks), 1)
        return min(_APART, 0.7 * (WIDTH - LEFT - RIGHT) / places / max(len(self.chart.series), 1))

    def place(self, number: int, point: Point) -> tuple[float, float]:
        """Where a point of the series of that number stands."""
        aside = (number - (len(self.chart.series) - 1) / 2) * self.apart
        return self.x(point.x) + aside, self.y(point.y)


def svg_chart(chart: Chart) -> Markup:
    """The picture with its axes; the legend stands beside it. Every point has its words as a title."""
    picture = _Picture(chart)
    return tag(
        "svg",
        tag("title", chart.title),
        _rows(picture),
        _columns(picture),
        *(_series(picture, number, one) for number, one in enumerate(chart.series)),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        class_="chart",
        role="img",
        aria_label=f"{chart.title}: {chart.y.label} by {chart.x.label}; the numbers stand in the table",
    )


def _rows(picture: _Picture) -> Markup:
    drawn = []
    for tick in picture.chart.y.ticks:
        y = f"{picture.y(tick.at):.2f}"
        kind = "axis" if tick.at == picture.y.low else "grid"
        drawn.append(tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_=kind))
        drawn.append(tag("text", tick.text, x=LEFT - 8, y=y, dy="0.32em", class_="tick end"))
    label = tag("text", picture.chart.y.label, x=LEFT - 8, y=TOP - 12, class_="name")
    return join([*drawn, label])


def _columns(picture: _Picture) -> Markup:
    axis, floor = picture.chart.x, HEIGHT - BOTTOM
    written = {tick.at for tick in _written(picture, axis)}
    drawn = []
    for tick in axis.ticks:
        x = f"{picture.x(tick.at):.2f}"
        drawn.append(tag("line", x1=x, x2=x, y1=floor, y2=floor + 4, class_="axis"))
        if tick.at in written:
            drawn.append(tag("text", tick.text, x=x, y=floor + 18, class_="tick middle"))
    label = tag("text", axis.label, x=f"{(LEFT + WIDTH - RIGHT) / 2:.0f}", y=HEIGHT - 8, class_="name middle")
    return join([*drawn, label])


def _written(picture: _Picture, axis: Axis) -> list[Tick]:
    """The ticks that have room for their text."""
    kept: list[Tick] = []
    for tick in axis.ticks:
        if not kept or picture.x(tick.at) - picture.x(kept[-1].at) >= _FEWEST_BETWEEN:
            kept.append(tick)
    return kept


def _series(picture: _Picture, number: int, series: Series) -> Markup:
    places = [picture.place(number, point) for point in series.points]
    joined = line(series.style, places) if picture.chart.joined and len(places) > 1 else None
    points = (_point(picture, series.style, at, point) for at, point in zip(places, series.points, strict=True))
    return tag("g", joined, *points, class_=f"series s{series.style}")


def _point(picture: _Picture, style: int, at: tuple[float, float], point: Point) -> Markup:
    x, y = at
    interval = None
    if point.low is not None and point.high is not None:
        low, high = picture.y(point.low), picture.y(point.high)
        caps = f"M{x - _CAP:.2f} {low:.2f}h{2 * _CAP:.0f}M{x - _CAP:.2f} {high:.2f}h{2 * _CAP:.0f}"
        interval = tag("path", d=f"M{x:.2f} {low:.2f}V{high:.2f}{caps}", class_="interval")
    area = tag("circle", cx=f"{x:.2f}", cy=f"{y:.2f}", r="9", class_="area")
    return tag("g", tag("title", point.words), interval, marker(style, x, y, hollow=point.hollow), area)
