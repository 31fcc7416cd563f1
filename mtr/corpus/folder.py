"""Replacing a corpus folder whole: written beside it, then swapped in by renaming.

corpora/NAME          the corpus
corpora/.NAME.new     being written; worth nothing
corpora/.NAME.old     the one before, for the instant between two renames
corpora/.NAME.lock    who builds
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mtr.errors import InputError
from mtr.locks import locked


@contextmanager
def build_lock(folder: Path) -> Iterator[None]:
    """Hold the corpus against other builds; InputError names the process that has it."""
    path = _beside(folder, "lock")
    with locked(path, f"the corpus {folder.name!r} is being built by process {_holder(path)}; wait for it, or stop it"):
        with _write_errors(folder):
            path.write_text(str(os.getpid()), encoding="utf-8")
            settle(folder)
        yield


@contextmanager
def replaced(folder: Path) -> Iterator[Path]:
    """A folder to write the next corpus in; it takes the corpus's place when the block ends without an error."""
    fresh, old = _beside(folder, "new"), _beside(folder, "old")
    try:
        with _write_errors(folder):
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(parents=True)
            yield fresh
            shutil.rmtree(old, ignore_errors=True)
            if folder.exists():
                folder.rename(old)
            fresh.rename(folder)
            _sync(folder.parent)
            shutil.rmtree(old, ignore_errors=True)
    finally:
        settle(folder)
        shutil.rmtree(fresh, ignore_errors=True)


def settle(folder: Path) -> None:
    """Take back a swap that was cut between its two renames."""
    old = _beside(folder, "old")
    if old.is_dir() and not folder.exists():
        old.rename(folder)


def settle_when_free(folder: Path) -> None:
    """`settle`, but never under a build that is at work."""
    if _beside(folder, "old").is_dir() and not folder.exists():
        with build_lock(folder):
            pass


def _beside(folder: Path, kind: str) -> Path:
    return folder.with_name(f".{folder.name}.{kind}")


def _holder(path: Path) -> str:
    """The process that wrote the lock file last."""
    return (path.read_text(encoding="utf-8") if path.is_file() else "") or "?"


@contextmanager
def _write_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"cannot write {error.filename or folder}: {error.strerror}; free space or set MTR_HOME to another folder, "
            f"then build again; the corpus {folder.name!r} is as it was"
        ) from error


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
