"""Ready answers as a system: JSON lines with query_id, answer, and the passages retrieved, by id or text.

{"query_id": "c1::2", "answer": "…", "passages": ["p7", {"id": "p9"}, {"text": "…"}], "k": 5, "refused": false}

Only the first two are needed. Lines with several k are a sweep.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import Field

from mtr.answers import Answered
from mtr.datasets.records import AnyTurn
from mtr.errors import InputError
from mtr.rag.given import Given, KnownPassages, answered_of
from mtr.rag.systems import Ks
from mtr.storage import numbered_records

NO_ANSWER = "the file has no answer to this turn"


class ReadyAnswer(Given):
    """A line of the file."""

    query_id: str = Field(min_length=1)
    k: int | None = Field(default=None, ge=1)
    seconds: float | None = Field(default=None, ge=0)


class AnswersFile:
    """Answers that were made elsewhere. Lines on turns that are not drawn are passed over."""

    models: tuple[str, ...] = ()

    def __init__(self, name: str, path: Path, query_ids: Iterable[str], known: KnownPassages) -> None:
        """`query_ids` are all of the data set. InputError names the line: an unknown turn, or one twice."""
        self.name, self.description = name, f"ready answers of {path.name}"
        self._known, self._lines = known, _read(path, frozenset(query_ids))
        self.key = hashlib.sha256(path.read_bytes()).hexdigest()

    def ks(self, wanted: Sequence[int]) -> Ks:
        """Those of the file that are wanted, and its answers without a k."""
        have = {k for _, k in self._lines}
        return (*((None,) if None in have else ()), *(k for k in wanted if k in have))

    async def answer(self, turn: AnyTurn, k: int | None) -> Answered:
        """The line of this turn and k; an answer that is not there is told."""
        line = self._lines.get((turn.query_id, k))
        if line is None:
            return Answered(system=self.name, k=k, query_id=turn.query_id, fault=NO_ANSWER)
        return answered_of(self.name, turn, k, line, self._known, seconds=line.seconds)


def _read(path: Path, query_ids: frozenset[str]) -> Mapping[tuple[str, int | None], ReadyAnswer]:
    found: dict[tuple[str, int | None], ReadyAnswer] = {}
    for number, line in numbered_records(path, ReadyAnswer):
        if line.query_id not in query_ids:
            raise InputError(
                f"{path}:{number}: query_id: the data set has no turn {line.query_id!r}; is it the right one?"
            )
        if (line.query_id, line.k) in found:
            with_k = "" if line.k is None else f" with k {line.k}"
            raise InputError(
                f"{path}:{number}: query_id: {line.query_id!r}{with_k} is answered twice; leave one line out"
            )
        found[line.query_id, line.k] = line
    if not found:
        raise InputError(f'{path} holds no answer; a line is like {{"query_id": "c1::1", "answer": "text"}}')
    return found
