"""Reranking by a cross-encoder of sentence-transformers: an extra, loaded when first asked for."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from mtr.errors import InputError
from mtr.llm.sentence_models import INSTALL
from mtr.relevance import Run
from mtr.retrieval.protocols import Reranked
from mtr.retrieval.searchable import Searchable, searchable_text

BATCH = 32


class CrossEncoderReranker:
    """Scores (query, passage) pairs with a model of the hub or of a folder."""

    def __init__(self, name: str, model: str) -> None:
        """InputError when the package is not installed."""
        try:
            from sentence_transformers import CrossEncoder  # noqa: PLC0415
        except ImportError as error:
            raise InputError(f"{name} needs the package sentence-transformers ({error}); {INSTALL}") from error
        self.name, self._model, self._class = name, model, CrossEncoder
        self._loaded: Any = None

    async def rerank(self, queries: Mapping[str, str], run: Run, passages: Mapping[str, Searchable]) -> Reranked:
        """Scores are the model's; a passage that is not in the corpus is left where it was, below the others."""
        pairs = [
            (query_id, passage_id)
            for query_id, ranking in run.rankings.items()
            for passage_id in ranking.passage_ids
            if passage_id in passages and queries[query_id].strip()
        ]
        texts = [(queries[query_id], searchable_text(passages[passage_id])) for query_id, passage_id in pairs]
        scores = await asyncio.to_thread(self._scores, texts)
        found: dict[str, list[tuple[str, float]]] = {}
        for (query_id, passage_id), score in zip(pairs, scores, strict=True):
            found.setdefault(query_id, []).append((passage_id, score))
        return Reranked(Run.ranked(self.name, found))

    def _scores(self, texts: Sequence[tuple[str, str]]) -> list[float]:
        if not texts:
            return []
        if self._loaded is None:
            try:
                self._loaded = self._class(self._model)
            except (OSError, ValueError) as error:
                raise InputError(
                    f"{self.name} cannot be loaded: {error}; name a model of the hub or its folder"
                ) from error
        return [float(score) for score in self._loaded.predict(list(texts), batch_size=BATCH, show_progress_bar=False)]
