"""Queries on a BM25 index: words to columns of the matrix, the compiled search, and rows back to passage ids."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mtr.retrieval.analyzers import Analyzer
from mtr.retrieval.bm25_kernel import best_rows
from mtr.retrieval.bm25_levels import levels_of, padded

_LONGEST_KEPT = 64
_MOST_KEPT = 65_536


class BM25Search:
    """What queries of one index share. The compiled loop holds the interpreter's lock, so threads may share it too."""

    def __init__(
        self,
        passage_ids: Sequence[str],
        vocabulary: Mapping[str, int],
        matrix: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]],
        analyzer: Analyzer,
    ) -> None:
        """`matrix` is `indptr`, `indices`, `data`, in columns of terms."""
        indptr, indices, data = matrix
        self._vocabulary, self._analyzer = vocabulary, analyzer
        self._matrix = indptr, indices.view(np.uint32), data
        self._ids = np.array(passage_ids, dtype=object)
        made = levels_of(data, indices, indptr, len(passage_ids))
        self._levels = made.slots, made.levels, made.before, made.step
        rows = padded(len(passage_ids))
        self._room = np.zeros(rows, np.float32), np.zeros(rows, np.uint16)
        self._known: dict[str, tuple[int, ...]] = {}

    def best(self, query: str, k: int) -> list[tuple[str, float]]:
        """At most k (passage_id, score), the greatest score first, of equal ones the first passage."""
        columns: list[int] = []
        for word in query.split():
            known = self._known.get(word)
            columns += self._columns_of(word) if known is None else known
        if not columns or k <= 0:
            return []
        k = min(k, len(self._ids))
        found = np.empty(k, np.int64), np.empty(k, np.float32)
        count = best_rows(np.array(columns, np.int64), self._matrix, self._levels, self._room, k, found)
        return list(zip(self._ids.take(found[0][:count]).tolist(), found[1][:count].tolist(), strict=True))

    def _columns_of(self, word: str) -> tuple[int, ...]:
        """The columns of the terms of a word, repeats included, unknown ones left out; short words are remembered."""
        known = map(self._vocabulary.get, self._analyzer.terms(word))
        columns = tuple(column for column in known if column is not None)
        if len(word) <= _LONGEST_KEPT:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            self._known[word] = columns
        return columns
