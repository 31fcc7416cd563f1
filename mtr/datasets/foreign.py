"""Foreign files, plain or gzipped, JSON or JSON lines: each line and field that is wrong is named."""

import gzip
import json
import zlib
from collections.abc import Hashable, Iterator
from functools import cache
from pathlib import Path
from typing import IO, Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from mtr.errors import InputError

R = TypeVar("R")
GZIP = b"\x1f\x8b"


class Foreign(BaseModel):
    """A line or object of somebody else's: fields we do not use are passed over, an id may be a number."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)


def find_file(folder: Path, *patterns: str) -> Path | None:
    """The first file, plain or gzipped, that fits the first pattern that fits any; patterns are those of `glob`."""
    return next((path for pattern in patterns for path in find_files(folder, pattern)), None)


def find_files(folder: Path, pattern: str) -> list[Path]:
    """The files that fit, plain or gzipped, sorted by name."""
    return sorted({path for end in ("", ".gz") for path in folder.glob(pattern + end) if path.is_file()})


def need_file(folder: Path, *patterns: str) -> Path:
    """Like `find_file`; InputError says which file the layout asks for."""
    path = find_file(folder, *patterns)
    if path is None:
        wanted = " or ".join(patterns)
        raise InputError(f"{folder} has no {wanted} (plain or .gz); name the folder that holds it, or another --format")
    return path


def stem(path: Path) -> str:
    """The file's name without its ends: `clapnq` of `clapnq.jsonl.gz`."""
    return path.name.split(".")[0]


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a text file with their numbers, from 1, without line ends; blank lines are passed over."""
    number = 0
    try:
        with _open(path) as file:
            for number, line in enumerate(file, 1):
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                if text.strip():
                    yield number, text
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise _unreadable(f"{path}:{number + (not isinstance(error, UnicodeDecodeError))}", error) from error


def read_json(path: Path, kind: type[R]) -> R:
    """A whole JSON file as one value; a field that is wrong is named by its path, such as `data.0.title`."""
    try:
        with _open(path) as file:
            content = file.read().removeprefix(b"\xef\xbb\xbf")
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(str(path), error) from error
    return parse(content, kind, str(path))


def read_lines(path: Path, kind: type[R]) -> Iterator[tuple[int, R]]:
    """The values of a JSON-lines file with their line numbers."""
    for number, line in text_lines(path):
        yield number, parse(line, kind, f"{path}:{number}")


def read_rows(path: Path, kind: type[R]) -> Iterator[tuple[str, R]]:
    """The rows of a file that is either a JSON list or JSON lines, each with where it stands: `file:line` or `file[3]`.

    Both are found in the wild under either ending, so the first character decides.
    """
    if first_character(path) == "[":
        for place, row in enumerate(read_json(path, list[object])):
            yield f"{path}[{place}]", checked(row, kind, f"{path}[{place}]")
    else:
        for number, row in read_lines(path, kind):
            yield f"{path}:{number}", row


def first_character(path: Path) -> str:
    """The first character that is no white space, or nothing in a blank file."""
    return next((line.lstrip()[0] for _, line in text_lines(path)), "")


def parse(text: str | bytes, kind: type[R], where: str) -> R:
    """A value from JSON; InputError names the place, the field and what belongs there."""
    try:
        return cast(R, _adapter(cast(Hashable, kind)).validate_json(text))
    except ValidationError as error:
        raise wrong_field(error, where) from error


def checked(value: object, kind: type[R], where: str) -> R:
    """Like `parse`, for a value that was JSON before."""
    try:
        return cast(R, _adapter(cast(Hashable, kind)).validate_python(value))
    except ValidationError as error:
        raise wrong_field(error, where) from error


def wrong_field(error: ValidationError, where: str) -> InputError:
    """The first thing pydantic found wrong, as an error of ours."""
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"]) or "line"
    return InputError(f"{where}: {field}: {first['msg']}; mend the file, or name its layout with --format")


def peek(path: Path) -> object:
    """The first line or, where that is no JSON by itself, the whole file as JSON; None when it is neither."""
    try:
        first = next((line for _, line in text_lines(path)), "")
        return json.loads(first)
    except ValueError:
        pass
    try:
        with _open(path) as file:
            return json.loads(file.read())
    except (ValueError, OSError, EOFError, zlib.error):
        return None


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _open(path: Path) -> IO[bytes]:
    """Opened by content, not by name: a file called .gz may be plain and the other way round."""
    if not path.is_file():
        raise InputError(f"{path} does not exist or is not a file")
    with path.open("rb") as file:
        packed = file.read(2) == GZIP
    return cast(IO[bytes], gzip.open(path, "rb")) if packed else path.open("rb")


def _unreadable(where: str, error: Exception) -> InputError:
    if isinstance(error, UnicodeDecodeError):
        return InputError(f"{where}: byte {error.start} is not UTF-8; convert the file to UTF-8")
    return InputError(f"{where}: cannot be read ({error}); fetch the file again")
