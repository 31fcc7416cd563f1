"""Dense search: passages and queries as vectors of one model, the nearest found exactly."""

import asyncio
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mtr.llm import embed
from mtr.relevance import Run
from mtr.retrieval.exact import nearest
from mtr.retrieval.searchable import Searchable
from mtr.retrieval.vector_rows import VectorRows


class DenseRetriever:
    """Cosine of embeddings over title, heading and text. A blank passage or query has no vector and finds nothing."""

    def __init__(self, name: str, model: str) -> None:
        """`name` is how tables call it, `model` is `endpoint/model`."""
        self.name, self._model, self._rows = name, model, VectorRows(model)

    async def index(self, passages: Sequence[Searchable]) -> None:
        """Embed the passages and add their vectors."""
        await self._rows.add(passages)

    async def retrieve(self, queries: Mapping[str, str], k: int) -> Run:
        """The k passages of the greatest cosine."""
        asked = {query_id: text for query_id, text in queries.items() if text.strip()}
        found: dict[str, list[tuple[str, float]]] = {query_id: [] for query_id in queries}
        if asked and self._rows.ids:
            vectors = await embed(list(asked.values()), model=self._model, kind="query")
            rows = await asyncio.to_thread(self._nearest, vectors, k)
            found.update(zip(asked, rows, strict=True))
        return Run.ranked(self.name, found)

    def _nearest(self, vectors: NDArray[np.float32], k: int) -> list[list[tuple[str, float]]]:
        ids = self._rows.ids
        indices, scores = nearest(vectors, self._rows.matrix(), min(k, len(ids)))
        pairs = zip(indices.tolist(), scores.tolist(), strict=True)
        return [[(ids[place], score) for place, score in zip(*one, strict=True)] for one in pairs]
