"""The figures of a first screen as tiles side by side."""

from collections.abc import Iterable

from mtr.evaluation.report.html_sections import svg_dots
from mtr.evaluation.report.markup import Markup, tag
from mtr.evaluation.report.verdict import Fact


def html_tiles(facts: Iterable[Fact]) -> Markup:
    """A tile for each."""
    return tag("div", *map(_tile, facts), class_="tiles")


def _tile(fact: Fact) -> Markup:
    return tag(
        "div",
        tag("p", fact.name, class_="name"),
        tag("p", fact.text, class_="figure" if fact.measured else "figure none"),
        svg_dots(fact.dots) if fact.dots else None,
        tag("p", *(tag("span", line) for line in fact.small), class_="note"),
        class_="tile",
    )
