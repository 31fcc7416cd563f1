"""Columns of TREC's files: written plain or gzipped, split and joined by white space."""

import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from mtr.errors import InputError
from mtr.storage import replace_bytes


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines, gzipped where the name ends in `.gz`; the same lines always give the same bytes."""
    encoded = (line.encode("utf-8") for line in lines)
    replace_bytes(path, _packed(encoded) if path.name.endswith(".gz") else encoded)


def _packed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=31)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


def one_column(text: str, what: str) -> str:
    """The text, which must fit in one column of a TREC file; InputError when it is empty or holds white space."""
    if text.split() != [text]:
        raise InputError(f"{what} {text!r} is empty or holds white space, which TREC files cannot: rename it")
    return text
