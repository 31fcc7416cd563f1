"""`report.html` of an audit: the verdict in the first screen, then everything it rests on."""

from collections.abc import Mapping, Sequence

from mtr.evaluation.audit_records import AuditSummary
from mtr.evaluation.findings import Finding
from mtr.evaluation.report.finding_texts import FindingTexts
from mtr.evaluation.report.html_findings import TITLE, html_findings
from mtr.evaluation.report.html_page import contents, html_page
from mtr.evaluation.report.html_sections import html_section
from mtr.evaluation.report.html_tiles import html_tiles
from mtr.evaluation.report.markup import Markup, tag
from mtr.evaluation.report.sections import after_findings, before_findings
from mtr.evaluation.report.verdict import facts, question, verdict


def audit_html(
    summary: AuditSummary, findings: Sequence[Finding], texts: Mapping[str, FindingTexts], *, most: int = 100
) -> str:
    """The report as one file; `texts` by query id, the first `most` findings are shown with them."""
    before, after = before_findings(summary), after_findings(summary)
    links = [(section.key, section.title) for section in before]
    links += [("findings", TITLE), *((section.key, section.title) for section in after)]
    return html_page(
        question(summary),
        _first_screen(summary),
        contents(links),
        tag(
            "main",
            *(html_section(section) for section in before),
            html_findings(findings, texts, most),
            *(html_section(section) for section in after),
        ),
    )


def _first_screen(summary: AuditSummary) -> Markup:
    return tag(
        "header",
        tag("p", f"Audit of {summary.dataset} (layout {summary.layout})", class_="kicker"),
        tag("h1", question(summary)),
        tag("p", verdict(summary), class_="verdict"),
        html_tiles(facts(summary)),
    )
