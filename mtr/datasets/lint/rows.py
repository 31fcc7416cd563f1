"""The rows that rules look at: passages, queries and qrels, each with the place it stands at.

`key` is that of `mtr.datasets.lint.text_keys`: None for a blank text.
"""

from typing import NamedTuple


class Place(NamedTuple):
    """Where something stands; `line` counts from 1 and is None where the layout has no line for it."""

    file: str
    line: int | None = None


class PassageRow(NamedTuple):
    """A passage as its file has it; of its text the key is kept, so that a corpus is not in memory twice."""

    place: Place
    passage_id: str
    key: bytes | None


class QueryRow(NamedTuple):
    """A query as its file has it; `part` keeps the same queries in another wording apart."""

    place: Place
    part: str
    query_id: str
    key: bytes | None


class QrelRow(NamedTuple):
    """One judgement; the ids are as written, blanks included."""

    place: Place
    query_id: str
    passage_id: str
    grade: int


class RowFault(NamedTuple):
    """A row that cannot be taken as it is: it is no row at all, or its id is no text."""

    place: Place
    id: str
    message: str
    id_only: bool = False
