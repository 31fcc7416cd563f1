"""Exact nearest passages by inner product: the one kernel for neighbours, dense search and scoring retrievers.

Blocks of queries are multiplied with blocks of passages (BLAS, float32), and a compiled loop picks the k best of each
query from each tile of scores while it is warm. Where queries and passages are the same array each tile off the
diagonal serves both its rows and its columns, so that half the products are saved.

There is never a matrix of all pairs. Beside the inputs and the result the memory is one tile (`BLOCK² × 4` bytes,
16 MiB) and, for each query of a block, or every query where both arrays are the same, 1.5 k + 16 keys of 8 bytes, but
never more than there are passages.
"""

import numpy as np
from numpy.typing import NDArray

from mtr.errors import InputError

BLOCK = 2048
Result = tuple[NDArray[np.int32], NDArray[np.float32]]
Kept = tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.float32]]


def nearest(
    queries: NDArray[np.float32], passages: NDArray[np.float32], k: int, *, exclude_self: bool = False
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The k passages with the highest inner product for each query: row numbers and scores, both of shape (queries, k).

    `queries` has shape (m, d) and `passages` (n, d); with rows of length one the score is the cosine. A row is in
    descending order of score, and of ascending row number where scores are equal, so the same input gives the same
    output on one machine. `exclude_self` leaves out passage i for query i. Where fewer than k passages are left, the
    row is filled up with −1 and a score of −inf.
    Raises `InputError` for shapes that do not fit and for NaN or infinity.
    """
    same = queries is passages
    passages = _checked("passages", passages)
    queries = passages if same else _checked("queries", queries)
    if queries.shape[1] != passages.shape[1]:
        raise InputError(f"queries have {queries.shape[1]} dimensions and passages {passages.shape[1]}; embed alike")
    if k < 0:
        raise InputError(f"k is {k}; it must be 0 or more")
    indices = np.full((len(queries), k), -1, np.int32)
    scores = np.full((len(queries), k), -np.inf, np.float32)
    width = min(k, len(passages))
    if width:
        result = indices[:, :width], scores[:, :width]
        if same:
            _among(passages, exclude_self, result)
        else:
            _across(queries, passages, exclude_self, result)
    return indices, scores


def _checked(name: str, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    vectors = np.ascontiguousarray(vectors, dtype=np.float32)
    if vectors.ndim != 2:
        raise InputError(f"{name} must have the shape (rows, dimensions), not {vectors.shape}")
    bad = ~np.isfinite(vectors.max(axis=1, initial=0) - vectors.min(axis=1, initial=0))
    if bad.any():
        raise InputError(f"{name}: row {int(bad.argmax())} holds NaN or infinity; embed it again")
    return vectors


def _across(queries: NDArray[np.float32], passages: NDArray[np.float32], exclude_self: bool, result: Result) -> None:
    from mtr.retrieval.topk_kernel import offer  # noqa: PLC0415 - imports numba

    k, room = result[0].shape[1], _room(len(queries), len(passages))
    for row in range(0, len(queries), BLOCK):
        block = queries[row : row + BLOCK]
        kept = _nothing_kept(len(block), k, len(passages))
        for column in range(0, len(passages), BLOCK):
            tile = _product(block, passages[column : column + BLOCK], room)
            offer(tile, (row, column), exclude_self, k, kept)
        _read(kept[0], (result[0][row : row + BLOCK], result[1][row : row + BLOCK]))


def _among(passages: NDArray[np.float32], exclude_self: bool, result: Result) -> None:
    """Blocks in ascending order, so that each query meets the passages in ascending order here too."""
    from mtr.retrieval.topk_kernel import offer, offer_both  # noqa: PLC0415 - imports numba

    k, room = result[0].shape[1], _room(len(passages), len(passages))
    kept = _nothing_kept(len(passages), k, len(passages))
    for row in range(0, len(passages), BLOCK):
        block = passages[row : row + BLOCK]
        end = row + len(block)
        offer(_product(block, block, room), (row, row), exclude_self, k, _rows(kept, row, end))
        for column in range(end, len(passages), BLOCK):
            offer_both(_product(block, passages[column : column + BLOCK], room), (row, column), k, kept)
        _read(kept[0][row:end], (result[0][row:end], result[1][row:end]))


def _room(m: int, n: int) -> NDArray[np.float32]:
    return np.empty(min(m, BLOCK) * min(n, BLOCK), np.float32)


def _product(block: NDArray[np.float32], other: NDArray[np.float32], room: NDArray[np.float32]) -> NDArray[np.float32]:
    """The scores of a tile, in memory that is used again for the next one."""
    tile = room[: len(block) * len(other)].reshape(len(block), len(other))
    return np.matmul(block, other.T, out=tile)


def _nothing_kept(rows: int, k: int, passages: int) -> Kept:
    """Keys, how many there are, and the floor, by query; see `mtr.retrieval.topk_kernel`."""
    keys = np.zeros((rows, min(k + k // 2 + 16, passages)), np.uint64)
    return keys, np.zeros(rows, np.int64), np.full(rows, -np.inf, np.float32)


def _rows(kept: Kept, start: int, end: int) -> Kept:
    return kept[0][start:end], kept[1][start:end], kept[2][start:end]


def _read(keys: NDArray[np.uint64], result: Result) -> None:
    """Sort the keys of a block in place and write row numbers and scores of the best; empty places stay as they are."""
    k = result[0].shape[1]
    keys.sort(axis=1)
    best = keys[:, : -k - 1 : -1]
    ordered = (best >> np.uint64(32)).astype(np.uint32)
    bits = np.where(ordered & 0x80000000, ordered ^ np.uint32(0x80000000), ~ordered)
    full = best != 0
    result[0][full] = (~best).astype(np.uint32)[full]
    result[1][full] = bits.view(np.float32)[full]
