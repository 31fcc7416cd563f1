"""The sections of an audit's report, in the order a reader wants them."""

from mtr.evaluation.audit_records import AuditSummary
from mtr.evaluation.report.breakdown import breakdown_sections
from mtr.evaluation.report.criteria import criteria_section
from mtr.evaluation.report.gaps import gaps_section, notes_section
from mtr.evaluation.report.guide import guide_section
from mtr.evaluation.report.judges import judges_section, positions_section, writers_section
from mtr.evaluation.report.tables import Section


def before_findings(summary: AuditSummary) -> tuple[Section, ...]:
    """All that is counted."""
    return (
        criteria_section(summary),
        judges_section(summary),
        *breakdown_sections(summary),
        positions_section(summary),
        writers_section(summary),
        gaps_section(summary),
    )


def after_findings(summary: AuditSummary) -> tuple[Section, ...]:
    """Notes and how to read it."""
    return (notes_section(summary), guide_section())
