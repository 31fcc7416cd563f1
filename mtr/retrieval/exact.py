"""Exact nearest passages by inner product: the one kernel for neighbours, dense search and scoring retrievers.

Blocks of queries are multiplied with blocks of passages (BLAS, float32), and a heap of the k best for each query goes
over each tile of scores while it is warm. There is never a matrix of all pairs: beside the inputs and the result the
memory is one tile, `QUERY_BLOCK × PASSAGE_BLOCK × 4` bytes (4 MiB).
"""

import numpy as np
from numpy.typing import NDArray

from mtr.errors import InputError

QUERY_BLOCK = 256
PASSAGE_BLOCK = 4096


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
    queries, passages = _checked("queries", queries), _checked("passages", passages)
    if queries.shape[1] != passages.shape[1]:
        raise InputError(
            f"queries have {queries.shape[1]} dimensions and passages {passages.shape[1]}; embed them alike"
        )
    if k < 0:
        raise InputError(f"k is {k}; it must be 0 or more")
    m, n = len(queries), len(passages)
    indices = np.full((m, k), -1, np.int32)
    scores = np.full((m, k), -np.inf, np.float32)
    if not (m and n and k):
        return indices, scores
    from mtr.retrieval.topk_kernel import keep_best  # noqa: PLC0415 - imports numba

    width = min(k, n)
    for row in range(0, m, QUERY_BLOCK):
        block = queries[row : row + QUERY_BLOCK]
        for column in range(0, n, PASSAGE_BLOCK):
            tile = block @ passages[column : column + PASSAGE_BLOCK].T
            keep_best(tile, (row, column), exclude_self, indices[:, :width], scores[:, :width])
    order = np.lexsort((np.where(indices < 0, n, indices), -scores))
    return np.take_along_axis(indices, order, axis=1), np.take_along_axis(scores, order, axis=1)


def _checked(name: str, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    vectors = np.ascontiguousarray(vectors, dtype=np.float32)
    if vectors.ndim != 2:
        raise InputError(f"{name} must have the shape (rows, dimensions), not {vectors.shape}")
    bad = ~np.isfinite(vectors.max(axis=1, initial=0) - vectors.min(axis=1, initial=0))
    if bad.any():
        raise InputError(f"{name}: row {int(bad.argmax())} holds NaN or infinity; embed it again")
    return vectors
