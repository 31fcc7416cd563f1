"""The embedded model's weights: what they are and where they lie."""

import os
from pathlib import Path

from mtr.errors import InputError
from mtr.records import Record


class Weights(Record):
    """One model file: its name on disk, its length in bytes, and the hash that decides whether it is the right one."""

    file: str
    bytes: int
    sha256: str
    licence: str


CHAT_WEIGHTS = Weights(
    file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    bytes=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    licence="Apache-2.0",
)


def cache_folder() -> Path:
    """The user's cache of MTR: `$XDG_CACHE_HOME/mtr`, else `~/.cache/mtr`."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "mtr"


def weights_path(weights: Weights = CHAT_WEIGHTS) -> Path:
    """Where the file is looked for: `MTR_MODEL_PATH` if set, else the user's cache."""
    given = os.environ.get("MTR_MODEL_PATH")
    return Path(given).expanduser() if given else cache_folder() / "models" / weights.file


def present_weights(weights: Weights = CHAT_WEIGHTS) -> Path:
    """The path of the file, once it is known to be there and whole in length.

    Raises InputError when it is missing or cut; the hash is not read here because it takes seconds.
    """
    path = weights_path(weights)
    if not path.is_file():
        raise InputError(f"the embedded model's weights are missing: {path}; run `mtr models fetch`")
    if path.stat().st_size != weights.bytes:
        raise InputError(f"{path} has {path.stat().st_size} bytes, not {weights.bytes}; run `mtr models fetch`")
    return path
