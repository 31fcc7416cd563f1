"""What lint reports, and what a rule is: a name, how bad it is, and a function that finds it."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from mtr.datasets.lint.material import Material
from mtr.datasets.lint.rows import Place
from mtr.records import Record

Severity = Literal["error", "warning", "note"]


class Finding(Record):
    """One fault and its place; `line` is None where the layout has no lines of its own, `id` names the item then."""

    rule: str
    severity: Severity
    file: str
    line: int | None = None
    id: str = ""
    message: str

    def place(self) -> str:
        """`file:line`, or the file alone."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


class Hit(NamedTuple):
    """A finding before it has a name: what a rule's function yields."""

    place: Place
    id: str
    message: str


class Rule(NamedTuple):
    """`about` says in one line what the rule finds; `find` reads the material once, in linear time."""

    name: str
    severity: Severity
    about: str
    find: Callable[[Material], Iterator[Hit]]
