"""Dense search by Chroma's approximate index, and how much of what exact search finds it misses."""

import asyncio
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mtr.errors import InputError
from mtr.llm import embed
from mtr.relevance import Run
from mtr.retrieval.exact import nearest
from mtr.retrieval.protocols import SearchRecall
from mtr.retrieval.scratch import MOST, ScratchIndex
from mtr.retrieval.searchable import Searchable
from mtr.retrieval.vector_rows import VectorRows

SAME = 1e-6
"""Passages whose scores differ by less stand for each other."""

_QUERIES = 256

_Found = tuple[NDArray[np.float32], list[list[int]], int]


class ChromaRetriever:
    """As `DenseRetriever`, but the nearest are those that Chroma finds; scores are computed from the vectors.

    The collection lives in memory as long as the retriever; more passages are added to it, nothing is built again.
    """

    def __init__(self, name: str, model: str) -> None:
        """`name` is how tables call it, `model` is `endpoint/model`."""
        self.name, self._model, self._rows = name, model, VectorRows(model)
        self._index: ScratchIndex | None = None
        self._answered: list[_Found] = []

    async def index(self, passages: Sequence[Searchable]) -> None:
        """Embed the passages and add their vectors to the collection."""
        rows = await self._rows.add(passages)
        if rows:
            await asyncio.to_thread(self._put, rows)

    async def retrieve(self, queries: Mapping[str, str], k: int) -> Run:
        """About the k passages of the greatest cosine. InputError: k is more than Chroma gives."""
        if k > MOST:
            raise InputError(f"{self.name}: Chroma finds at most {MOST:,} passages for a query, {k:,} are asked for")
        asked = {query_id: text for query_id, text in queries.items() if text.strip()}
        found: dict[str, list[tuple[str, float]]] = {query_id: [] for query_id in queries}
        if asked and self._index is not None:
            vectors = await embed(list(asked.values()), model=self._model, kind="query")
            rows = await asyncio.to_thread(self._search, self._index, vectors, min(k, len(self._rows.ids)))
            found.update(zip(asked, rows, strict=True))
        return Run.ranked(self.name, found)

    async def recalls(self) -> tuple[SearchRecall, ...]:
        """The recall of all searches since this was asked last, by searching exactly now."""
        answered, self._answered = self._answered, []
        return tuple([await asyncio.to_thread(self._recall, one) for one in answered])

    def _put(self, rows: Sequence[int]) -> None:
        self._index = self._index or ScratchIndex()
        self._index.put(rows, self._rows.matrix()[list(rows)])

    def _search(self, index: ScratchIndex, vectors: NDArray[np.float32], k: int) -> list[list[tuple[str, float]]]:
        parts = [index.search(vectors[start : start + _QUERIES], k) for start in range(0, len(vectors), _QUERIES)]
        found = [rows for part in parts for rows in part]
        self._answered.append((vectors, found, k))
        scored = (
            zip(rows, self._scores(vector, rows), strict=True) for vector, rows in zip(vectors, found, strict=True)
        )
        return [[(self._rows.ids[row], score) for row, score in one] for one in scored]

    def _scores(self, vector: NDArray[np.float32], rows: Sequence[int]) -> list[float]:
        scores: list[float] = (self._rows.matrix()[list(rows)] @ vector).tolist()
        return scores

    def _recall(self, answered: _Found) -> SearchRecall:
        vectors, found, k = answered
        _, exact = nearest(vectors, self._rows.matrix(), k)
        near = zip(vectors, found, exact[:, -1].tolist(), strict=True)
        hits = (sum(score >= last - SAME for score in self._scores(vector, rows)) for vector, rows, last in near)
        return SearchRecall(self.name, k, sum(min(count, k) for count in hits), k * len(found))
