"""BM25 over passages: bm25s makes the scores of every (term, passage) once, a search adds up the query's terms."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from mtr.errors import InputError
from mtr.retrieval.analyzers import WORDS, Analyzer
from mtr.retrieval.searchable import Searchable, searchable_text
from mtr.storage import replace_text

if TYPE_CHECKING:
    from mtr.retrieval.bm25_search import BM25Search

K1 = 0.9
B = 0.4
_ARRAYS = ("data", "indices", "indptr")
_HEADER = 128


@dataclass(frozen=True)
class BM25Index:
    """Lucene's BM25 (k1 = 0.9, b = 0.4) as a sparse matrix in columns of terms.

    `data` (nnz,) float32 scores and `indices` (nnz,) int32 passage numbers, column t at `indptr[t]:indptr[t + 1]`.
    Formula: Kamphuis et al. (2020), "Which BM25 do you mean?", the row "Lucene (accurate)".
    """

    passage_ids: tuple[str, ...]
    vocabulary: dict[str, int]
    data: NDArray[np.float32]
    indices: NDArray[np.int32]
    indptr: NDArray[np.int64]
    analyzer: Analyzer = WORDS

    @classmethod
    def build(cls, passages: Sequence[Searchable], analyzer: Analyzer = WORDS) -> Self:
        """Index the searchable text of each passage; the order given decides ties."""
        texts = (searchable_text(passage) for passage in passages)
        return cls.of_terms([passage.passage_id for passage in passages], map(analyzer.terms, texts), analyzer)

    @classmethod
    def of_terms(cls, passage_ids: Iterable[str], terms: Iterable[Iterable[str]], analyzer: Analyzer) -> Self:
        """Index passages whose terms, by this analyzer, are known."""
        vocabulary: dict[str, int] = {}
        rows = [[vocabulary.setdefault(term, len(vocabulary)) for term in row] for row in terms]
        ids = tuple(passage_ids)
        if not vocabulary:
            return cls(ids, {}, np.zeros(0, np.float32), np.zeros(0, np.int32), np.zeros(1, np.int64), analyzer)
        data, indices, indptr = _score_matrix(rows, len(vocabulary))
        return cls(ids, vocabulary, data, indices, indptr, analyzer)

    def search(self, query: str, k: int) -> list[tuple[str, float]]:
        """At most k passages that hold a term of the query, best first, ties in passage order."""
        return self._search.best(query, k)

    @cached_property
    def _search(self) -> "BM25Search":
        from mtr.retrieval.bm25_search import BM25Search  # noqa: PLC0415 - imports numba

        return BM25Search(self.passage_ids, self.vocabulary, (self.indptr, self.indices, self.data), self.analyzer)

    def scores(self, terms: Iterable[str]) -> NDArray[np.float32]:
        """The score of each passage, (n,) float32; a repeated term counts each time, an unknown one not at all.

        Sums are those of `search` to the last bit: from the rarest term to the most frequent.
        """
        scores = np.zeros(len(self.passage_ids), np.float32)
        known = (column for column in map(self.vocabulary.get, terms) if column is not None)
        for column in sorted(known, key=lambda one: (self.indptr[one + 1] - self.indptr[one], one)):
            start, end = self.indptr[column], self.indptr[column + 1]
            scores[self.indices[start:end]] += self.data[start:end]
        return scores

    def save(self, folder: Path) -> None:
        """Write three .npy files and a JSON file; the JSON last, so a cut save cannot be loaded."""
        folder.mkdir(parents=True, exist_ok=True)
        try:
            for name in _ARRAYS:
                np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)
        except OSError as error:
            raise InputError(f"cannot write {folder}: {error.strerror or error}; free space and build again") from error
        made_by = {"analyzer": self.analyzer.version, "k1": K1, "b": B}
        head = {**made_by, "passage_ids": self.passage_ids, "terms": list(self.vocabulary)}
        replace_text(folder / "index.json", json.dumps(head, ensure_ascii=False))

    @classmethod
    def load(cls, folder: Path, analyzer: Analyzer = WORDS) -> Self:
        """Open what `save` wrote, arrays mapped from disk; InputError when made by another analyzer or damaged."""
        try:
            head = json.loads((folder / "index.json").read_text(encoding="utf-8"))
            made_by = (head["analyzer"], head["k1"], head["b"])
            data, indices, indptr = (_mapped(folder / f"{name}.npy") for name in _ARRAYS)
            ids, terms = tuple(head["passage_ids"]), head["terms"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"the BM25 index {folder} cannot be read ({error}); build the corpus again") from error
        if made_by != (analyzer.version, K1, B):
            raise InputError(f"the BM25 index {folder} was made by {made_by[0]}, not {analyzer.version}; build again")
        if len(indptr) != len(terms) + 1 or len(data) != len(indices) or int(indptr[-1]) != len(data):
            raise InputError(f"the BM25 index {folder} is damaged: its arrays do not fit together; build again")
        return cls(ids, {term: column for column, term in enumerate(terms)}, data, indices, indptr, analyzer)


def _mapped(path: Path) -> NDArray[Any]:
    """The array, mapped from disk unless it is empty, and as a plain one: slices of a memmap cost ten times more."""
    empty = path.stat().st_size <= _HEADER
    return np.asarray(np.load(path, mmap_mode=None if empty else "r", allow_pickle=False))


def _score_matrix(
    rows: list[list[int]], terms: int
) -> tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.int64]]:
    import bm25s  # noqa: PLC0415 - imports numba

    model = bm25s.BM25(k1=K1, b=B, method="lucene", csc_backend="numpy")
    scores = model.build_index_from_ids(list(range(terms)), rows, show_progress=False)
    return (
        np.ascontiguousarray(scores["data"], np.float32),
        np.ascontiguousarray(scores["indices"], np.int32),
        np.ascontiguousarray(scores["indptr"], np.int64),
    )
