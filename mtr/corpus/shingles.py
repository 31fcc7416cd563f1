"""Character 5-grams: the exact Jaccard similarity of two texts, and MinHash bands that find likely pairs.

A text is folded first (white space to single blanks, letters casefolded). One shorter than five characters is its own
single shingle. MinHash: Broder 1997; banding: Leskovec, Rajaraman, Ullman, *Mining of Massive Datasets*, chapter 3.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

SIZE = 5
PERMUTATIONS = 128
_SEED = 20
_BLOCK_CHARACTERS = 2_000_000
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def folded(text: str) -> str:
    """White space as single blanks, letters casefolded."""
    return " ".join(text.split()).casefold()


def shingles(text: str) -> frozenset[str]:
    """The set of 5-grams of a folded text."""
    return frozenset(text[at : at + SIZE] for at in range(max(1, len(text) - SIZE + 1)))


def jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    """Shared shingles divided by all shingles of both."""
    shared = len(first & second)
    return shared / (len(first) + len(second) - shared)


def band_rows(threshold: float) -> int:
    """Rows in a band: as many as leave a pair just at the threshold found with a probability of .985 or more.

    A pair of similarity s is found with 1 − (1 − sʳ)ᵇ, where r rows and b bands share the permutations.
    """
    rows = 1
    while rows < PERMUTATIONS and _found(threshold, rows + 1) >= 0.985:
        rows += 1
    return rows


def _found(similarity: float, rows: int) -> float:
    return float(1 - (1 - similarity**rows) ** (PERMUTATIONS // rows))


def band_keys(texts: Sequence[str], rows: int) -> NDArray[np.uint64]:
    """Keys of shape (texts, bands), from folded texts: two that share a key agree on that band's MinHash values."""
    blocks = [_keys(block, rows) for block in _blocks(texts)]
    return np.concatenate(blocks) if blocks else np.empty((0, PERMUTATIONS // rows), np.uint64)


def _blocks(texts: Sequence[str]) -> Iterator[list[str]]:
    """Runs of texts of a bounded length together, so that the arrays of a large corpus stay small."""
    block: list[str] = []
    characters = 0
    for text in texts:
        block.append(text.ljust(SIZE, "\0"))
        characters += len(text)
        if characters >= _BLOCK_CHARACTERS:
            yield block
            block, characters = [], 0
    if block:
        yield block


def _keys(texts: list[str], rows: int) -> NDArray[np.uint64]:
    from rensa import RMinHash  # noqa: PLC0415 - an extension module

    hashes, offsets = _shingle_hashes(texts)
    matrix = RMinHash.digest_matrix_from_flat_token_hashes(hashes, offsets, PERMUTATIONS, _SEED)
    digests = np.array(matrix.to_rows(), dtype=np.uint64)
    bands = PERMUTATIONS // rows
    parts = digests[:, : bands * rows].reshape(len(texts), bands, rows)
    keys = np.broadcast_to(np.arange(bands, dtype=np.uint64), (len(texts), bands)).copy()
    for row in range(rows):
        keys = _mixed(keys ^ parts[:, :, row])
    return keys


def _shingle_hashes(texts: list[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The hashes of all shingles, repeats included, in one array, and where each text begins and ends there."""
    letters = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    lengths = np.array([len(text) for text in texts])
    windows = len(letters) - SIZE + 1
    hashes = letters[:windows].copy()
    for place in range(1, SIZE):
        hashes = _mixed(hashes) ^ letters[place : place + windows]
    inside = np.ones(windows + SIZE - 1, dtype=bool)
    ends = np.cumsum(lengths)
    for place in range(1, SIZE):
        inside[ends - place] = False
    return _mixed(hashes)[inside[:windows]], np.concatenate([[0], np.cumsum(lengths - SIZE + 1)])


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    values = values * _MULTIPLIER
    return values ^ (values >> np.uint64(29))
