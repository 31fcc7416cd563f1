"""Files: where MTR keeps things, JSON lines, and replacing a file whole or not at all."""

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from mtr.errors import InputError

R = TypeVar("R", bound=BaseModel)


def home() -> Path:
    """The folder of corpora, store and ledger: `MTR_HOME`, else `.mtr/` in the current folder."""
    return Path(os.environ.get("MTR_HOME") or ".mtr").absolute()


def as_file_name(name: str, otherwise: str) -> str:
    """The name with what may not stand in a file's replaced by hyphens; `otherwise` where nothing is left."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or otherwise


def check_can_be_made(folder: Path, holder: str) -> None:
    """InputError when there is a file where `folder` or one above it should be, or nothing may be written there.

    To be asked before long work that ends with writing to it; `holder` is what the folder is to hold, as `the audit`.
    """
    nearest = next(one for one in (folder.absolute(), *folder.absolute().parents) if one.exists())
    if not nearest.is_dir():
        raise InputError(f"{nearest} is a file; name a folder for {holder}")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise InputError(f"nothing may be written in {nearest}; name another folder for {holder}")


def replace_text(path: Path, text: str) -> None:
    """Write to a temporary file beside `path`, fsync, and rename over it."""
    replace_lines(path, [text])


def replace_lines(path: Path, pieces: Iterable[str]) -> None:
    """Like `replace_text`, for text that comes in pieces (each with its own line end)."""
    replace_bytes(path, (piece.encode("utf-8") for piece in pieces))


def replace_bytes(path: Path, pieces: Iterable[bytes]) -> None:
    """Like `replace_lines`, for bytes. InputError when the folder cannot be made or the file not be written."""
    name: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}; free space or choose another folder") from error
    finally:
        if name is not None:
            Path(name).unlink(missing_ok=True)


def json_line(value: object) -> str:
    """Compact JSON with a fixed key order and readable letters, one line."""
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": ")) + "\n"


def write_records(path: Path, records: Iterable[BaseModel]) -> None:
    """A JSON line for each record."""
    replace_lines(path, (json_line(record.model_dump(mode="json")) for record in records))


def read_records(path: Path, kind: type[R]) -> Iterator[R]:
    """The records of a JSON-lines file; a bad line is named by file and number."""
    return (record for _, record in numbered_records(path, kind))


def numbered_records(path: Path, kind: type[R]) -> Iterator[tuple[int, R]]:
    """The records of a JSON-lines file with their line numbers, from 1; blank lines are passed over."""
    if not path.is_file():
        raise InputError(f"{path} does not exist or is not a file")
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                record = kind.model_validate_json(line)
            except ValidationError as error:
                first = error.errors()[0]
                field = ".".join(str(part) for part in first["loc"]) or "line"
                raise InputError(f"{path}:{number}: {field}: {first['msg']}") from error
            yield number, record
