"""What a chart shows: series of points on two axes. Plain numbers and words; the drawing escapes them."""

from mtr.records import Record


class Tick(Record):
    """A place on an axis, in its unit, and what is written there."""

    at: float
    text: str


class Axis(Record):
    """An axis from the least to the greatest of its ticks and points; `log` ones hold numbers above 0 only."""

    label: str
    ticks: tuple[Tick, ...]
    log: bool = False


class Point(Record):
    """A value with its interval, None where there is none; `words` appear when the mouse rests on it."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    words: str
    hollow: bool = False


class Series(Record):
    """Points under one name; `style` numbers its colour, marker and dashes, the same in every chart."""

    name: str
    style: int
    points: tuple[Point, ...]


class Chart(Record):
    """`joined` series are lines from point to point; others are points alone."""

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    joined: bool = True
    note: str = ""
