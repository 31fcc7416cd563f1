"""One reader a file format: from a file to drafts of documents, which `mtr.corpus.documents` names and titles."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from mtr.corpus.readers import docx, html, pdf, rows, text
from mtr.corpus.readers.draft import Columns, Draft, NotReadError, Skipped

Reader = Callable[[Path, Columns], Iterator[Draft | Skipped]]

READERS: Mapping[str, Reader] = {
    ".txt": text.read_text,
    ".md": text.read_text,
    ".html": html.read_html,
    ".htm": html.read_html,
    ".pdf": pdf.read_pdf,
    ".docx": docx.read_docx,
    ".jsonl": rows.read_jsonl,
    ".csv": rows.read_csv,
}

__all__ = ["READERS", "Columns", "Draft", "NotReadError", "Reader", "Skipped"]
