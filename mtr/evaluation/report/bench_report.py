"""`report.md` and `report.html` of a benchmark: the same sections, the charts in HTML alone."""

from mtr.evaluation.benchmark import BenchSummary
from mtr.evaluation.report.bench_breakdowns import breakdown_sections, cutoff_sections
from mtr.evaluation.report.bench_costs import cost_section, latency_section
from mtr.evaluation.report.bench_sections import (
    audit_section,
    missed_section,
    notes_section,
    pairs_section,
    table_section,
)
from mtr.evaluation.report.bench_verdict import bench_question, lead, tiles
from mtr.evaluation.report.html_page import contents, html_page
from mtr.evaluation.report.html_sections import html_section
from mtr.evaluation.report.html_tiles import html_tiles
from mtr.evaluation.report.markdown import page, section_lines
from mtr.evaluation.report.markup import Markup, tag
from mtr.evaluation.report.numbers import of
from mtr.evaluation.report.tables import Section


def bench_markdown(summary: BenchSummary) -> str:
    """The report as Markdown."""
    return page(bench_question(summary), list(lead(summary)), section_lines(_sections(summary)))


def bench_html(summary: BenchSummary) -> str:
    """The report as one HTML file."""
    sections = _sections(summary)
    return html_page(
        bench_question(summary),
        _first_screen(summary),
        contents([(section.key, section.title) for section in sections]),
        tag("main", *map(html_section, sections)),
    )


def _sections(summary: BenchSummary) -> tuple[Section, ...]:
    return (
        table_section(summary),
        pairs_section(summary),
        *cutoff_sections(summary),
        *breakdown_sections(summary),
        latency_section(summary),
        missed_section(summary),
        audit_section(summary),
        cost_section(summary),
        notes_section(summary),
    )


def _first_screen(summary: BenchSummary) -> Markup:
    turns = of(summary.turns, summary.turns_of)
    return tag(
        "header",
        tag("p", f"Benchmark on {summary.dataset} (layout {summary.layout}), {turns} turns", class_="kicker"),
        tag("h1", bench_question(summary)),
        tag("div", *(tag("p", paragraph) for paragraph in lead(summary)), class_="verdict"),
        html_tiles(tiles(summary)),
    )
