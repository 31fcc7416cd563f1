"""Nearest passages of a whole corpus: dense and BM25 ranks, fused. What the uniqueness verifier looks with."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from mtr.corpus.corpus import Corpus
from mtr.errors import InputError
from mtr.llm import embed
from mtr.retrieval.fusion import reciprocal_rank_fusion
from mtr.retrieval.store import PassageStore, open_store, passage_id_of, row_key

DEPTH = 50
"""Passages taken from each ranking before fusing, or k where that is more."""

_SPARE = 16
_DECIMALS = 5
_searchers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="mtr-search")


@dataclass(frozen=True)
class Collection:
    """A corpus and its rows in Chroma. `strays` are rows of other states of the corpus, passed over in a search."""

    corpus: Corpus
    store: PassageStore
    places: dict[str, int]
    strays: int

    async def nearest(self, query: str, k: int) -> tuple[str, ...]:
        """At most k passage ids of the whole corpus, by fused dense and BM25 rank, best first, ties by id."""
        vectors = await embed([query], model=self.corpus.manifest.options.embedding_model, kind="query")
        return await asyncio.get_running_loop().run_in_executor(_searchers, self.fused, query, vectors[0], k)

    def fused(self, query: str, vector: NDArray[np.float32], k: int) -> tuple[str, ...]:
        """`nearest` for a query whose vector (d,) is known; blocks for a few milliseconds."""
        depth = max(k, DEPTH)
        lexical = [passage_id for passage_id, _ in self.corpus.bm25.search(query, depth)]
        return tuple(reciprocal_rank_fusion([self.dense(vector, depth), lexical])[:k])

    def dense(self, vector: NDArray[np.float32], k: int) -> list[str]:
        """At most k passage ids by cosine in Chroma's approximate search, ties in corpus order.

        Chroma's last digits and its choice among equals depend on how rows came in: scores are rounded, and a few
        more rows are asked for than are needed.
        """
        rows = self.store.search(vector, min(k + _SPARE, len(self.places)) + self.strays)
        known = [(-round(score, _DECIMALS), self.places[key], key) for key, score in rows if key in self.places]
        return [passage_id_of(key) for _, _, key in sorted(known)[:k]]


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
    about = corpus.manifest
    store = open_store(about.collection, url=about.options.chroma_url)
    places = {row_key(passage): place for place, passage in enumerate(corpus.passages.values())}
    rows = store.keys()
    missing = len(places.keys() - rows)
    if missing:
        raise InputError(
            f"Chroma lacks {missing} of the {len(places)} passages of {corpus.name!r}; "
            "build the corpus again, only what is missing is stored again"
        )
    return Collection(corpus, store, places, len(rows) - len(places))
