"""What both reports are made of: sections of tables of cells. They hold plain text; the writers escape it."""

from mtr.evaluation.intervals import Mean, Share
from mtr.evaluation.report.charts.records import Chart
from mtr.evaluation.report.numbers import NOT_MEASURED, Unit, interval_of, number, of
from mtr.records import Record

TOP_OF_SCALE = 5


class Dots(Record):
    """A value and its interval as places from 0 to 1 on a line."""

    at: float
    low: float | None = None
    high: float | None = None


class Cell(Record):
    """The lines of `small` stand below the text, `dots` beside it; `heat`, 0 (look here) to 1, colours the cell.

    `prose` is running text, which may be broken into lines.
    """

    text: str
    small: tuple[str, ...] = ()
    heat: float | None = None
    dots: Dots | None = None
    prose: bool = False


class Table(Record):
    """The first cell of each row names the row."""

    title: str = ""
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


class Section(Record):
    """A part of a report under a heading; small tables or charts may stand side by side. Only HTML draws the charts."""

    key: str
    title: str
    text: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    items: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()
    side_by_side: bool = False


def in_one_line(cell: Cell) -> str:
    """The cell's text with its small lines in brackets."""
    return f"{cell.text} ({'; '.join(cell.small)})" if cell.small else cell.text


def not_measured(reason: str) -> Cell:
    """A cell that says so, and why."""
    return Cell(text=NOT_MEASURED, small=(reason,))


def mean_cell(mean: Mean, unit: Unit, reason: str, *, heat: bool = False, more: str = "") -> Cell:
    """A mean with its interval and n below it; `reason` is why it was not measured, in case."""
    if mean.mean is None:
        return not_measured(reason)
    return Cell(
        text=number(mean.mean, unit),
        small=(interval_of(mean, unit), of(mean.measured, mean.asked), *([more] if more else [])),
        heat=place(mean.mean, unit) if heat else None,
    )


def place(value: float, unit: Unit) -> float:
    """Where a value lies from 0 to 1: scores go from 1 to 5."""
    return min(max((value - 1) / (TOP_OF_SCALE - 1) if unit == "scale" else value, 0.0), 1.0)


def dots(value: Mean | Share, unit: Unit) -> Dots | None:
    """The value as a dot with its interval; None where nothing was measured."""
    at = value.mean if isinstance(value, Mean) else value.share
    if at is None:
        return None
    if value.low is None or value.high is None:
        return Dots(at=place(at, unit))
    return Dots(at=place(at, unit), low=place(value.low, unit), high=place(value.high, unit))
