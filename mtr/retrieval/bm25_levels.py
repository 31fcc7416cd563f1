"""Frequent terms of a BM25 index as rows of bytes: an upper bound of the term's score for every passage.

A term that every fourth passage holds costs a query most and tells least. Its scores are rounded up to whole steps, the
levels. They are added by vector instructions and take an eighth of the memory to read; the true scores are looked up
for the few passages that can be among the best. Made when an index is first searched, in milliseconds.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_BLOCK = 64
_WORD = 8
_SHARE = 4
_FEWEST = 4096
_HIGHEST = 254


@dataclass(frozen=True)
class Levels:
    """`slots` (terms,) int32: the row of a frequent term, −1 for others. `step` × level ≥ score, by less than a step.

    `levels` (frequent, n) uint8: 0 where the passage lacks the term; n is the number of passages, filled up to whole
    blocks of 64. `before` (frequent, n / 8) int32: how many levels above 0 stand in front of each eight.
    """

    slots: NDArray[np.int32]
    levels: NDArray[np.uint8]
    before: NDArray[np.int32]
    step: np.float32


def levels_of(
    data: NDArray[np.float32], indices: NDArray[np.int32], indptr: NDArray[np.int64], passages: int
) -> Levels:
    """The levels of a matrix in columns of terms; none where there are so few passages that they gain nothing."""
    lengths = np.diff(indptr)
    frequent = np.flatnonzero((lengths * _SHARE >= passages) & (passages >= _FEWEST))
    columns = [slice(indptr[column], indptr[column + 1]) for column in frequent]
    step = np.float32(max((data[column].max() for column in columns), default=0) / _HIGHEST)
    levels = np.zeros((len(columns), padded(passages)), np.uint8)
    for row, column in zip(levels, columns, strict=True):
        rounded = np.ceil(data[column] / step)
        row[indices[column]] = rounded + (step * rounded < data[column])
    filled = np.count_nonzero(levels.reshape(len(levels), padded(passages) // _WORD, _WORD), axis=2)
    slots = np.full(len(lengths), -1, np.int32)
    slots[frequent] = np.arange(len(frequent))
    return Levels(slots, levels, (np.cumsum(filled, axis=1) - filled).astype(np.int32), step)


def padded(passages: int) -> int:
    """The number of passages, filled up to whole blocks."""
    return -(-passages // _BLOCK) * _BLOCK
