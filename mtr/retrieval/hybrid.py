"""Several retrievers as one: run side by side, fused by rank or by weighted scores."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence

from mtr.relevance import Ranking, Run
from mtr.retrieval.fusion import reciprocal_rank_fusion
from mtr.retrieval.protocols import Approximate, Retriever, SearchRecall
from mtr.retrieval.searchable import Searchable

DEPTH = 100
"""Passages taken from each part before fusing, or k where that is more."""

RANK_CONSTANT = 60
_NOTHING = Ranking((), ())


class HybridRetriever:
    """Parts fused by reciprocal rank, or by the weighted sum of their scores where weights are given."""

    def __init__(self, name: str, parts: Sequence[Retriever], weights: Sequence[float] | None = None) -> None:
        """`weights`, one for each part; without them the ranks alone count."""
        self.name, self._parts, self._weights = name, parts, weights

    async def index(self, passages: Sequence[Searchable]) -> None:
        """Hand the passages to every part."""
        await asyncio.gather(*(part.index(passages) for part in self._parts))

    async def retrieve(self, queries: Mapping[str, str], k: int) -> Run:
        """Ask all parts at the same time and fuse what they found."""
        depth = max(k, DEPTH)
        runs = await asyncio.gather(*(part.retrieve(queries, depth) for part in self._parts))
        fused = {}
        for query_id in queries:
            rankings = [run.rankings.get(query_id, _NOTHING) for run in runs]
            fused[query_id] = self._fused(rankings)[:k]
        return Run.ranked(self.name, fused)

    async def recalls(self) -> tuple[SearchRecall, ...]:
        """Those of the parts that search approximately."""
        found = [await part.recalls() for part in self._parts if isinstance(part, Approximate)]
        return tuple(recall for part in found for recall in part)

    def _fused(self, rankings: Sequence[Ranking]) -> list[tuple[str, float]]:
        if self._weights is None:
            return fused_by_rank(rankings)
        return fused_by_score(rankings, self._weights)


def fused_by_rank(rankings: Sequence[Ranking]) -> list[tuple[str, float]]:
    """`reciprocal_rank_fusion`, with scores that fall by one from place to place."""
    order = reciprocal_rank_fusion([ranking.passage_ids for ranking in rankings], RANK_CONSTANT)
    return [(passage_id, float(len(order) - place)) for place, passage_id in enumerate(order)]


def fused_by_score(rankings: Sequence[Ranking], weights: Sequence[float]) -> list[tuple[str, float]]:
    """The weighted sum of scores that were moved to 0 … 1 in each ranking (Fox and Shaw 1994, CombSUM; min–max).

    A passage that a ranking lacks gets 0 there; where all scores of a ranking are equal they are 1.
    """
    sums: defaultdict[str, float] = defaultdict(float)
    for ranking, weight in zip(rankings, weights, strict=True):
        low, high = min(ranking.scores, default=0.0), max(ranking.scores, default=0.0)
        for passage_id, score in ranking:
            sums[passage_id] += weight * ((score - low) / (high - low) if high > low else 1.0)
    return sorted(sums.items(), key=lambda one: (-one[1], one[0]))
