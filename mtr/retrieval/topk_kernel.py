"""The k best of each query while tiles of scores go by; why and when is told in `mtr.retrieval.exact`.

What a query keeps is a row of keys, in no order, with room for more than k. When the row is full the k best are
selected and the rest forgotten: that is cheaper than keeping a heap. From then on the k-th best score is the query's
floor, and only what is above it enters. Passages come in ascending order for each query, so one that ties with the
floor ranks behind the k that are kept, and the floor loses nothing.

Of each stretch of scores the places that may enter are noted first, without a branch for each score, and the few that
are noted are looked at then.

A key is an unsigned number that sorts as (score ascending, row number descending); 0 stands for an empty place.
"""

import numpy as np
from numpy.typing import NDArray

from mtr.jit import compiled

Keys = NDArray[np.uint64]
Floors = NDArray[np.float32]
Counts = NDArray[np.int64]
_STRIDE = 64
_SIGN = np.uint32(0x80000000)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@compiled
def _key(score: np.float32, passage: int) -> np.uint64:
    bits = np.float32(score + np.float32(0)).view(np.uint32)
    ordered = ~bits if bits & _SIGN else bits | _SIGN
    return (np.uint64(ordered) << _HALF) | (_LOW - np.uint64(passage))


@compiled
def _score(key: np.uint64) -> np.float32:
    ordered = np.uint32(key >> _HALF)
    return np.uint32(ordered ^ _SIGN if ordered & _SIGN else ~ordered).view(np.float32)


@compiled
def select(keys: Keys, k: int) -> None:
    """Move the k largest to the front, the smallest of them to place k − 1; the keys all differ.

    Quickselect after Hoare with Lomuto's partition, which needs no branch for each key.
    """
    low, high = 0, len(keys) - 1
    while low < high:
        middle = (low + high) // 2
        pivot = keys[middle]
        keys[middle] = keys[high]
        edge = low
        for at in range(low, high):
            key = keys[at]
            keys[at] = keys[edge]
            keys[edge] = key
            edge += key > pivot
        keys[high] = keys[edge]
        keys[edge] = pivot
        if edge == k - 1:
            return
        if edge > k - 1:
            high = edge - 1
        else:
            low = edge + 1


@compiled
def _forget(keys: Keys, k: int) -> np.float32:
    """Keep the k largest of a full row; the new floor."""
    select(keys, k)
    keys[k:] = 0
    return _score(keys[k - 1])


@compiled
def offer(tile: Floors, corner: tuple[int, int], exclude_self: bool, k: int, kept: tuple[Keys, Counts, Floors]) -> None:
    """Offer the passages of a tile to its queries; `corner` is its first query and passage, `kept` that of its rows."""
    keys, counts, floors = kept
    hits = np.empty(_STRIDE + 1, np.int64)
    for row in range(tile.shape[0]):
        line, mine, count, floor = tile[row], keys[row], counts[row], floors[row]
        for start in range(0, len(line), _STRIDE):
            part = line[start : start + _STRIDE]
            if not _some_above(part, floor):
                continue
            found = 0
            for place in range(len(part)):
                hits[found] = place
                found += part[place] > floor
            for place in hits[:found]:
                passage = corner[1] + start + place
                if part[place] > floor and not (exclude_self and passage == corner[0] + row):
                    mine[count] = _key(part[place], passage)
                    count += 1
                    if count == len(mine):
                        count, floor = k, _forget(mine, k)
        counts[row], floors[row] = count, floor


@compiled
def offer_both(tile: Floors, corner: tuple[int, int], k: int, kept: tuple[Keys, Counts, Floors]) -> None:
    """Where queries and passages are the same: offer the columns of a tile to its rows and its rows to its columns.

    `kept` is that of all queries.
    """
    keys, counts, floors = kept
    hits = np.empty(_STRIDE + 1, np.int64)
    for row in range(tile.shape[0]):
        query, line = corner[0] + row, tile[row]
        mine, count, floor = keys[query], counts[query], floors[query]
        for start in range(0, len(line), _STRIDE):
            part = line[start : start + _STRIDE]
            first = corner[1] + start
            theirs = floors[first : first + _STRIDE]
            if not _some_above_either(part, floor, theirs):
                continue
            found = 0
            for place in range(len(part)):
                hits[found] = place
                found += (part[place] > floor) | (part[place] > theirs[place])
            for place in hits[:found]:
                score, passage = part[place], first + place
                if score > floor:
                    mine[count] = _key(score, passage)
                    count += 1
                    if count == len(mine):
                        count, floor = k, _forget(mine, k)
                if score > floors[passage]:
                    held = counts[passage]
                    keys[passage, held] = _key(score, query)
                    held += 1
                    if held == keys.shape[1]:
                        held, floors[passage] = k, _forget(keys[passage], k)
                    counts[passage] = held
        counts[query], floors[query] = count, floor


@compiled
def _some_above(part: Floors, floor: np.float32) -> bool:
    """Without a branch for each score, so that it runs in vector registers."""
    above = np.int32(0)
    for place in range(len(part)):
        above |= np.int32(part[place] > floor)
    return bool(above)


@compiled
def _some_above_either(part: Floors, floor: np.float32, floors: Floors) -> bool:
    above = np.int32(0)
    for place in range(len(part)):
        above |= np.int32(part[place] > floor) | np.int32(part[place] > floors[place])
    return bool(above)
