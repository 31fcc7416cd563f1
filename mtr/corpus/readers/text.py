"""Plain text and Markdown, as they are written. TextLoader would not say which encoding it took."""

from collections.abc import Iterator
from pathlib import Path

from mtr.corpus.readers.decoding import decode, read_bytes
from mtr.corpus.readers.draft import Columns, Draft


def read_text(path: Path, _columns: Columns) -> Iterator[Draft]:
    """The one document of a text file."""
    decoded = decode(read_bytes(path))
    yield Draft(text=decoded.text, encoding=decoded.encoding)
