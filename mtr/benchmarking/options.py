"""What a user asks of `mtr bench`, on the command line or in a TOML file."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, ValidationError

from mtr.errors import InputError
from mtr.records import Record
from mtr.retrieval.queries import MOST_TOKENS

K = 100


class BenchOptions(Record):
    """Everything a user chooses that shapes a benchmark's result. Without `metrics` the usual five are taken."""

    retrievers: tuple[str, ...] = Field(default=("bm25",), min_length=1)
    queries: tuple[str, ...] = Field(default=("last_turn",), min_length=1)
    rerank: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    k: int = Field(default=K, ge=1)
    query_tokens: int = Field(default=MOST_TOKENS, ge=1)
    sample: int | None = Field(default=None, ge=1, description="judged turns drawn by seed; all of them without it")
    seed: int = 7
    domain: str = ""


class BenchFile(BenchOptions):
    """A TOML file: the options, and what they are about."""

    dataset: Path | None = None
    format: str | None = None
    out: Path | None = None


def read_bench_file(path: Path) -> BenchFile:
    """The file; InputError names what is wrong in it. Paths in it count from the folder of the file."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: cannot be read as TOML: {error}") from error
    try:
        file = BenchFile.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    found = {name: path.parent / place for name in ("dataset", "out") if (place := getattr(file, name)) is not None}
    return file.model_copy(update=found)


def checked_options(file: BenchFile | None, given: Mapping[str, object]) -> BenchOptions:
    """The file's options, those `given` on the command line before them; None and empty ones were not given."""
    before = file.model_dump(include=set(BenchOptions.model_fields)) if file else {}
    said = {name: value for name, value in given.items() if value not in (None, "", (), [])}
    try:
        options = BenchOptions.model_validate({**before, **said})
    except ValidationError as error:
        first = error.errors()[0]
        name = "--" + str(first["loc"][0]).replace("_", "-")
        raise InputError(f"{name} {first['input']}: {first['msg']}") from error
    for name in ("retrievers", "queries", "rerank"):
        values: tuple[str, ...] = getattr(options, name)
        if twice := sorted({value for value in values if values.count(value) > 1}):
            raise InputError(f"{twice[0]} is named twice under {name}; name it once")
    return options
