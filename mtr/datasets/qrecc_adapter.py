"""QReCC, also as SCAI-QReCC-21 cut it: queries of QuAC, NQ and CAsT, rewritten, over the web. CC BY-SA 3.0.

*.json, *.jsonl  a list, or lines: {"Conversation_no", "Turn_no", "Question", "Truth_rewrite", "Truth_answer",
                 "Truth_passages": ["<url>_p<n>"]}; older releases have "Rewrite", "Answer", "Context" and
                 "Conversation_source"

The parts of a turn lie in several files (queries here, ground truth there): the path is one file or a folder, whose
files are joined by conversation and turn. `[]` and `""` both mean "none". A turn of which only the ground truth is
there has a blank query; nothing is put in its place. Without `Context` the history is made of the turns before. About
half of the turns have gold. The collection of 54 million web passages is not part of it: passages come from a BEIR or
Pyserini `corpus.jsonl` beside, or there are none. Files of runs ("Model_answer") are passed over.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from mtr.datasets.foreign import find_file, find_files, read_rows
from mtr.datasets.gathering import Passages, gather, read_corpus
from mtr.datasets.numbered import Numbered, NumberedRow
from mtr.datasets.records import AnyTurn, Dataset, Gold, Said
from mtr.datasets.said_before import answer_of, says_no_answer

LAYOUT = "qrecc"
LICENCE = "CC BY-SA 3.0"


def _none_is_empty(value: object) -> object:
    return () if value is None or value == "" else value


class _Row(NumberedRow):
    truth_rewrite: str | None = Field(alias="Truth_rewrite", default=None)
    rewrite: str | None = Field(alias="Rewrite", default=None)
    truth_answer: str | None = Field(alias="Truth_answer", default=None)
    answer: str | None = Field(alias="Answer", default=None)
    passages: Annotated[tuple[str, ...], BeforeValidator(_none_is_empty)] | None = Field(
        alias="Truth_passages", default=None
    )
    source: str | None = Field(alias="Conversation_source", default=None)

    def said(self) -> str | None:
        return self.truth_answer or self.answer

    def tells(self) -> bool:
        """Whether the row is of the data set, not of somebody's run."""
        return any(value is not None for name, value in self if name not in {"conversation", "turn"})

    def joined(self, other: "_Row") -> "_Row":
        """This row with what only the other one has."""
        return self.model_copy(update={name: value for name, value in other if getattr(self, name) is None})


def load(path: Path) -> Dataset:
    """The data set in the file or folder `path`."""
    folder = path.parent if path.is_file() else path
    corpus = find_file(folder, "corpus.jsonl")
    joined, passed = _read(_files(path))
    passages = Passages()
    notes: list[str] = []
    if corpus:
        read_corpus(corpus, passages)
    else:
        notes.append(f"no passages: {folder}/corpus.jsonl is not there")
    if passed:
        notes.append(f"{passed} rows are of a run, or empty; they are left out")
    numbered = Numbered(joined.values())
    notes += numbered.notes()
    unjudged = sum(row.passages is None for row in joined.values())
    if unjudged:
        notes.append(f"{unjudged} of {len(joined)} turns come without Truth_passages, so nobody looked for their gold")
    turns = (_turn(row, history) for row, history in numbered.rows())
    return gather(path, LAYOUT, passages, turns, notes=notes, licence=LICENCE, language="en")


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    for pattern in () if path.is_file() else ("*.json", "*.jsonl"):
        yield from (file for file in find_files(path, pattern) if not file.name.startswith("corpus."))


def _read(files: Iterator[Path]) -> tuple[dict[str, _Row], int]:
    """The rows joined by query id, and the number of rows that are no part of the data set."""
    joined: dict[str, _Row] = {}
    passed = 0
    for file in files:
        for _, row in read_rows(file, _Row):
            if not row.tells():
                passed += 1
            else:
                known = joined.get(row.query_id)
                joined[row.query_id] = known.joined(row) if known else row
    return joined, passed


def _turn(row: _Row, history: tuple[Said, ...]) -> AnyTurn:
    said = row.said()
    return AnyTurn(
        query_id=row.query_id,
        conversation_id=row.conversation,
        turn=row.turn,
        query=row.query or "",
        history=history,
        standalone_query=row.truth_rewrite or row.rewrite or None,
        answer=answer_of(said),
        gold=tuple(Gold(passage_id=passage_id) for passage_id in dict.fromkeys(row.passages or ())),
        subset=row.source or "",
        answerable=False if says_no_answer(said) else None,
    )
