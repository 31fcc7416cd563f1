"""JSON lines and CSV: one document a row, its text in a column that the user names.

langchain-community's JSONLoader needs jq and its CSVLoader runs all columns into one text, so both are read here.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from mtr.corpus.readers.decoding import LARGEST_FILE, decode, detect_encoding, read_bytes, unix_lines
from mtr.corpus.readers.draft import Columns, Draft, NotReadError, Skipped
from mtr.errors import InputError

_HEAD = 262_144


def read_jsonl(path: Path, columns: Columns) -> Iterator[Draft | Skipped]:
    """The documents of a JSON-lines file; a bad line is skipped with its number, the rest is read.

    A text column that the first object lacks is an InputError.
    """
    checked = False
    for number, line, encoding in _lines(path):
        place = f"{path}:{number}"
        if isinstance(line, NotReadError):
            yield Skipped(source=place, reason=str(line))
            continue
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield Skipped(source=place, reason=f"not JSON: {error}")
            continue
        if not isinstance(row, dict):
            yield Skipped(source=place, reason=f"a JSON object is expected, this is a {type(row).__name__}")
            continue
        if not checked:
            require_columns(path, number, list(row), columns)
            checked = True
        yield draft_of_row(place, number, row, columns, encoding)


def _lines(path: Path) -> Iterator[tuple[int, str | NotReadError, str]]:
    """Line number, line, encoding. Streamed, so that a file may be larger than memory."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head:
        raise NotReadError("empty file")
    encoding = detect_encoding(head)
    if encoding.startswith(("utf-16", "utf-32")):
        decoded = decode(read_bytes(path))
        for number, line in enumerate(decoded.text.split("\n"), 1):
            yield number, line, decoded.encoding
        return
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            try:
                yield number, raw.decode("utf-8-sig" if number == 1 and encoding == "utf-8-sig" else encoding), encoding
            except UnicodeDecodeError as error:
                yield number, NotReadError(f"cannot be read as {encoding}: {error.reason}"), encoding


def require_columns(path: Path, number: int, present: list[str], columns: Columns) -> None:
    """Refuse a file without the columns that were asked for, naming those it has."""
    for option, name in (("text", columns.text), ("id", columns.record_id)):
        if name is not None and name not in present:
            listed = ", ".join(map(repr, present)) or "none"
            raise InputError(f"{path}:{number}: there is no {option} column {name!r}; columns here: {listed}")


def draft_of_row(
    place: str, number: int, row: Mapping[str, object], columns: Columns, encoding: str
) -> Draft | Skipped:
    """The document of one row, or why it has none."""
    text, title = row.get(columns.text), row.get(columns.title)
    if text is None or not isinstance(text, str):
        told = "has no text" if text is None else f"is not text but a {type(text).__name__}"
        return Skipped(source=place, reason=f"column {columns.text!r} {told}")
    record_id = row.get(columns.record_id) if columns.record_id else None
    if columns.record_id and (not isinstance(record_id, str | int | float) or not str(record_id).strip()):
        return Skipped(source=place, reason=f"column {columns.record_id!r} holds no id")
    return Draft(
        text=unix_lines(_whole(text)),
        title=_whole(title) if isinstance(title, str) else "",
        encoding=encoding,
        row=number,
        record_id=None if record_id is None else _whole(str(record_id)),
    )


def _whole(text: str) -> str:
    """JSON can spell half of a surrogate pair, which no file can hold: it becomes U+FFFD."""
    return text.encode("utf-8", "replace").decode() if any("\ud800" <= letter <= "\udfff" for letter in text) else text


def read_csv(path: Path, columns: Columns) -> Iterator[Draft | Skipped]:
    """The documents of a CSV file with a header; comma, semicolon, tab or bar, whichever the header has most of."""
    decoded = decode(read_bytes(path))
    header = decoded.text.lstrip("\n").split("\n", 1)[0]
    csv.field_size_limit(LARGEST_FILE)
    table = csv.reader(io.StringIO(decoded.text, newline=""), delimiter=max(",;\t|", key=header.count))
    names: list[str] = []
    try:
        for cells in table:
            if not names:
                names = [cell.strip() for cell in cells]
                if names:
                    require_columns(path, table.line_num, names, columns)
            elif cells:
                row: dict[str, object] = dict(zip(names, cells, strict=False))
                yield draft_of_row(f"{path}:{table.line_num}", table.line_num, row, columns, decoded.encoding)
    except csv.Error as error:
        yield Skipped(source=f"{path}:{table.line_num}", reason=f"not CSV from here on: {error}")
