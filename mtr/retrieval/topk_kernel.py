"""The k best of each query while tiles of scores go by; why and when is told in `mtr.retrieval.exact`.

The kept of one query are a heap in a row of `scores` and of `indices` (−1 where it is not yet full), the worst at
place 0. Passages come in ascending
order, so a new one that ties with a kept one ranks behind it.
"""

import numpy as np
from numpy.typing import NDArray

from mtr.jit import compiled

Scores = NDArray[np.float32]
Indices = NDArray[np.int32]


@compiled
def _add(scores: Scores, indices: Indices, count: int, score: float, passage: int) -> None:
    """Put a passage into a heap of `count` that has room."""
    place = count
    while place > 0:
        parent = (place - 1) // 2
        if scores[parent] < score:
            break
        scores[place], indices[place] = scores[parent], indices[parent]
        place = parent
    scores[place], indices[place] = score, passage


@compiled
def _replace_worst(scores: Scores, indices: Indices, score: float, passage: int) -> None:
    """Put a passage into a full heap in place of the worst."""
    k, place = len(scores), 0
    while 2 * place + 1 < k:
        child = 2 * place + 1
        other = child + 1
        if other < k:
            tied = scores[other] == scores[child]
            if scores[other] < scores[child] or (tied and indices[other] > indices[child]):
                child = other
        if scores[child] >= score:
            break
        scores[place], indices[place] = scores[child], indices[child]
        place = child
    scores[place], indices[place] = score, passage


@compiled
def keep_best(tile: Scores, corner: tuple[int, int], exclude_self: bool, indices: Indices, scores: Scores) -> None:
    """Offer a tile of scores to the heaps of its queries; `corner` is its first query and passage."""
    k = indices.shape[1]
    for row in range(tile.shape[0]):
        query = corner[0] + row
        count = k
        while count > 0 and indices[query, count - 1] < 0:
            count -= 1
        floor = scores[query, 0]
        for column in range(tile.shape[1]):
            score = tile[row, column]
            if count == k and score <= floor:
                continue
            passage = corner[1] + column
            if exclude_self and passage == query:
                continue
            if count < k:
                _add(scores[query], indices[query], count, score, passage)
                count += 1
            else:
                _replace_worst(scores[query], indices[query], score, passage)
            floor = scores[query, 0]
