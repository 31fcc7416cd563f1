"""Word files (.docx): headings as `#` lines, lists and tables kept apart.

Docx2txtLoader drops which paragraphs are headings, so python-docx reads them.
"""

import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mtr.corpus.readers.decoding import LARGEST_FILE, read_bytes, unix_lines
from mtr.corpus.readers.draft import BROKEN, Columns, Draft, NotReadError

if TYPE_CHECKING:
    from docx.table import Table
    from docx.text.paragraph import Paragraph

_OLD_FORMAT = b"\xd0\xcf\x11\xe0"


def read_docx(path: Path, _columns: Columns) -> Iterator[Draft]:
    """The one document of a Word file."""
    if read_bytes(path).startswith(_OLD_FORMAT):
        raise NotReadError("an encrypted Word file, or one of the old .doc format; save it as plain .docx first")
    from docx.opc.exceptions import OpcError  # noqa: PLC0415

    try:
        yield _draft(path)
    except (zipfile.BadZipFile, zlib.error, OpcError, SyntaxError, OSError, NotImplementedError, *BROKEN) as error:
        raise NotReadError(f"a damaged Word file: {type(error).__name__}: {error}") from error


def _draft(path: Path) -> Draft:
    import docx  # noqa: PLC0415 - slow to import

    with zipfile.ZipFile(path) as archive:
        unpacked = sum(part.file_size for part in archive.infolist())
    if unpacked > LARGEST_FILE:
        raise NotReadError(f"unpacks to {unpacked} bytes, more than the {LARGEST_FILE} that are read")
    word = docx.Document(str(path))
    blocks = [block for part in word.iter_inner_content() if (block := _block(part))]
    text = "\n\n".join(blocks).replace("\n\n\x00", "\n").replace("\x00", "")
    return Draft(text=unix_lines(text) + "\n", title=word.core_properties.title or "")


def _block(part: "Paragraph | Table") -> str:
    from docx.text.paragraph import Paragraph  # noqa: PLC0415

    return _paragraph(part) if isinstance(part, Paragraph) else _table(part)


def _paragraph(paragraph: "Paragraph") -> str:
    text = paragraph.text.strip()
    if not text:
        return ""
    style = (paragraph.style.name or "").lower() if paragraph.style is not None else ""
    if style == "title" or style.startswith("heading"):
        level = style.removeprefix("heading").strip()
        return f"{'#' * (int(level) if level in '123456' and level else 1)} {' '.join(text.split())}"
    properties = paragraph._p.pPr
    if style.startswith("list") or (properties is not None and properties.numPr is not None):
        return f"\x00- {text}"
    return text


def _table(table: "Table") -> str:
    rows = (" | ".join(" ".join(cell.text.split()) for cell in row.cells) for row in table.rows)
    return "\n".join(f"| {row} |" for row in rows if row.strip(" |"))
