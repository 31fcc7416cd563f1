"""`report.md` and `report.html` of a RAG evaluation: the same sections, the charts in HTML alone."""

from mtr.evaluation.rag import RagSummary
from mtr.evaluation.report.html_page import contents, html_page
from mtr.evaluation.report.html_sections import html_section
from mtr.evaluation.report.html_tiles import html_tiles
from mtr.evaluation.report.markdown import page, section_lines
from mtr.evaluation.report.markup import Markup, tag
from mtr.evaluation.report.numbers import of
from mtr.evaluation.report.rag_cases import cases_sections
from mtr.evaluation.report.rag_comparisons import side_by_side_sections, sweep_sections
from mtr.evaluation.report.rag_tables import cost_section, coverage_section, refusals_section, systems_section
from mtr.evaluation.report.rag_verdict import lead, rag_question, tiles
from mtr.evaluation.report.tables import Section


def rag_markdown(summary: RagSummary) -> str:
    """The report as Markdown."""
    return page(rag_question(summary), list(lead(summary)), section_lines(_sections(summary)))


def rag_html(summary: RagSummary) -> str:
    """The report as one HTML file."""
    sections = _sections(summary)
    return html_page(
        rag_question(summary),
        _first_screen(summary),
        contents([(section.key, section.title) for section in sections]),
        tag("main", *map(html_section, sections)),
    )


def _sections(summary: RagSummary) -> tuple[Section, ...]:
    return (
        systems_section(summary),
        *sweep_sections(summary),
        *cases_sections(summary),
        *side_by_side_sections(summary),
        refusals_section(summary),
        coverage_section(summary),
        cost_section(summary),
        Section(key="notes", title="Notes on the data set", items=summary.notes or ("None.",)),
    )


def _first_screen(summary: RagSummary) -> Markup:
    turns = of(summary.turns, summary.turns_of)
    return tag(
        "header",
        tag("p", f"RAG evaluation on {summary.dataset} (layout {summary.layout}), {turns} turns", class_="kicker"),
        tag("h1", rag_question(summary)),
        tag("div", *(tag("p", paragraph) for paragraph in lead(summary)), class_="verdict"),
        html_tiles(tiles(summary)),
    )
