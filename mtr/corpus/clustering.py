"""Greedy traversal: topic clusters as short walks from neighbour to neighbour, losing no passage.

**Walk.** Start at the smallest unvisited passage; step to the first unvisited passage in the current one's neighbour
list; start a new cluster when there is none, or when the cluster has `cluster_size` members.

**Merge.** Go through the clusters in the order in which they were begun. One that is shorter than `cluster_size` *at
that moment* is dissolved: its members, in order, are each inserted just before the first passage of their neighbour
list that lives in another cluster at that moment. So

- a cluster may exceed the size, also a short one that has not had its turn; such a cluster, grown to the size by what
  was inserted, is not dissolved, and what was inserted into one that is dissolved moves on with it;
- a mate that has just moved lives in another cluster, and may be the one a later member is put before;
- a member that has no neighbour in another cluster stays. Those who stay keep their order and remain a short cluster,
  whose turn is over; later clusters may still be merged into it.

Where the last rule never applies the clusters are those of the reference; where it does, the reference loses the
passage. Clusters keep the order in which they were begun; empty ones vanish.
"""

import numpy as np
from numpy.typing import NDArray

from mtr.errors import InputError


def greedy_clusters(neighbours: NDArray[np.int32], cluster_size: int = 8) -> list[list[int]]:
    """Every passage in exactly one cluster, as row numbers in walking order.

    `neighbours` has shape (passages, k): row numbers, nearest first, −1 for "no neighbour"; a passage in its own list
    is passed over. Time and memory grow with its size alone.
    Raises `InputError` when the shape, a row number or `cluster_size` makes no sense.
    """
    _check_shape(neighbours, cluster_size)
    if not len(neighbours):
        return []
    from mtr.corpus import walk_kernel  # noqa: PLC0415 - imports numba

    table = _narrow(neighbours)
    wrong = walk_kernel.first_wrong(table)
    if wrong >= 0:
        raise InputError(
            f"neighbours of passage {wrong}: {neighbours[wrong].tolist()} names a row that does not exist; "
            f"there are {len(table)} passages, and −1 stands for none"
        )
    cluster_of = np.full(len(table), -1, np.int32)
    links = np.full((2, len(table)), -1, np.int32)
    first = walk_kernel.walk(table, cluster_size, cluster_of, links)
    walk_kernel.dissolve(table, cluster_size, cluster_of, links, first)
    order = np.empty(len(table), np.int32)
    ends = walk_kernel.in_order(links, first, order).tolist()
    rows = order.tolist()
    return [rows[start:end] for start, end in zip([0, *ends], ends, strict=False) if end > start]


def _check_shape(neighbours: NDArray[np.int32], cluster_size: int) -> None:
    if cluster_size < 1:
        raise InputError(f"cluster_size is {cluster_size}; it must be 1 or more")
    if neighbours.ndim != 2 or neighbours.dtype.kind not in "iu":
        raise InputError(
            f"neighbours must be whole numbers of shape (passages, k), not {neighbours.dtype} of {neighbours.shape}"
        )


def _narrow(neighbours: NDArray[np.int32]) -> NDArray[np.int32]:
    """The table as int32; a number too large for that becomes one that is wrong all the same."""
    if neighbours.dtype != np.int32:
        neighbours = np.clip(neighbours.astype(np.int64), -2, np.iinfo(np.int32).max)
    return np.ascontiguousarray(neighbours, dtype=np.int32)
