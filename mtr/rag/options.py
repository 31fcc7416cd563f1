"""What a user asks of `mtr rag`."""

import re
from collections.abc import Iterable

from pydantic import Field, ValidationError

from mtr.auditing.options import AuditOptions
from mtr.errors import InputError
from mtr.evaluation.rag_turns import Right
from mtr.records import Record
from mtr.retrieval.queries import MOST_TOKENS

K = 5
_MOST_K = 1_000
_RANGE = re.compile(r"(?P<first>\d+)\.\.(?P<last>\d+)")


class RagOptions(Record):
    """Everything a user chooses that shapes the result. Retrieval options are those of the built-in systems."""

    systems: tuple[str, ...] = Field(min_length=1)
    ks: tuple[int, ...] = (K,)
    retrievers: tuple[str, ...] = Field(default=("bm25",), min_length=1)
    queries: tuple[str, ...] = Field(default=("last_turn",), min_length=1)
    rerank: tuple[str, ...] = ()
    query_tokens: int = Field(default=MOST_TOKENS, ge=1)
    right: Right
    judging: AuditOptions


def checked_rag_options(**values: object) -> RagOptions:
    """The options, or an InputError that names the one out of its range; empty ones were not given."""
    try:
        options = RagOptions.model_validate({name: value for name, value in values.items() if value != ()})
    except ValidationError as error:
        first = error.errors()[0]
        name = "--" + "-".join(str(part).replace("_", "-") for part in first["loc"])
        raise InputError(f"{name}: {first['msg']}") from error
    if strange := [name for name in options.right.by if name not in options.judging.criteria]:
        judged = ", ".join(options.judging.criteria)
        raise InputError(f"--right-by {strange[0]}: answers are judged by {judged} only; add it with --criteria")
    for name in ("systems", "retrievers", "queries", "rerank"):
        _each_once(name, getattr(options, name))
    return options


def parse_ks(text: str) -> tuple[int, ...]:
    """`5`, `1,3,5,10` or `1..10`, also mixed, ascending; InputError for anything else."""
    found: set[int] = set()
    for part in (one.strip() for one in text.split(",")):
        match = _RANGE.fullmatch(part)
        first, last = (match["first"], match["last"]) if match else (part, part)
        if not (first.isdecimal() and last.isdecimal()) or not 1 <= int(first) <= int(last) <= _MOST_K:
            raise InputError(f"--k {text}: write numbers from 1 to {_MOST_K} such as 5, 1,3,5,10 or 1..10")
        found.update(range(int(first), int(last) + 1))
    return tuple(sorted(found))


def _each_once(name: str, values: Iterable[str]) -> None:
    given = list(values)
    if twice := sorted({value for value in given if given.count(value) > 1}):
        raise InputError(f"{twice[0]} is named twice under {name}; name it once")
