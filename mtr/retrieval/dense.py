"""Dense search: passages and queries as vectors of one model, the nearest found exactly."""

import asyncio
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mtr.llm import embed
from mtr.relevance import Run
from mtr.retrieval.exact import nearest
from mtr.retrieval.searchable import Searchable, searchable_text


class DenseRetriever:
    """Cosine of embeddings over title, heading and text. A blank passage or query has no vector and finds nothing."""

    def __init__(self, name: str, model: str) -> None:
        """`model` is `endpoint/model`; the vectors are kept by model and text, so each is paid for once."""
        self.name, self._model = name, model
        self._ids: list[str] = []
        self._blocks: list[NDArray[np.float32]] = []

    async def index(self, passages: Sequence[Searchable]) -> None:
        """Embed the passages and add their vectors."""
        texts = {one.passage_id: searchable_text(one) for one in passages if searchable_text(one).strip()}
        if texts:
            self._blocks.append(await embed(list(texts.values()), model=self._model, kind="passage"))
            self._ids.extend(texts)

    async def retrieve(self, queries: Mapping[str, str], k: int) -> Run:
        """The k passages of the greatest cosine."""
        asked = {query_id: text for query_id, text in queries.items() if text.strip()}
        found: dict[str, list[tuple[str, float]]] = {query_id: [] for query_id in queries}
        if asked and self._ids:
            vectors = await embed(list(asked.values()), model=self._model, kind="query")
            rows = await asyncio.to_thread(self._nearest, vectors, k)
            found.update(zip(asked, rows, strict=True))
        return Run.ranked(self.name, found)

    def _nearest(self, vectors: NDArray[np.float32], k: int) -> list[list[tuple[str, float]]]:
        if len(self._blocks) > 1:
            self._blocks = [np.concatenate(self._blocks)]
        indices, scores = nearest(vectors, self._blocks[0], min(k, len(self._ids)))
        pairs = zip(indices.tolist(), scores.tolist(), strict=True)
        return [[(self._ids[place], score) for place, score in zip(*one, strict=True)] for one in pairs]
