"""Reports as Markdown, HTML and CSV: records in, text out; asks nobody and writes no file."""

from mtr.evaluation.report.audit_html import audit_html
from mtr.evaluation.report.audit_markdown import audit_markdown
from mtr.evaluation.report.comparison import comparison_html, comparison_markdown
from mtr.evaluation.report.finding_texts import FindingTexts, texts_of
from mtr.evaluation.report.findings_csv import findings_csv
from mtr.evaluation.report.rerank_report import rerank_html, rerank_markdown

__all__ = [
    "FindingTexts",
    "audit_html",
    "audit_markdown",
    "comparison_html",
    "comparison_markdown",
    "findings_csv",
    "rerank_html",
    "rerank_markdown",
    "texts_of",
]
