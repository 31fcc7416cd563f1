"""Files of formats that no text editor writes, and what became of a file that was loaded."""

from collections.abc import Sequence
from pathlib import Path

import docx
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from mtr.corpus.documents import load_documents
from mtr.records import Document


def only(path: Path, **columns: str) -> Document:
    """The one document of a path, nothing skipped."""
    loaded = load_documents([path], **columns)
    assert loaded.skipped == ()
    (document,) = loaded.documents
    return document


def reasons(path: Path, **columns: str) -> dict[str, str]:
    """Why each skipped source was skipped."""
    return {skipped.source: skipped.reason for skipped in load_documents([path], **columns).skipped}


def write_pdf(path: Path, pages: Sequence[str], *, title: str = "", password: str | None = None) -> Path:
    """A PDF with one line a page; a page without text has a drawing on it, like a scan."""
    lock = StandardEncryption(password) if password else None
    canvas = Canvas(str(path), encrypt=lock, invariant=True)
    canvas.setTitle(title)
    for page in pages:
        if page:
            canvas.drawString(72, 700, page)
        else:
            canvas.rect(72, 72, 200, 200, fill=1)
        canvas.showPage()
    canvas.save()
    return path


def write_docx(path: Path) -> Path:
    """A Word file with a title, headings, a list and a table."""
    word = docx.Document()
    word.add_heading("Travel rules", level=0)
    word.add_paragraph("Book early.")
    word.add_heading("Hotels", level=2)
    for item in ("cheap", "near"):
        word.add_paragraph(item, style="List Bullet")
    table = word.add_table(rows=2, cols=2)
    for row, cells in zip(table.rows, (("City", "Limit"), ("Rome", "90")), strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    word.add_paragraph("The end.")
    word.save(str(path))
    return path
