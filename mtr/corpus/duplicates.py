"""Near-duplicates: passages that say again what an earlier one says.

Candidates share a band of MinHash values over character 5-grams; the exact Jaccard similarity of the 5-gram sets
decides, so what is dropped is never below the threshold. A pair at or above it that differs in a number, a name or a
negation (`mtr.corpus.marks`) says different things: it is listed, and both are kept.

Passages are gone through in corpus order and each is compared with *kept* ones only, so there are no chains: what is
dropped is similar to something that is still there.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from mtr.corpus.marks import Marks, difference, marks_of
from mtr.corpus.shingles import band_keys, band_rows, folded, jaccard, shingles
from mtr.errors import InputError
from mtr.records import Passage, Record

LISTED_AT_MOST = 20
"""A kept passage is listed with so many earlier ones, those that share most bands; bounds tables of like sentences."""
_BUCKET_LISTED = 64


class DuplicatePair(Record):
    """A dropped passage and the earlier one kept in its place, by passage id."""

    dropped: str
    kept: str
    jaccard: float = Field(ge=0, le=1)


class KeptPair(Record):
    """Two passages alike but for a number, a name or a negation, by passage id; `difference` in words."""

    earlier: str
    later: str
    jaccard: float = Field(ge=0, le=1)
    difference: str


class DuplicateResult(Record):
    """Kept passages in corpus order, what was dropped, and the pairs kept although they are alike."""

    kept: tuple[Passage, ...]
    dropped: tuple[DuplicatePair, ...]
    kept_pairs: tuple[KeptPair, ...]


def near_duplicates(passages: Sequence[Passage], threshold: float = 0.7) -> DuplicateResult:
    """Drop each passage whose Jaccard similarity with an earlier kept one reaches the threshold and whose marks equal.

    A pair just at the threshold is found with a probability of about .985 or more (MinHash), a more similar one nearly
    always, an equal one always. Raises `InputError` for a threshold outside [.1, 1].
    """
    if not 0.1 <= threshold <= 1:
        raise InputError(f"threshold is {threshold}; a Jaccard similarity from 0.1 to 1 is meant")
    texts = [passage.text for passage in passages]
    first_equal = _first_equal(texts)
    rows = [row for row, first in enumerate(first_equal) if row == first]
    keys = band_keys([folded(texts[row]) for row in rows], band_rows(threshold))
    search = _Search(texts, threshold)
    for at in np.flatnonzero(_shares_a_band(keys)).tolist():
        search.offer(rows[at], keys[at].tolist())
    return _result(passages, first_equal, search)


def _first_equal(texts: Sequence[str]) -> list[int]:
    """For each text the first that is equal but for white space, perhaps itself."""
    seen: dict[str, int] = {}
    return [seen.setdefault(" ".join(text.split()), row) for row, text in enumerate(texts)]


def _shares_a_band(keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which rows have a key in common with another row; all others need no further look."""
    shares = np.zeros(len(keys), dtype=bool)
    for band in keys.T:
        _, inverse, counts = np.unique(band, return_inverse=True, return_counts=True)
        shares |= counts[inverse] > 1
    return shares


class _Search:
    """The passages kept so far, by band; `replaced` and `alike` grow while rows are offered in corpus order."""

    def __init__(self, texts: Sequence[str], threshold: float) -> None:
        self.replaced: dict[int, tuple[int, float]] = {}
        self.alike: list[tuple[int, int, float, str]] = []
        self._texts = texts
        self._threshold = threshold
        self._small_words = {word for text in texts for word in text.split()}
        self._marks: dict[int, Marks] = {}
        self._by_band: defaultdict[int, list[int]] = defaultdict(list)
        self._by_band_and_marks: defaultdict[tuple[int, Marks], list[int]] = defaultdict(list)
        self._shingles = lru_cache(maxsize=4096)(lambda row: shingles(folded(texts[row])))

    def offer(self, row: int, keys: list[int]) -> None:
        """Find what the row repeats; else list what it is like, and keep it."""
        marks = self._marks[row] = marks_of(self._texts[row], self._small_words)
        equal_marks = {other for key in keys for other in self._by_band_and_marks.get((key, marks), ())}
        best = max(((self._similarity(row, other), -other) for other in equal_marks), default=(0.0, 0))
        if best[0] >= self._threshold:
            self.replaced[row] = (-best[1], best[0])
            return
        self._list_alike(row, keys, equal_marks)
        for key in keys:
            self._by_band_and_marks[key, marks].append(row)
            if len(self._by_band[key]) < _BUCKET_LISTED:
                self._by_band[key].append(row)

    def _list_alike(self, row: int, keys: list[int], known: set[int]) -> None:
        shared = Counter(other for key in keys for other in self._by_band.get(key, ()) if other not in known)
        for other in sorted(shared, key=lambda other: (-shared[other], other))[:LISTED_AT_MOST]:
            similarity = self._similarity(row, other)
            if similarity >= self._threshold:
                self.alike.append((other, row, similarity, difference(self._marks[other], self._marks[row])))

    def _similarity(self, row: int, other: int) -> float:
        return jaccard(self._shingles(row), self._shingles(other))


def _result(passages: Sequence[Passage], first_equal: Sequence[int], search: _Search) -> DuplicateResult:
    kept, dropped = [], []
    for row, first in enumerate(first_equal):
        if row == first and row not in search.replaced:
            kept.append(passages[row])
            continue
        by, similarity = search.replaced.get(first, (first, 1.0))
        dropped.append(
            DuplicatePair(dropped=passages[row].passage_id, kept=passages[by].passage_id, jaccard=similarity)
        )
    pairs = (
        KeptPair(earlier=passages[a].passage_id, later=passages[b].passage_id, jaccard=similarity, difference=words)
        for a, b, similarity, words in search.alike
    )
    return DuplicateResult(kept=tuple(kept), dropped=tuple(dropped), kept_pairs=tuple(pairs))
