"""Reranking by a model that puts a window of passages in order: the window slides from the end of a ranking to its top.

Sun et al. (2023), "Is ChatGPT good at search?": windows of 20 that overlap by 10, so that what is good climbs up.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mtr.relevance import Run
from mtr.retrieval.asked import readable
from mtr.retrieval.funnel import in_places
from mtr.retrieval.protocols import Reranked
from mtr.retrieval.searchable import Searchable
from mtr.steps import count_done

AT_ONCE = 16

OrderPassages = Callable[[str, Sequence[Searchable], int], Awaitable[Sequence[int]]]
"""(query, passages, sample) → their places from 0, the best first; those left out stay behind, in their order."""


@dataclass(frozen=True)
class ListwiseReranker:
    """Passages that are unknown or blank are not shown and go last. A blank query leaves its ranking as it was.

    A window whose reply cannot be read keeps its order, and the query is told.
    """

    name: str
    order: OrderPassages
    window: int = 20
    step: int = 10

    async def rerank(self, queries: Mapping[str, str], run: Run, passages: Mapping[str, Searchable]) -> Reranked:
        """Scores only tell the places."""
        limit = asyncio.Semaphore(AT_ONCE)

        async def one(query: str, ids: Sequence[str]) -> tuple[tuple[str, ...], bool]:
            async with limit:
                found = await self._slide(query, ids, passages)
            count_done()
            return found

        async with asyncio.TaskGroup() as group:
            tasks = {
                query_id: group.create_task(one(queries[query_id], ranking.passage_ids))
                for query_id, ranking in run.rankings.items()
                if queries[query_id].strip()
            }
        found = {query_id: task.result() for query_id, task in tasks.items()}
        run = Run(self.name, {query_id: in_places(order) for query_id, (order, _) in found.items()})
        return Reranked(run, tuple(query_id for query_id, (_, read) in found.items() if not read))

    async def _slide(
        self, query: str, ids: Sequence[str], passages: Mapping[str, Searchable]
    ) -> tuple[tuple[str, ...], bool]:
        """The order, and whether every window's reply could be read."""
        all_read = True
        shown = [one for one in ids if one in passages and passages[one].text.strip()]
        for start, end in windows(len(shown), self.window, self.step):
            part = shown[start:end]
            places = await self._places(query, [passages[one] for one in part])
            all_read = all_read and places is not None
            shown[start:end] = [part[place] for place in dict.fromkeys((*(places or ()), *range(len(part))))]
        return (*shown, *(one for one in ids if one not in set(shown))), all_read

    async def _places(self, query: str, shown: Sequence[Searchable]) -> Sequence[int] | None:
        return await readable(lambda sample: self.order(query, shown, sample))


def windows(count: int, window: int, step: int) -> Iterator[tuple[int, int]]:
    """(start, end) of each window over `count` places, from the last to the first; none where there is no choice."""
    end = count
    while end > 1:
        start = max(0, end - window)
        yield start, end
        if start == 0:
            return
        end -= step
