"""BM25 as a retriever: passages are analysed once, also when more of them come."""

import asyncio
from collections.abc import Mapping, Sequence

from mtr.relevance import Run
from mtr.retrieval.analyzers import Analyzer
from mtr.retrieval.bm25 import BM25Index
from mtr.retrieval.searchable import Searchable, searchable_text


class SparseRetriever:
    """BM25 over title, heading and text."""

    def __init__(self, name: str, analyzer: Analyzer) -> None:
        """`name` is how tables call it."""
        self.name, self._analyzer = name, analyzer
        self._terms: dict[str, list[str]] = {}
        self._index: BM25Index | None = None

    async def index(self, passages: Sequence[Searchable]) -> None:
        """Analyse the new passages; one with an id that is there takes its place."""
        await asyncio.to_thread(self._take, passages)

    async def retrieve(self, queries: Mapping[str, str], k: int) -> Run:
        """Passages that hold a term of the query, at most k."""
        return await asyncio.to_thread(self._search, queries, k)

    def _take(self, passages: Sequence[Searchable]) -> None:
        """Each passage's share in a score depends on how rare terms are among all, so the scores are made anew."""
        for passage in passages:
            self._terms[passage.passage_id] = self._analyzer.terms(searchable_text(passage))
        self._index = BM25Index.of_terms(self._terms, self._terms.values(), self._analyzer)

    def _search(self, queries: Mapping[str, str], k: int) -> Run:
        index = self._index or BM25Index.of_terms([], [], self._analyzer)
        return Run.ranked(self.name, {query_id: index.search(text, k) for query_id, text in queries.items()})
