"""Strategies and rerankers that ask a model: the asking is handed in, what is done with the replies is here."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from mtr.datasets.records import AnyTurn
from mtr.errors import ReplyError
from mtr.relevance import Run
from mtr.retrieval.searchable import Searchable

AT_ONCE = 32

RewriteTurn = Callable[[AnyTurn], Awaitable[str]]
JudgePair = Callable[[str, Searchable], Awaitable[float]]


@dataclass(frozen=True)
class RewrittenStrategy:
    """A model writes each turn's query. A turn whose reply cannot be read has none, and is counted so."""

    name: str
    rewrite: RewriteTurn

    async def queries(self, turns: Sequence[AnyTurn]) -> Mapping[str, str]:
        """By query_id. Errors of the endpoint stop it; what was paid for waits in the ledger."""
        limit = asyncio.Semaphore(AT_ONCE)

        async def one(turn: AnyTurn) -> str | None:
            async with limit:
                try:
                    return await self.rewrite(turn)
                except ReplyError:
                    return None

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(turn)) for turn in turns]
        found = zip(turns, (task.result() for task in tasks), strict=True)
        return {turn.query_id: text for turn, text in found if text is not None}


@dataclass(frozen=True)
class PointwiseReranker:
    """Each passage is judged by itself. A blank query leaves its ranking as it was."""

    name: str
    judge: JudgePair

    async def rerank(self, queries: Mapping[str, str], run: Run, passages: Mapping[str, Searchable]) -> Run:
        """Scores are those of the judge; a passage that is unknown or blank gets 0. ReplyError stops it."""
        limit = asyncio.Semaphore(AT_ONCE)

        async def one(query: str, passage_id: str) -> tuple[str, float]:
            passage = passages.get(passage_id)
            if passage is None or not passage.text.strip():
                return passage_id, 0.0
            async with limit:
                return passage_id, await self.judge(query, passage)

        tasks = {}
        async with asyncio.TaskGroup() as group:
            for query_id, ranking in run.rankings.items():
                if queries[query_id].strip():
                    pairs = (one(queries[query_id], passage_id) for passage_id in ranking.passage_ids)
                    tasks[query_id] = [group.create_task(pair) for pair in pairs]
        return Run.ranked(self.name, {query_id: [task.result() for task in row] for query_id, row in tasks.items()})
