"""Query strategies that ask nobody: the turn as typed, what was said before it, the set's own standalone query."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mtr.datasets.records import AnyTurn
from mtr.errors import InputError
from mtr.llm.tokens import count_tokens
from mtr.retrieval.protocols import Queries

MOST_TOKENS = 512
"""What an embedding model commonly reads; a longer query loses its beginning, never the user's last words."""

_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class TurnStrategy:
    """A strategy that looks at one turn at a time; None says that the turn has no such query."""

    name: str
    query_of: Callable[[AnyTurn], str | None]

    async def queries(self, turns: Sequence[AnyTurn]) -> Queries:
        """By query_id, turns without a query left out. InputError: no turn has one."""
        found = {turn.query_id: text for turn in turns if (text := self.query_of(turn)) is not None}
        if not found and turns:
            raise InputError(f"--query {self.name}: no turn of the data set has such a query; leave the strategy out")
        return Queries(found)


def last_turn(turn: AnyTurn, most: int = MOST_TOKENS) -> str:
    """What the user typed last."""
    return cut_left(turn.query, most)


def standalone(turn: AnyTurn, most: int = MOST_TOKENS) -> str | None:
    """The set's own standalone query."""
    return None if turn.standalone_query is None else cut_left(turn.standalone_query, most)


def all_queries(turn: AnyTurn, most: int = MOST_TOKENS) -> str:
    """All that the user has said, a line each, the last query last."""
    return cut_left("\n".join([*(said.text for said in turn.history if said.speaker == "user"), turn.query]), most)


def with_history(turn: AnyTurn, turns: int | None = None, most: int = MOST_TOKENS) -> str:
    """The query after what both said in the last `turns` turns before it, all of them for None."""
    return cut_left("\n".join([*(said.text for said in turn.history[_start(turn, turns) :]), turn.query]), most)


def cut_left(text: str, most: int) -> str:
    """The end of the text, from a word on, with at most so many tokens; never less than its last word."""
    if len(text.encode()) <= most or count_tokens(text) <= most:
        return text
    starts = [match.start() for match in _WORD.finditer(text)]
    low, high = 0, max(len(starts) - 1, 0)
    while low < high:
        middle = (low + high) // 2
        if count_tokens(text[starts[middle] :]) <= most:
            high = middle
        else:
            low = middle + 1
    return text[starts[low] :] if starts else text


def _start(turn: AnyTurn, turns: int | None) -> int:
    """Where the last `turns` turns of the history begin: each with a message of the user."""
    if turns is None:
        return 0
    users = [place for place, said in enumerate(turn.history) if said.speaker == "user"]
    return 0 if turns > len(users) else [*users, len(turn.history)][len(users) - turns]
