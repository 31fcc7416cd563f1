"""The vectors of passages as rows of one matrix, which grows when more passages come."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mtr.llm import embed
from mtr.retrieval.searchable import Searchable, searchable_text


class VectorRows:
    """Passages of one embedding model. `ids[i]` is the passage of row i; rows never move. A blank passage has none."""

    def __init__(self, model: str) -> None:
        """`model` is `endpoint/model`; the vectors are kept by model and text, so each is paid for once."""
        self._model = model
        self.ids: list[str] = []
        self._rows: dict[str, int] = {}
        self._blocks: list[NDArray[np.float32]] = []

    async def add(self, passages: Sequence[Searchable]) -> list[int]:
        """Embed the passages; returns their rows. One with an id that is there takes its place."""
        texts = {one.passage_id: text for one in passages if (text := searchable_text(one)).strip()}
        if not texts:
            return []
        vectors = await embed(list(texts.values()), model=self._model, kind="passage")
        known = {place: self._rows[name] for place, name in enumerate(texts) if name in self._rows}
        if known:
            self.matrix()[list(known.values())] = vectors[list(known)]
        new = [place for place in range(len(texts)) if place not in known]
        if new:
            self._blocks.append(vectors[new] if known else vectors)
        for name in texts:
            if name not in self._rows:
                self._rows[name] = len(self.ids)
                self.ids.append(name)
        return [self._rows[name] for name in texts]

    def matrix(self) -> NDArray[np.float32]:
        """All vectors, (rows, dimensions); there is a row at least."""
        if len(self._blocks) > 1:
            self._blocks = [np.concatenate(self._blocks)]
        return self._blocks[0]
