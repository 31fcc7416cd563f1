"""A Chroma collection in this process's memory: vectors by row number, gone with the object that holds it."""

import uuid
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from mtr.retrieval.store import BATCH, SPACE, chroma_errors

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

MOST = 5_000
"""Chroma gives no more neighbours a query."""


class ScratchIndex:
    """Approximate search by HNSW as Chroma sets it up. Every method blocks: call it through a thread."""

    def __init__(self) -> None:
        """An empty collection. One thread fills it, so that the same rows in the same order make the same graph."""
        name, client = f"scratch-{uuid.uuid4().hex}", scratch_client()
        with chroma_errors():
            self._collection = client.create_collection(
                name, embedding_function=None, configuration={"hnsw": {"space": SPACE, "num_threads": 1}}
            )
        finalize(self, client.delete_collection, name)

    def put(self, rows: Sequence[int], vectors: NDArray[np.float32]) -> None:
        """Store vectors (n, d) of length 1 by row number; a row that is there is replaced."""
        for start in range(0, len(rows), BATCH):
            part = [str(row) for row in rows[start : start + BATCH]]
            with chroma_errors():
                self._collection.upsert(ids=part, embeddings=np.ascontiguousarray(vectors[start : start + BATCH]))

    def search(self, vectors: NDArray[np.float32], k: int) -> list[list[int]]:
        """The row numbers of about the k nearest of each vector (q, d), 1 ≤ k ≤ `MOST`, best first."""
        with chroma_errors():
            found = self._collection.query(query_embeddings=vectors, n_results=k, include=[])
        return [[int(row) for row in rows] for rows in found["ids"]]


@cache
def scratch_client() -> "ClientAPI":
    """Chroma in this process's memory."""
    import chromadb  # noqa: PLC0415 - takes a second or two
    from chromadb.config import Settings  # noqa: PLC0415

    return chromadb.EphemeralClient(Settings(anonymized_telemetry=False))
