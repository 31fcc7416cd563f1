"""Reads files a second time, row by row with line numbers: what an adapter would refuse or drop is kept to be told."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from mtr.datasets.foreign import text_lines
from mtr.datasets.lint.material import Material
from mtr.datasets.lint.rows import PassageRow, Place, QrelRow, QueryRow, RowFault
from mtr.datasets.lint.text_keys import text_key
from mtr.errors import InputError

_QREL_CELLS = 3
_WHOLE = re.compile(r"[+-]?\d+\.0*")


def add_passages(material: Material, path: Path) -> None:
    """The rows of a corpus in JSON lines: `_id` (or `id`) and `text` (or `contents`)."""
    for place, row in _objects(material, path):
        identifier = _identifier(material, place, row)
        text = _text(material, place, row, "text" if "text" in row else "contents")
        if identifier is not None and text is not None:
            material.passages.append(PassageRow(place, identifier, text_key(text)))


def add_queries(material: Material, path: Path, part: str, prefix: str = "") -> None:
    """The rows of a file of queries; `prefix` is what each line of a text begins with and is left out."""
    for place, row in _objects(material, path):
        identifier, text = _identifier(material, place, row), _text(material, place, row, "text")
        if identifier is not None and text is not None:
            material.queries.append(QueryRow(place, part, identifier, text_key(text.removeprefix(prefix))))


def add_qrels(material: Material, path: Path) -> None:
    """The rows of a tab-separated file; a first row whose grade is no number is its header."""
    for place, line in _lines(material, path):
        cells = _cells(line)
        if len(cells) != _QREL_CELLS:
            message = f"{line[:80]!r} is no judgement; query-id, corpus-id and score are expected, with tabs between"
            material.faults.append(RowFault(place, cells[0], message))
        elif (grade := _grade(cells[2])) is not None:
            material.qrels.append(QrelRow(place, cells[0], cells[1], grade))
        elif place.line != 1:
            material.faults.append(RowFault(place, cells[0], f"the score {cells[2]!r} is not a whole number"))


def _cells(line: str) -> list[str]:
    """Between tabs, as BEIR has it, blanks kept; else TREC's four columns without the second."""
    cells = line.split("\t")
    if len(cells) == _QREL_CELLS:
        return cells
    columns = line.split()
    return [columns[0], *columns[2:]] if len(columns) == _QREL_CELLS + 1 else columns


def _grade(text: str) -> int | None:
    """A whole number; `1.0` is one."""
    try:
        return int(text)
    except ValueError:
        return int(float(text)) if _WHOLE.fullmatch(text.strip()) else None


def _lines(material: Material, path: Path) -> Iterator[tuple[Place, str]]:
    """Lines up to the first byte that cannot be read, which is a fault of the file."""
    try:
        for number, line in text_lines(path):
            yield Place(str(path), number), line
    except InputError as error:
        material.faults.append(RowFault(Place(str(path)), "", f"{error}; the rest was not read"))


def _objects(material: Material, path: Path) -> Iterator[tuple[Place, dict[str, object]]]:
    for place, line in _lines(material, path):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            material.faults.append(RowFault(place, "", f"not JSON: {error}"))
            continue
        if isinstance(row, dict):
            yield place, row
        else:
            material.faults.append(RowFault(place, "", f"a JSON object is expected, this is a {type(row).__name__}"))


def _identifier(material: Material, place: Place, row: dict[str, object]) -> str | None:
    """The id as text; a number is told, and taken as its digits."""
    value = row.get("_id", row.get("id"))
    if isinstance(value, str) and value:
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        message = f"the id {value!r} is a number; qrels hold text, and tools that do not convert it find no match"
        material.faults.append(RowFault(place, str(value), message, id_only=True))
        return str(value)
    material.faults.append(RowFault(place, "", f"_id is {value!r}; a text that is not empty is expected"))
    return None


def _text(material: Material, place: Place, row: dict[str, object], field: str) -> str | None:
    value = row.get(field)
    if isinstance(value, str):
        return value
    material.faults.append(RowFault(place, "", f"{field} is {value!r}; a text is expected"))
    return None
