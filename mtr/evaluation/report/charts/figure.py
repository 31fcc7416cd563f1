"""A chart in its place on the page: title, picture, legend, note."""

from mtr.evaluation.report.charts.drawing import svg_chart
from mtr.evaluation.report.charts.marks import swatch
from mtr.evaluation.report.charts.records import Chart
from mtr.evaluation.report.markup import Markup, tag


def html_chart(chart: Chart, heading: str = "") -> Markup:
    """The picture scrolls sideways where the window is narrow. A title that the `heading` above says is left out."""
    names = [
        tag("li", swatch(one.style, joined=chart.joined), tag("span", one.name, dir="auto")) for one in chart.series
    ]
    return tag(
        "figure",
        tag("figcaption", chart.title) if chart.title != heading else None,
        tag(
            "div",
            tag("div", svg_chart(chart), class_="scroll", role="region", aria_label=chart.title, tabindex="0"),
            tag("ul", *names, class_="series-names"),
            class_="drawn",
        ),
        tag("p", chart.note, class_="note") if chart.note else None,
        class_="plot",
    )
