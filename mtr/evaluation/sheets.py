"""CSV files that people open in a spreadsheet: no cell can start a formula, and any way of saving is read.

Written: UTF-8 with a byte-order mark, commas. A cell that a spreadsheet would run gets an apostrophe in front, and
loses it when read back; one that already has it gets a second, so that every text comes back as it was.
Read: UTF-8 with the mark or without, commas, semicolons or tabs; rows may lack their last cells.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from mtr.errors import InputError
from mtr.records import Record
from mtr.storage import replace_text

_RUNS = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_LARGEST_CELL = 1 << 24


class Row(Record):
    """A row by column; `line` is where it begins in the file, counted from 1."""

    line: int
    cells: Mapping[str, str]


class Sheet(Record):
    """A file with its headings; blank rows are left out."""

    headings: tuple[str, ...]
    rows: tuple[Row, ...]


def guarded(text: str) -> str:
    """The text as a cell that no spreadsheet runs."""
    return f"'{text}" if _RUNS.match(text) else text


def unguarded(cell: str) -> str:
    """What `guarded` was given."""
    return cell[1:] if cell.startswith("'") and _RUNS.match(cell) else cell


def write_sheet(path: Path, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write the file whole or not at all."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([guarded(cell) for cell in row] for row in (headings, *rows))
    replace_text(path, "\ufeff" + text.getvalue())


def read_sheet(path: Path) -> Sheet:
    """The rows of a CSV file. InputError names the line: no header, a heading twice, too many cells, not CSV."""
    text = _text(path)
    numbered = _numbered(path, text)
    line, cells = next(numbered, (1, []))
    headings = tuple(unguarded(cell).strip() for cell in cells)
    named = [heading for heading in headings if heading]
    if not named:
        raise InputError(f"{path}:{line}: the first row has no headings; name the columns there")
    if twice := sorted({heading for heading in named if named.count(heading) > 1}):
        raise InputError(f"{path}:{line}: column {twice[0]!r} stands twice; keep one")
    return Sheet(headings=headings, rows=tuple(_row(path, headings, *one) for one in numbered))


def _row(path: Path, headings: Sequence[str], line: int, cells: Sequence[str]) -> Row:
    if any(cells[len(headings) :]):
        raise InputError(
            f"{path}:{line}: more cells than the {len(headings)} columns; quote cells that hold the separator"
        )
    filled = [*cells, *[""] * (len(headings) - len(cells))]
    return Row(line=line, cells={h: unguarded(cell) for h, cell in zip(headings, filled, strict=False) if h})


def _numbered(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that hold something, with the line each begins at."""
    csv.field_size_limit(max(csv.field_size_limit(), _LARGEST_CELL))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    begin = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield begin, cells
            begin = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}:{begin}: not CSV ({error}); save the sheet as CSV again") from error


def _separator(text: str) -> str:
    """The one that splits the header into most cells; quoted ones do not count."""
    header = re.sub(r'"[^"]*"', "", text.lstrip("\r\n").split("\n", 1)[0])
    return max(",;\t", key=header.count)


def _text(path: Path) -> str:
    if not path.is_file():
        raise InputError(f"{path} does not exist or is not a file")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f'{path}:{line}: not UTF-8; save the sheet as "CSV UTF-8"') from error
