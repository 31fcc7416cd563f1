"""Embeddings that were paid for, kept once by model, kind and text."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mtr.llm.records import canonical, sha256
from mtr.llm.sqlite_thread import SqliteThread, insert, select

SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL);"
Vector = NDArray[np.float32]
Vectors = Mapping[bytes, Vector]


@dataclass(frozen=True, slots=True)
class _Find:
    keys: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class _Keep:
    vectors: Vectors


def vector_key(model: str, kind: str, text: str) -> bytes:
    """sha256 of canonical JSON of model, kind and text."""
    return sha256(canonical([model, kind, text]))


class VectorFile:
    """Vectors as little-endian float32, in an SQLite file that several processes may hold open."""

    def __init__(self, path: Path) -> None:
        self._thread: SqliteThread[_Find | _Keep] = SqliteThread(
            path, SCHEMA, _handle, name="vector file", reads=(_Find,)
        )

    async def find(self, keys: Sequence[bytes]) -> dict[bytes, Vector]:
        """The vectors kept for the keys; those never embedded are missing."""
        found: dict[bytes, Vector] = await self._thread.ask(_Find(tuple(keys)))
        return found

    async def keep(self, vectors: Vectors) -> None:
        """Returns when they are on disk."""
        await self._thread.ask(_Keep(vectors))

    def close(self) -> None:
        """Finish writing and close the file."""
        self._thread.close()


def _handle(connection: sqlite3.Connection, jobs: Sequence[_Find | _Keep]) -> list[object]:
    rows = [
        (key, vector.astype("<f4").tobytes())
        for job in jobs
        if isinstance(job, _Keep)
        for key, vector in job.vectors.items()
    ]
    if rows:
        insert(connection, "vectors", rows)
    return [_find(connection, job.keys) if isinstance(job, _Find) else None for job in jobs]


def _find(connection: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, Vector]:
    rows = select(connection, "SELECT key, vector FROM vectors WHERE key IN (%s)", keys)
    return {key: np.frombuffer(vector, dtype="<f4").astype(np.float32) for key, vector in rows}
