"""A converted data set: a BEIR folder, and beside it all that a foreign set says, read back without loss.

Foreign sets lack what our conversations must have (evidence, moves, often answers and gold), so each turn is a line of
`turns.jsonl` as `AnyTurn` has it, where our own sets have conversations.jsonl.

corpus.jsonl              {"_id", "title", "text", "metadata": {"doc_id", "heading", "subset"}}
queries.jsonl             {"_id": query id, "text": query as typed}
standalone_queries.jsonl  the same for the turns that have one; absent where none has
qrels/test.tsv            query-id, corpus-id, score (the source's own grade), under a header
turns.jsonl               an AnyTurn a line
README.md                 the data card
dataset.json              written last: name, layout it came from, language, licence, notes, the command, the files
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from mtr.datasets.records import AnyPassage, AnyTurn, Dataset
from mtr.datasets.staging import is_staged
from mtr.errors import InputError
from mtr.records import Record
from mtr.storage import json_line, numbered_records

MARK = "dataset.json"
Target = Literal["own", "mtrag"]


class ConvertedNote(Record):
    """dataset.json: what the folder holds and where it came from. `files` are those the conversion wrote."""

    kind: Literal["mtr converted data set"] = "mtr converted data set"
    written_as: Target
    name: str
    layout: str
    language: str | None
    licence: str | None
    notes: tuple[str, ...]
    command: str
    files: tuple[str, ...]


class _Metadata(Record):
    doc_id: str = ""
    heading: str = ""
    subset: str = ""


class _Line(Record):
    passage_id: str = Field(alias="_id")
    title: str
    text: str
    metadata: _Metadata


def passage_line(passage: AnyPassage) -> str:
    """A line of corpus.jsonl; what BEIR has no field for is metadata."""
    about = _Metadata(doc_id=passage.document_id, heading=passage.heading, subset=passage.subset)
    return json_line(
        {"_id": passage.passage_id, "title": passage.title, "text": passage.text, "metadata": about.model_dump()}
    )


def is_converted(folder: Path) -> bool:
    """Whether `mtr datasets convert` wrote the folder, in our layout."""
    return (folder / MARK).is_file() and (folder / "turns.jsonl").is_file()


def read_note(folder: Path) -> ConvertedNote:
    """dataset.json of a folder; InputError names what is wrong with it."""
    path = folder / MARK
    if not path.is_file():
        raise InputError(
            f"{path} does not exist; {folder} is no converted data set (make one with `mtr datasets convert`)"
        )
    try:
        return ConvertedNote.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "file"
        raise InputError(f"{path}: {field}: {first['msg']}; did `mtr datasets convert` write this file?") from error


def load(path: Path) -> Dataset:
    """The data set exactly as it was before it was converted; InputError names the file and line that is wrong."""
    if is_staged(path):
        raise InputError(f"{path} was not written to its end; run its `mtr datasets convert` command again")
    note = read_note(path)
    if note.written_as != "own":
        raise InputError(f"{path} holds mtRAG's tasks, which say less than the set had; read it with --format mtrag")
    return Dataset(
        name=note.name,
        layout=note.layout,
        passages={passage.passage_id: passage for passage in _passages(path / "corpus.jsonl")},
        turns=tuple(turn for _, turn in numbered_records(path / "turns.jsonl", AnyTurn)),
        language=note.language,
        licence=note.licence,
        notes=note.notes,
    )


def _passages(path: Path) -> Iterator[AnyPassage]:
    seen: set[str] = set()
    for number, line in numbered_records(path, _Line):
        if line.passage_id in seen:
            raise InputError(f"{path}:{number}: _id: {line.passage_id!r} stands twice; passage ids are unique")
        seen.add(line.passage_id)
        yield AnyPassage(
            passage_id=line.passage_id,
            title=line.title,
            heading=line.metadata.heading,
            text=line.text,
            document_id=line.metadata.doc_id,
            subset=line.metadata.subset,
        )
