"""Passages as lines of BEIR's `corpus.jsonl`, which other tools read: written and read back without loss."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import Field

from mtr.records import Passage, Record, Span
from mtr.storage import json_line, read_records, replace_lines


class _Metadata(Record):
    doc_id: str
    start: int
    end: int
    source: str
    heading: str = ""
    language: str | None = None


class _Line(Record):
    passage_id: str = Field(alias="_id")
    title: str
    text: str
    metadata: _Metadata


def beir_line(passage: Passage) -> str:
    """A passage as BEIR knows it, as one line; what BEIR has no field for is metadata."""
    about = _Metadata(
        doc_id=passage.document_id,
        start=passage.span.start,
        end=passage.span.end,
        source=passage.source,
        heading=passage.heading,
        language=passage.language,
    )
    return json_line(
        {"_id": passage.passage_id, "title": passage.title, "text": passage.text, "metadata": about.model_dump()}
    )


def write_passages(path: Path, passages: Iterable[Passage]) -> None:
    """A line for each passage, in order; the file is replaced whole."""
    replace_lines(path, map(beir_line, passages))


def read_passages(path: Path) -> Iterator[Passage]:
    """The passages of a file that `write_passages` wrote; a bad line is named by file and number."""
    for line in read_records(path, _Line):
        yield Passage(
            passage_id=line.passage_id,
            document_id=line.metadata.doc_id,
            title=line.title,
            heading=line.metadata.heading,
            text=line.text,
            span=Span(start=line.metadata.start, end=line.metadata.end),
            source=line.metadata.source,
            language=line.metadata.language,
        )
