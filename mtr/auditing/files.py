"""The folder of an audit.

verdicts.jsonl          a verdict of a judge a line: criterion, score, reason, probability, what was shown
tallies.jsonl           the ensemble's result on each ask
findings.jsonl          items to look at, worst first; findings.csv for a spreadsheet
qrels.repaired.tsv      the qrels without gold that does not answer, with gold that was missing
missing_evidence.jsonl  passages the judges take for gold and the data set does not
summary.json            the whole; report.md and report.html tell it
audit.json              what was asked of whom, what it cost; written last
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from mtr.auditing.options import AuditOptions
from mtr.batch import Abandoned, Failed
from mtr.datasets.records import Dataset
from mtr.errors import InputError
from mtr.evaluation.audit_records import AuditSummary
from mtr.evaluation.findings import findings_of
from mtr.evaluation.repair import missing_evidence, repaired_qrels
from mtr.evaluation.report import audit_html, audit_markdown, findings_csv, texts_of
from mtr.records import Record
from mtr.spent import Spent
from mtr.storage import check_can_be_made, replace_lines, replace_text, write_records
from mtr.verdicts import Criterion, JudgedTurn

NOTE, SUMMARY = "audit.json", "summary.json"


class AuditNote(Record):
    """audit.json: what was asked of whom, and what it cost over all runs."""

    kind: Literal["mtr audit"] = "mtr audit"
    layout_version: int = 1
    batch: str
    versions: dict[str, str]
    options: AuditOptions
    dataset: str
    layout: str
    prompts: dict[str, str]
    asked: int
    judged: int
    failed: tuple[Failed, ...]
    abandoned: tuple[Abandoned, ...]
    seconds: float
    runs: int
    usage: tuple[Spent, ...]


def check_audit_folder(folder: Path) -> None:
    """InputError when the folder holds something other than an audit."""
    check_can_be_made(folder, "the audit")
    if folder.exists() and any(folder.iterdir()) and not (folder / NOTE).is_file():
        raise InputError(f"{folder} is not empty and holds no audit of MTR's; name another folder, or empty this one")


def write_audit(
    folder: Path,
    dataset: Dataset,
    judged: Sequence[JudgedTurn],
    summary: AuditSummary,
    note: AuditNote,
    criteria: Sequence[Criterion],
) -> None:
    """Write every file, each whole or not at all; audit.json last."""
    findings = findings_of(judged, criteria)
    write_records(folder / "verdicts.jsonl", (verdict for turn in judged for verdict in turn.verdicts))
    write_records(folder / "tallies.jsonl", (tally for turn in judged for tally in turn.tallies))
    write_records(folder / "findings.jsonl", findings)
    write_records(folder / "missing_evidence.jsonl", missing_evidence(dataset, judged))
    replace_lines(folder / "qrels.repaired.tsv", repaired_qrels(dataset.turns, judged))
    replace_text(folder / "findings.csv", findings_csv(findings))
    replace_text(folder / SUMMARY, summary.model_dump_json(indent=2) + "\n")
    replace_text(folder / "report.md", audit_markdown(summary, findings))
    replace_text(folder / "report.html", audit_html(summary, findings, texts_of(dataset, findings)))
    replace_text(folder / NOTE, note.model_dump_json(indent=2) + "\n")


def read_summary(folder: Path) -> AuditSummary:
    """The summary of an audit; InputError when there is none."""
    path = folder / SUMMARY
    if not path.is_file():
        raise InputError(f"{path} does not exist; {folder} is no audit of MTR's (make one with `mtr audit`)")
    try:
        return AuditSummary.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "file"
        raise InputError(f"{path}: {field}: {first['msg']}; run the audit again") from error
