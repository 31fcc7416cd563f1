"""`report.md` and `report.html` of a RAG evaluation."""

from mtr.evaluation.rag import RagSummary


def rag_markdown(summary: RagSummary) -> str:
    """The report as Markdown."""
    return summary.dataset


def rag_html(summary: RagSummary) -> str:
    """The report as one HTML file."""
    return summary.dataset
