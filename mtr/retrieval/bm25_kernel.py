"""A BM25 query as compiled loops: the best rows of a matrix in columns of terms, without the true sum of every row.

The terms of a query are added from the rarest to the most frequent. Frequent ones come last and are added as levels
(`mtr.retrieval.bm25_levels`), which gives each row an upper bound, never more than so many steps too high. Of the
greatest bounds of blocks of rows the k-th is reached by k rows. A row whose bound is lower by more than those steps is
out; the others get their true sums and are sorted.

Sums are made in 32-bit floats, always in one order of the terms. The bits of floats that are not negative, read as
whole numbers, are in the order of the floats.
"""

import numpy as np
from numpy.typing import NDArray

from mtr.jit import compiled
from mtr.retrieval.topk_kernel import select

Columns = NDArray[np.int64]
Rows = NDArray[np.int32]
Sums = NDArray[np.float32]
Keys = NDArray[np.uint64]
Raised = NDArray[np.uint16] | NDArray[np.uint8]
Matrix = tuple[NDArray[np.int64], NDArray[np.uint32], Sums]
"""`indptr`, `indices`, `data`; whole numbers without a sign, since a place that may be negative costs a test."""

Levels = tuple[Rows, NDArray[np.uint8], Rows, np.float32]
"""`slots`, `levels`, `before`, `step`."""

Room = tuple[Sums, Raised]
"""Of each row the sum over the terms without levels, and the sum of levels; whatever they hold before is no matter."""

Found = tuple[Columns, Sums]
"""Rows and their sums, with places for min(k, rows) or more."""

_WORD = 8
_BLOCK = _WORD * _WORD
_MOST_WITH_LEVELS = 256
_FEW = 256
_ROUNDING = 2.4e-7
_INFINITE = np.float32(np.inf).view(np.int32)
_NEAR = 1 << 16
_TINY = np.finfo(np.float32).tiny
_ONE = np.uint64(1)
_BYTE = np.uint64(0xFF)
_EACH_BYTE = np.uint64(0x0101010101010101)
_BELOW_TOP = np.uint64(0x7F7F7F7F7F7F7F7F)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@compiled
def best_rows(columns: Columns, matrix: Matrix, levels: Levels, room: Room, k: int, found: Found) -> int:
    """Write at most k rows (k ≥ 1) of the greatest sum over the columns, and the sums, into `found`; how many they are.

    They stand in descending order, of equal ones the first; rows whose sum is 0 are left out. Levels are not used where
    there are not two blocks for each of k, where their sum may not fit, or where they leave in more rows than they
    spare.
    """
    order = in_order(columns, matrix[0])
    exact, every = 0, len(order)
    while exact < every and levels[0][order[exact]] < 0:
        exact += 1
    if 2 * k * _BLOCK > len(room[0]) or every - exact > _MOST_WITH_LEVELS:
        exact = every
    rows = _candidates(order, exact, matrix, levels, room, k)
    if exact < every and len(rows) * 8 > len(room[0]):
        exact = every
        rows = _candidates(order, exact, matrix, levels, room, k)
    sums = np.empty(len(rows), np.float32)
    for place in range(len(rows)):
        sums[place] = room[0][rows[place]]
    for column in order[exact:]:
        slot = levels[0][column]
        _look_up(sums, rows, levels[1][slot], levels[2][slot], matrix[2][matrix[0][column] : matrix[0][column + 1]])
    return _best(rows, sums, k, found)


@compiled
def in_order(columns: Columns, indptr: NDArray[np.int64]) -> Columns:
    """The columns from the shortest to the longest, of equal ones the first: the order in which they are added."""
    order = columns.copy()
    for at in range(1, len(order)):
        column, place = order[at], at
        length = indptr[column + 1] - indptr[column]
        while place > 0:
            before = order[place - 1]
            other = indptr[before + 1] - indptr[before]
            if other < length or (other == length and before <= column):
                break
            order[place] = before
            place -= 1
        order[place] = column
    return order


@compiled
def _candidates(order: Columns, exact: int, matrix: Matrix, levels: Levels, room: Room, k: int) -> Rows:
    """The rows that may be among the k best, ascending. The first room then holds the sums of the `exact` columns."""
    sums, raised = room
    for row in range(len(sums)):
        sums[row] = 0
    for column in order[:exact]:
        start, end = matrix[0][column], matrix[0][column + 1]
        _add(sums, matrix[1][start:end], matrix[2][start:end])
    several = len(order) - exact
    if several == 1:
        return _reaching(sums, levels[1][levels[0][order[exact]]], levels[3], len(order), k, 1)
    for column in order[exact : exact + 1]:
        _set(raised, levels[1][levels[0][column]])
    for column in order[exact + 1 :]:
        _raise(raised, levels[1][levels[0][column]])
    return _reaching(sums, raised, levels[3] if several else np.float32(0), len(order), k, several)


@compiled
def _reaching(sums: Sums, raised: Raised, step: np.float32, terms: int, k: int, several: int) -> Rows:
    """The rows whose bounds reach what k rows reach, less `several` steps and what rounding may take from a sum."""
    maxima = _maxima(sums, raised, step)
    floor = (_reached(maxima, k) - 1.01 * several * step) * (1 - _ROUNDING * (terms + 1))
    return _at_least(sums, raised, step, maxima, np.float32(max(floor, _TINY)))


@compiled
def _add(sums: Sums, rows: NDArray[np.uint32], scores: Sums) -> None:
    for at in range(len(rows)):
        sums[rows[at]] += scores[at]


@compiled
def _set(raised: Raised, levels: NDArray[np.uint8]) -> None:
    for row in range(len(raised)):
        raised[row] = levels[row]


@compiled
def _raise(raised: Raised, levels: NDArray[np.uint8]) -> None:
    for row in range(len(raised)):
        raised[row] += np.uint16(levels[row])


@compiled
def _maxima(sums: Sums, raised: Raised, step: np.float32) -> Rows:
    maxima = np.empty(len(sums) // _BLOCK, np.int32)
    for block in range(len(maxima)):
        first = block * _BLOCK
        exact, above = sums[first : first + _BLOCK], raised[first : first + _BLOCK]
        greatest = np.int32(0)
        for place in range(len(above)):
            greatest = max(greatest, np.float32(exact[place] + step * np.float32(above[place])).view(np.int32))
        maxima[block] = greatest
    return maxima


@compiled
def _reached(maxima: Rows, k: int) -> np.float32:
    """A bound that k of the maxima reach, less than a 128th below the greatest such bound; 0 where there is none.

    By halving, since many maxima may be equal.
    """
    low, high = np.int32(0), _INFINITE
    while high - low > _NEAR:
        middle, count = np.int32(low + (high - low) // 2), np.int32(0)
        for block in range(len(maxima)):
            count += np.int32(maxima[block] >= middle)
        if count >= k:
            low = middle
        else:
            high = middle
    return np.int32(low).view(np.float32)


@compiled
def _at_least(sums: Sums, raised: Raised, step: np.float32, maxima: Rows, floor: np.float32) -> Rows:
    """The rows whose upper bound reaches the floor."""
    least, count = np.float32(floor).view(np.int32), 0
    blocks = np.empty(len(maxima), np.int32)
    for block in range(len(maxima)):
        blocks[count] = block
        count += maxima[block] >= least
    marks = np.empty(count * _BLOCK, np.uint8)
    for place in range(count):
        first = blocks[place] * _BLOCK
        exact, above = sums[first : first + _BLOCK], raised[first : first + _BLOCK]
        part = marks[place * _BLOCK : place * _BLOCK + _BLOCK]
        for at in range(len(part)):
            part[at] = np.uint8(exact[at] + step * np.float32(above[at]) >= floor)
    words = marks.view(np.uint64)
    found, count = np.empty(len(marks), np.int32), 0
    for word in range(len(words)):
        if words[word]:
            first = blocks[word // _WORD] * _BLOCK + word % _WORD * _WORD
            for at in range(_WORD):
                found[count] = first + at
                count += marks[word * _WORD + at]
    return found[:count]


@compiled
def _look_up(sums: Sums, rows: Rows, levels: NDArray[np.uint8], before: Rows, scores: Sums) -> None:
    """Add the true scores of a column that has levels to the sums of these rows.

    Scores are stored without gaps, so a score's place is the number of levels above 0 in front of its row. That number
    is known for each eight rows; of its own eight the bytes that are not 0 are counted at once. Places are found first
    and scores read then: nearly every one is out of the caches, and so many are waited for together.
    """
    eights = levels.view(np.uint64)
    holders, places = np.empty(len(rows) + 1, np.int64), np.empty(len(rows) + 1, np.int64)
    count = np.int64(0)
    for holder in range(len(rows)):
        eight, shift = rows[holder] >> 3, np.uint64(8 * (rows[holder] & 7))
        front = eights[eight] & ((_ONE << shift) - _ONE)
        some = (((front & _BELOW_TOP) + _BELOW_TOP) | front) & ~_BELOW_TOP
        holders[count] = holder
        places[count] = before[eight] + np.int64(((some >> np.uint64(7)) * _EACH_BYTE) >> np.uint64(56))
        count += np.int64((eights[eight] >> shift) & _BYTE != np.uint64(0))
    for at in range(count):
        sums[holders[at]] += scores[places[at]]


@compiled
def _best(rows: Rows, sums: Sums, k: int, found: Found) -> int:
    """The k best in descending order. A key sorts as (sum ascending, row descending)."""
    keys = np.empty(len(rows), np.uint64)
    bits = sums.view(np.uint32)
    for place in range(len(rows)):
        keys[place] = (np.uint64(bits[place]) << _HALF) | (_LOW - np.uint64(rows[place]))
    if len(keys) > _FEW and len(keys) > k:
        select(keys, k)
        keys = keys[:k]
    keys = _descending(keys)
    count = min(k, len(keys))
    for place in range(count):
        found[0][place] = np.int64(_LOW - (keys[place] & _LOW))
        found[1][place] = np.uint32(keys[place] >> _HALF).view(np.float32)
    return count


@compiled
def _descending(keys: Keys) -> Keys:
    """Few keys, all different, are ranked by counting those above, which needs no branch; more are sorted."""
    if len(keys) > _FEW:
        keys.sort()
        return keys[::-1].copy()
    ordered = np.empty(len(keys), np.uint64)
    for place in range(len(keys)):
        key, above = keys[place], 0
        for other in range(len(keys)):
            above += keys[other] > key
        ordered[above] = key
    return ordered
