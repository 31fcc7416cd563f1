"""Writes a data-set folder whole: every file is staged first and then moved in place, the file that names it last."""

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from mtr.errors import InputError

STAGE = ".writing"


def is_staged(folder: Path) -> bool:
    """Whether writing the folder was cut short."""
    return (folder / STAGE).is_dir()


def write_staged(folder: Path, files: Sequence[str], fill: Callable[[Path], None]) -> None:
    """Let `fill` write `files` into a stage inside `folder`, then move them, in order, the last one being the mark.

    Files of other names are left alone. InputError when the disk refuses.
    """
    stage = folder / STAGE
    try:
        shutil.rmtree(stage, ignore_errors=True)
        for name in files:
            (stage / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        fill(stage)
        for name in files:
            _sync(stage / name)
        for name in files:
            (stage / name).replace(folder / name)
        shutil.rmtree(stage)
    except OSError as error:
        message = f"cannot write {folder}: {error.strerror}; free space or name another folder with --out"
        raise InputError(message) from error


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
