"""Sections and tables as HTML: heat by colour with the number always written, dots with their interval as SVG."""

from mtr.evaluation.report.charts.figure import html_chart
from mtr.evaluation.report.markup import Markup, join, tag
from mtr.evaluation.report.tables import Cell, Dots, Section, Table

HEATS = 9
_WIDTH, _MARGIN = 100, 5


def html_section(section: Section) -> Markup:
    """A section with an id to link to."""
    tables = join(html_table(table, section.title) for table in section.tables)
    return tag(
        "section",
        tag("h2", section.title),
        *(tag("p", paragraph) for paragraph in section.text),
        *(html_chart(chart, section.title) for chart in section.charts),
        tag("div", tables, class_="beside") if section.side_by_side and section.tables else tables,
        tag("ul", *(tag("li", item, dir="auto") for item in section.items), class_="items") if section.items else None,
        id=section.key,
    )


def html_table(table: Table, name: str) -> Markup:
    """A table that scrolls sideways where the window is narrow."""
    heads = [tag("th", column, scope="col") for column in table.columns]
    rows = [tag("tr", _row_name(row[0]), *(_cell(cell) for cell in row[1:])) for row in table.rows]
    drawn = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *rows))
    title = table.title or name
    return tag(
        "figure",
        tag("figcaption", table.title) if table.title else None,
        tag("div", drawn, class_="scroll", role="region", aria_label=title, tabindex="0"),
        tag("p", table.note, class_="note") if table.note else None,
        _legend() if any(cell.heat is not None for row in table.rows for cell in row) else None,
    )


def svg_dots(dots: Dots) -> Markup:
    """A line from end to end of the scale, the interval on it, and the value; the numbers stand beside it."""
    track = tag("line", x1=_x(0), x2=_x(1), y1="7", y2="7", class_="track")
    spread = None
    if dots.low is not None and dots.high is not None:
        spread = tag("line", x1=_x(dots.low), x2=_x(dots.high), y1="7", y2="7", class_="spread")
    point = tag("circle", cx=_x(dots.at), cy="7", r="4", class_="point")
    size = f"0 0 {_WIDTH + 2 * _MARGIN} 14"
    return tag("svg", track, spread, point, viewBox=size, class_="dots", aria_hidden="true", focusable="false")


def heat_class(heat: float) -> str:
    """The colour step of a value from 0 to 1."""
    return f"heat h{min(int(heat * HEATS), HEATS - 1)}"


def _x(place: float) -> str:
    return f"{_MARGIN + _WIDTH * place:.2f}"


def _row_name(cell: Cell) -> Markup:
    return tag("th", cell.text, _small(cell), scope="row")


def _cell(cell: Cell) -> Markup:
    kind = heat_class(cell.heat) if cell.heat is not None else None
    prose = {"class_": "prose", "dir": "auto"}
    text = tag("span", cell.text, **(prose if cell.prose else {"class_": "number"}))
    return tag("td", text, svg_dots(cell.dots) if cell.dots else None, _small(cell), class_=kind)


def _small(cell: Cell) -> Markup | None:
    return tag("small", *(tag("span", line) for line in cell.small)) if cell.small else None


def _legend() -> Markup:
    steps = [tag("span", class_=f"heat h{step}") for step in range(HEATS)]
    ends = (tag("span", "low: 1 of 5, or 0 %"), tag("span", "high: 5 of 5, or 100 %"))
    return tag("p", ends[0], tag("span", *steps, class_="steps", aria_hidden="true"), ends[1], class_="legend")
