"""A BM25 query as a compiled loop: sums, and the best of them in a heap."""

import numpy as np
from numpy.typing import NDArray

from mtr.jit import compiled

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@compiled
def best_rows(
    columns: NDArray[np.int64],
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    rows: int,
    k: int,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """At most k rows (1 ≤ k ≤ rows) of the greatest sum over the columns, and the sums; of equal ones the first.

    They stand in descending order. Sums are made in 32-bit floats, column after column; rows whose sum is 0 are left
    out. A key sorts as (sum ascending, row descending), since the bits of positive floats are in their order. Rows come
    in ascending order, so that one that ties with the least of k ranks behind them.
    """
    scores = np.zeros(rows, np.float32)
    for column in columns:
        for at in range(indptr[column], indptr[column + 1]):
            scores[indices[at]] += data[at]
    bits = scores.view(np.uint32)
    keys = np.empty(k, np.uint64)
    held, floor = 0, np.float32(0)
    for row in range(rows):
        if scores[row] > floor:
            key = (np.uint64(bits[row]) << _HALF) | (_LOW - np.uint64(row))
            if held < k:
                _rise(keys, held, key)
                held += 1
            else:
                _sink(keys, key)
            if held == k:
                floor = scores[np.int64(_LOW - (keys[0] & _LOW))]
    keys = keys[:held]
    keys.sort()
    found, sums = np.empty(held, np.int64), np.empty(held, np.float32)
    for place in range(held):
        best = np.int64(_LOW - (keys[held - 1 - place] & _LOW))
        found[place], sums[place] = best, scores[best]
    return found, sums


@compiled
def _rise(keys: NDArray[np.uint64], at: int, key: np.uint64) -> None:
    """Add a key at the end of a heap whose least key is the first."""
    while at > 0:
        above = (at - 1) // 2
        if keys[above] <= key:
            break
        keys[at] = keys[above]
        at = above
    keys[at] = key


@compiled
def _sink(keys: NDArray[np.uint64], key: np.uint64) -> None:
    """Replace the least key of a full heap."""
    at, size = 0, len(keys)
    while True:
        below = 2 * at + 1
        if below >= size:
            break
        if below + 1 < size and keys[below + 1] < keys[below]:
            below += 1
        if keys[below] >= key:
            break
        keys[at] = keys[below]
        at = below
    keys[at] = key
