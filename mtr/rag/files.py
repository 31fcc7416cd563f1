"""The folder of a RAG evaluation.

answers.jsonl    an answer a line: system, k, turn, what was retrieved, whether it refuses, tokens, seconds, dollars
verdicts.jsonl   a verdict of a judge a line, with system and k: criterion, score, claims, reason
per_turn.jsonl   an answer a line, measured: scores, retrieval, whether it is right, and why a score is null
summary.json     the whole; report.md and report.html tell it
rag.json         what was asked of whom, what it cost; written last
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from mtr.errors import InputError
from mtr.evaluation.rag import RagSummary
from mtr.evaluation.report.rag_report import rag_html, rag_markdown
from mtr.rag.note import RagNote
from mtr.rag.summary import ArmResults
from mtr.storage import check_can_be_made, json_line, replace_lines, replace_text, write_records

NOTE, SUMMARY = "rag.json", "summary.json"


def check_rag_folder(folder: Path) -> None:
    """InputError when the folder holds something other than a RAG evaluation."""
    check_can_be_made(folder, "the evaluation")
    if folder.exists() and any(folder.iterdir()) and not (folder / NOTE).is_file():
        raise InputError(
            f"{folder} is not empty and holds no RAG evaluation of MTR's; name another folder, or empty it"
        )


def write_rag(folder: Path, results: Sequence[ArmResults], summary: RagSummary, note: RagNote) -> None:
    """Write every file, each whole or not at all; rag.json last."""
    write_records(folder / "answers.jsonl", (one for arm in results for one in arm.answers))
    replace_lines(folder / "verdicts.jsonl", _verdicts(results))
    write_records(folder / "per_turn.jsonl", (one for arm in results for one in arm.turns))
    replace_text(folder / SUMMARY, summary.model_dump_json(indent=2) + "\n")
    replace_text(folder / "report.md", rag_markdown(summary))
    replace_text(folder / "report.html", rag_html(summary))
    replace_text(folder / NOTE, note.model_dump_json(indent=2) + "\n")


def _verdicts(results: Sequence[ArmResults]) -> Iterator[str]:
    for arm in results:
        for turn in arm.judged:
            for verdict in turn.verdicts:
                yield json_line({"system": arm.system, "k": arm.k, **verdict.model_dump(mode="json")})
