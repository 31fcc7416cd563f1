"""Vectors of a corpus's passages: those in Chroma are used again, the others are embedded and stored at once."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtr.corpus.progress import Progress
from mtr.llm import embed
from mtr.records import Passage
from mtr.retrieval.searchable import searchable_text
from mtr.retrieval.store import PassageStore, row_key

FEWEST, MOST = 16, 1_024
"""Passages embedded before they are stored and shown: few at first, then about `_SECONDS` worth of them."""
_SECONDS = 2.0


@dataclass(frozen=True)
class EmbeddedPassages:
    """`vectors` is (n, d) float32 with rows of length 1, in the order of the passages."""

    vectors: NDArray[np.float32]
    embedded: int
    reused: int


async def embed_passages(
    passages: Sequence[Passage], store: PassageStore, model: str, progress: Progress
) -> EmbeddedPassages:
    """The vector of each passage, all of them stored when this returns."""
    keys = [row_key(passage) for passage in passages]
    known = dict(await asyncio.to_thread(store.vectors, keys))
    missing = [passage for passage, key in zip(passages, keys, strict=True) if key not in known]
    with progress.step("embed", len(missing)) as step:
        size = FEWEST
        while step.done < len(missing):
            begun = time.monotonic()
            part = missing[step.done : step.done + size]
            vectors = await embed([searchable_text(passage) for passage in part], model=model, kind="passage")
            await asyncio.to_thread(store.upsert, part, vectors)
            known.update(zip(map(row_key, part), vectors, strict=True))
            step.advance(len(part))
            size = max(FEWEST, min(MOST, int(size * _SECONDS / (time.monotonic() - begun + 0.01)), 4 * size))
        reused = len(passages) - len(missing)
        step.result = f"{len(missing):,} passages embedded by {model}, {reused:,} reused"
    return EmbeddedPassages(np.stack([known[key] for key in keys]), len(missing), reused)
