"""Charts of a report: records of plain numbers and words, drawn as SVG without a script."""

from mtr.evaluation.report.charts.figure import html_chart
from mtr.evaluation.report.charts.records import Axis, Chart, Point, Series, Tick

__all__ = ["Axis", "Chart", "Point", "Series", "Tick", "html_chart"]
