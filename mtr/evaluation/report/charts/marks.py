"""Eight styles told apart without colour: a marker and dashes each. Their colours stand in style.css as s0 to s7."""

from mtr.evaluation.report.markup import Markup, tag

STYLES = 8
MARKERS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "M-3.6 -3.6h7.2v7.2h-7.2z",
    "M0 -4.8L4.6 3.4H-4.6z",
    "M0 -5L4.6 0L0 5L-4.6 0z",
    "M0 4.8L4.6 -3.4H-4.6z",
    "M-1.5 -4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    "M0 -5L4.8 -1.5L2.9 4.1H-2.9L-4.8 -1.5z",
    "M-4.8 0L3.4 -4.6V4.6z",
)
"""Outlines around the origin: circle, square, triangle, diamond, triangle down, plus, pentagon, triangle left."""

DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "5 2", "1 4", "9 3 2 3 2 3")


def marker(style: int, x: float, y: float, *, hollow: bool = False) -> Markup:
    """The marker of a style at a place."""
    kind = "marker hollow" if hollow else "marker"
    return tag("path", d=MARKERS[style % STYLES], transform=f"translate({x:.2f} {y:.2f})", class_=kind)


def line(style: int, places: list[tuple[float, float]]) -> Markup:
    """A line through the places in the dashes of a style."""
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in places)
    return tag("polyline", points=points, class_="line", stroke_dasharray=DASHES[style % STYLES] or None)


def swatch(style: int, *, joined: bool) -> Markup:
    """The sample of a style for the legend."""
    sample = line(style, [(1.0, 7.0), (33.0, 7.0)]) if joined else None
    drawn = tag("g", sample, marker(style, 17, 7), class_=f"series s{style % STYLES}")
    return tag("svg", drawn, viewBox="0 0 34 14", class_="swatch", aria_hidden="true", focusable="false")
