"""Vectors of a corpus's passages: those the corpus already has are used again, the others are embedded."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtr.corpus.manifest import CorpusManifest
from mtr.corpus.progress import Progress
from mtr.llm import embed
from mtr.records import Passage
from mtr.retrieval.searchable import searchable_text
from mtr.retrieval.store import BATCH, PassageStore, open_store, row_key

FEWEST, MOST = 16, 1_024
"""Passages in one call: few at first, then about `_SECONDS` worth of them. What is embedded is kept at once."""
_SECONDS = 2.0


@dataclass(frozen=True)
class EmbeddedPassages:
    """`vectors` is (n, d) float32 with rows of length 1, in the order of the passages."""

    vectors: NDArray[np.float32]
    embedded: int
    reused: int


async def embed_passages(
    passages: Sequence[Passage], before: PassageStore | None, model: str, progress: Progress
) -> EmbeddedPassages:
    """The vector of each passage, from the collection of the corpus as it was before, else from the model."""
    keys = [row_key(passage) for passage in passages]
    known = dict(await asyncio.to_thread(before.vectors, keys)) if before else {}
    missing = [passage for passage, key in zip(passages, keys, strict=True) if key not in known]
    with progress.step("embed", len(missing)) as step:
        size = FEWEST
        while step.done < len(missing):
            begun = time.monotonic()
            part = missing[step.done : step.done + size]
            vectors = await embed([searchable_text(passage) for passage in part], model=model, kind="passage")
            known.update(zip(map(row_key, part), vectors, strict=True))
            step.advance(len(part))
            size = max(FEWEST, min(MOST, int(size * _SECONDS / (time.monotonic() - begun + 0.01)), 4 * size))
        reused = len(passages) - len(missing)
        step.result = f"{len(missing):,} passages embedded by {model}, {reused:,} reused"
    return EmbeddedPassages(np.stack([known[key] for key in keys]), len(missing), reused)


def store_passages(
    passages: Sequence[Passage], vectors: NDArray[np.float32], manifest: CorpusManifest, progress: Progress
) -> None:
    """Fill the collection the manifest names with what it lacks, in corpus order; `vectors` is (n, d)."""
    store = open_store(manifest.collection, url=manifest.options.chroma_url, corpus=manifest.name)
    there = store.keys()
    rows = [row for row, passage in enumerate(passages) if row_key(passage) not in there]
    with progress.step("store", len(rows)) as step:
        for start in range(0, len(rows), BATCH):
            part = rows[start : start + BATCH]
            store.upsert([passages[row] for row in part], vectors[part])
            step.advance(len(part))
        step.result = f"{len(rows):,} rows in Chroma's collection {store.name}"
