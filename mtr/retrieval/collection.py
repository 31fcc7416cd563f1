"""Nearest passages of a whole corpus: dense and BM25 ranks, fused. What the uniqueness verifier looks with."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mtr.corpus.corpus import Corpus
from mtr.errors import InputError
from mtr.llm import embed
from mtr.retrieval.fusion import reciprocal_rank_fusion
from mtr.retrieval.store import PassageStore, open_store, passage_id_of, row_key
from mtr.retrieval.together import Together

DEPTH = 50
"""Passages taken from each ranking before fusing, or k where that is more."""

_SPARE = 16
_DECIMALS = 5
_searchers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="mtr-search")


class Asked(NamedTuple):
    """A query, its vector (d,), and how many passages are wanted."""

    query: str
    vector: NDArray[np.float32]
    k: int


class Collection:
    """A corpus and its rows in Chroma."""

    def __init__(self, corpus: Corpus, store: PassageStore) -> None:
        """Use `open_collection`."""
        self.corpus, self.store = corpus, store
        self._places = {row_key(passage): place for place, passage in enumerate(corpus.passages.values())}
        self._together = Together(self.fused, _searchers)

    async def nearest(self, query: str, k: int) -> tuple[str, ...]:
        """At most k passage ids of the whole corpus, by fused dense and BM25 rank, best first, ties by id."""
        vectors = await embed([query], model=self.corpus.manifest.options.embedding_model, kind="query")
        return await self._together.ask(Asked(query, vectors[0], k))

    def fused(self, asked: Sequence[Asked]) -> list[tuple[str, ...]]:
        """`nearest` for queries whose vectors are known; blocks for some milliseconds."""
        depths = [max(one.k, DEPTH) for one in asked]
        found = self.dense(np.stack([one.vector for one in asked]), max(depths))
        return [
            tuple(reciprocal_rank_fusion([dense[:depth], self._lexical(one.query, depth)])[: one.k])
            for one, dense, depth in zip(asked, found, depths, strict=True)
        ]

    def dense(self, vectors: NDArray[np.float32], k: int) -> list[list[str]]:
        """For each vector (q, d) at most k passage ids by cosine in Chroma's approximate search, ties in corpus order.

        Chroma's last digits and its choice among equals depend on how rows came in: scores are rounded, and a few
        more rows are asked for than are needed.
        """
        found = self.store.search(vectors, min(k + _SPARE, len(self._places)))
        return [self._ordered(rows)[:k] for rows in found]

    def _ordered(self, rows: Sequence[tuple[str, float]]) -> list[str]:
        ordered = sorted((-round(score, _DECIMALS), self._places[key], key) for key, score in rows)
        return [passage_id_of(key) for _, _, key in ordered]

    def _lexical(self, query: str, k: int) -> list[str]:
        return [passage_id for passage_id, _ in self.corpus.bm25.search(query, k)]


_opened: dict[Path, Collection] = {}
_opening = Lock()


def open_collection(corpus: Corpus) -> Collection:
    """The corpus's Chroma collection, opened once a process; blocks while it opens.

    InputError: Chroma cannot be reached, or does not hold all passages.
    """
    with _opening:
        found = _opened.get(corpus.folder)
        if found is None or found.corpus is not corpus:
            found = _opened[corpus.folder] = _open(corpus)
        return found


def _open(corpus: Corpus) -> Collection:
    store = open_store(corpus.manifest.collection, url=corpus.manifest.options.chroma_url)
    missing = len({row_key(passage) for passage in corpus.passages.values()} ^ store.keys())
    if missing:
        raise InputError(
            f"Chroma differs from the corpus {corpus.name!r} in {missing} of {len(corpus.passages)} passages; "
            "build the corpus again, only what is missing is stored again"
        )
    return Collection(corpus, store)
