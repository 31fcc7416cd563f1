"""Strategies and rerankers that ask a model: the asking is handed in, what is done with the replies is here.

A reply that cannot be read is asked for again, as another sample, at most twice. Then the query is left as it was, and
told.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from mtr.datasets.records import AnyTurn
from mtr.errors import ReplyError
from mtr.relevance import Run
from mtr.retrieval.protocols import Queries, Reranked
from mtr.retrieval.queries import MOST_TOKENS, cut_left
from mtr.retrieval.searchable import Searchable
from mtr.steps import count_done

AT_ONCE = 32
AGAIN = 2

T = TypeVar("T")
RewriteTurn = Callable[[AnyTurn, int], Awaitable[str]]
JudgePair = Callable[[str, Searchable, int], Awaitable[float]]
"""The last argument of both is the sample: 0, then 1 and 2 where a reply could not be read."""


async def readable(ask: Callable[[int], Awaitable[T]]) -> T | None:
    """What `ask` gives for the first sample that can be read, None where none of three can. Other errors pass."""
    for sample in range(1 + AGAIN):
        try:
            return await ask(sample)
        except ReplyError:
            continue
    return None


@dataclass(frozen=True)
class RewrittenStrategy:
    """A model writes each turn's query. Where its reply cannot be read the query stays as typed, and is told."""

    name: str
    rewrite: RewriteTurn
    most: int = MOST_TOKENS

    async def queries(self, turns: Sequence[AnyTurn]) -> Queries:
        """By query_id. Errors of the endpoint stop it; what was paid for waits in the ledger."""
        limit = asyncio.Semaphore(AT_ONCE)

        async def one(turn: AnyTurn) -> str | None:
            async with limit:
                text = await readable(lambda sample: self.rewrite(turn, sample))
            count_done()
            return text

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(turn)) for turn in turns]
        found = list(zip(turns, (task.result() for task in tasks), strict=True))
        return Queries(
            texts={turn.query_id: cut_left(turn.query if text is None else text, self.most) for turn, text in found},
            unreadable=tuple(turn.query_id for turn, text in found if text is None),
        )


@dataclass(frozen=True)
class PointwiseReranker:
    """Each passage is judged by itself. A blank query leaves its ranking as it was."""

    name: str
    judge: JudgePair

    async def rerank(self, queries: Mapping[str, str], run: Run, passages: Mapping[str, Searchable]) -> Reranked:
        """Scores are those of the judge; a passage that is unknown or blank gets 0.

        Where one reply cannot be read the whole ranking keeps its order: a missing score has no place among others.
        """
        limit = asyncio.Semaphore(AT_ONCE)

        async def one(query: str, passage_id: str) -> float | None:
            passage = passages.get(passage_id)
            if passage is None or not passage.text.strip():
                return 0.0
            async with limit:
                return await readable(lambda sample: self.judge(query, passage, sample))

        async def row(query: str, ids: Sequence[str]) -> list[tuple[str, float]] | None:
            async with asyncio.TaskGroup() as group:
                tasks = [(name, group.create_task(one(query, name))) for name in ids]
            pairs = [(name, score) for name, task in tasks if (score := task.result()) is not None]
            count_done()
            return pairs if len(pairs) == len(ids) else None

        async with asyncio.TaskGroup() as group:
            rows = {
                query_id: group.create_task(row(queries[query_id], ranking.passage_ids))
                for query_id, ranking in run.rankings.items()
                if queries[query_id].strip()
            }
        scored = {query_id: pairs for query_id, task in rows.items() if (pairs := task.result()) is not None}
        left = tuple(query_id for query_id in rows if query_id not in scored)
        return Reranked(Run.ranked(self.name, scored), left)
