"""`report.md` of an audit."""

from collections.abc import Iterator, Sequence

from mtr.evaluation.audit_records import AuditSummary
from mtr.evaluation.findings import Finding
from mtr.evaluation.report.finding_texts import KINDS, by_kind
from mtr.evaluation.report.markdown import escaped, page, section_lines
from mtr.evaluation.report.numbers import of
from mtr.evaluation.report.sections import after_findings, before_findings
from mtr.evaluation.report.verdict import question, verdict


def audit_markdown(summary: AuditSummary, findings: Sequence[Finding], *, most: int = 20) -> str:
    """The report as Markdown with the first `most` findings, without their texts."""
    lines = [
        *section_lines(before_findings(summary)),
        *_findings(findings, most),
        *section_lines(after_findings(summary)),
    ]
    return page(question(summary), [verdict(summary)], lines)


def _findings(findings: Sequence[Finding], most: int) -> Iterator[str]:
    yield "\n## Findings, worst first"
    if not findings:
        yield "\nNothing was found that a person should look at."
        return
    yield ""
    yield from (f"- {words}: {count:,}" for words, count in by_kind(findings))
    yield f"\nShown: {of(min(most, len(findings)), len(findings))}. All of them are in findings.jsonl.\n"
    for place, finding in enumerate(findings[:most], 1):
        what = f"{place}. **{escaped(finding.query_id)}**, turn {finding.turn}, {KINDS[finding.kind]}"
        yield f"{what}: {escaped(finding.words)}"
