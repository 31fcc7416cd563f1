"""The data card of a converted data set: what it is, what it holds, what it lacks, how it was made."""

from collections.abc import Iterator

from mtr.datasets.converted import ConvertedNote
from mtr.datasets.counting import count, count_rows
from mtr.datasets.records import Dataset

_ABOUT = {
    "standalone_queries.jsonl": "the same queries, self-contained",
    "queries.jsonl": "each query as typed",
    ".tsv": "gold, with the source's own grade",
    "turns.jsonl": "each turn whole: history, query, answer, gold and all else the source says",
    "dataset.json": "what this card says, for programs",
    "README.md": "this card",
    "_lastturn.jsonl": "the query of the turn alone",
    "_rewrite.jsonl": "the standalone query",
    "_questions.jsonl": "all queries up to the turn",
    ".jsonl": "passages, as BEIR has them",
}
"""By the end of a file's name; the first that fits."""


def card(dataset: Dataset, note: ConvertedNote) -> str:
    """The card in Markdown."""
    return "\n".join([*_head(dataset), *_counts(dataset), *_lacks(dataset, note), *_made(note)]) + "\n"


def _head(dataset: Dataset) -> Iterator[str]:
    yield f"# {_line(dataset.name)}"
    yield ""
    yield "| | |"
    yield "|---|---|"
    yield f"| source layout | {_cell(dataset.layout)} |"
    yield f"| licence | {_cell(dataset.licence or 'not stated by the source: ask before you share it')} |"
    yield f"| language | {_cell(dataset.language or 'not stated')} |"


def _counts(dataset: Dataset) -> Iterator[str]:
    counts = count(dataset)
    yield from ("", "## What it holds", "", "| what | count |", "|---|---:|")
    yield from (f"| {what} | {number:,} |" for what, number in count_rows(counts))
    yield from ("", "| gold passages of a turn | turns |", "|---:|---:|")
    yield from (f"| {gold} | {turns:,} |" for gold, turns in counts.gold_per_turn.items())


def _lacks(dataset: Dataset, note: ConvertedNote) -> Iterator[str]:
    yield from ("", "## What is missing, and other notes", "")
    without = sum(not turn.gold for turn in dataset.turns)
    if note.written_as == "mtrag":
        yield "- Answers and evidence: retrieval tasks have no place for them."
        if without:
            yield f"- {without:,} turns without gold: retrieval tasks hold the others only."
    yield from (f"- {_line(text)}" for text in dataset.notes)
    if not dataset.notes and note.written_as == "own":
        yield "None: its adapter found nothing to state."


def _made(note: ConvertedNote) -> Iterator[str]:
    yield from ("", "## Files", "")
    yield from (f"- `{name}`: {_about(name)}" for name in note.files)
    if note.command:
        yield from ("", "## How it was made", "", f"    {_line(note.command)}")


def _about(name: str) -> str:
    return next(text for end, text in _ABOUT.items() if name.endswith(end))


def _line(text: str) -> str:
    return " ".join(text.split())


def _cell(text: str) -> str:
    return _line(text).replace("|", "\\|")
