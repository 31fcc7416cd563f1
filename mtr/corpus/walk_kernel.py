"""The loops of greedy traversal over flat arrays; what they mean is told in `mtr.corpus.clustering`.

A cluster is a linked list: `links[AFTER, p]` and `links[BEFORE, p]` are the passages beside `p`, −1 at an end, so that
inserting costs the same however long the cluster is.
"""

import numpy as np
from numpy.typing import NDArray

from mtr.jit import compiled

Rows = NDArray[np.int32]
AFTER, BEFORE = 0, 1


@compiled
def first_wrong(neighbours: Rows) -> int:
    """The first passage that names a row that does not exist, or −1."""
    for passage in range(len(neighbours)):
        for neighbour in neighbours[passage]:
            if neighbour < -1 or neighbour >= len(neighbours):
                return passage
    return -1


@compiled
def walk(neighbours: Rows, cluster_size: int, cluster_of: Rows, links: Rows) -> Rows:
    """Fill `cluster_of` and `links` (all −1 before); the first passage of each cluster."""
    first = np.empty(len(neighbours), np.int32)
    clusters = 0
    for start in range(len(neighbours)):
        if cluster_of[start] >= 0:
            continue
        first[clusters] = start
        current, length, step = -1, 0, start
        while step >= 0:
            cluster_of[step] = clusters
            links[BEFORE, step] = current
            if current >= 0:
                links[AFTER, current] = step
            current = step
            length += 1
            step = -1 if length == cluster_size else _first_unvisited(neighbours[current], cluster_of)
        clusters += 1
    return first[:clusters]


@compiled
def _first_unvisited(row: Rows, cluster_of: Rows) -> int:
    for neighbour in row:
        if neighbour >= 0 and cluster_of[neighbour] < 0:
            return int(neighbour)
    return -1


@compiled
def _first_elsewhere(row: Rows, cluster: int, cluster_of: Rows) -> int:
    for neighbour in row:
        if neighbour >= 0 and cluster_of[neighbour] != cluster:
            return int(neighbour)
    return -1


@compiled
def dissolve(neighbours: Rows, cluster_size: int, cluster_of: Rows, links: Rows, first: Rows) -> None:
    """Move the members of short clusters; `first` becomes −1 for those left empty."""
    length = np.zeros(len(first), np.int64)
    for passage in range(len(neighbours)):
        length[cluster_of[passage]] += 1
    for cluster in range(len(first)):
        if length[cluster] >= cluster_size:
            continue
        member = first[cluster]
        while member >= 0:
            following = links[AFTER, member]
            host = _first_elsewhere(neighbours[member], cluster, cluster_of)
            if host >= 0:
                _move(member, host, cluster_of, links, first)
                length[cluster_of[host]] += 1
            member = following


@compiled
def _move(member: int, host: int, cluster_of: Rows, links: Rows, first: Rows) -> None:
    """Take a passage out of its cluster and put it just before `host`."""
    left, right = links[BEFORE, member], links[AFTER, member]
    if left >= 0:
        links[AFTER, left] = right
    else:
        first[cluster_of[member]] = right
    if right >= 0:
        links[BEFORE, right] = left
    left = links[BEFORE, host]
    links[BEFORE, member], links[AFTER, member], links[BEFORE, host] = left, host, member
    if left >= 0:
        links[AFTER, left] = member
    else:
        first[cluster_of[host]] = member
    cluster_of[member] = cluster_of[host]


@compiled
def in_order(links: Rows, first: Rows, order: Rows) -> NDArray[np.int64]:
    """Write the passages into `order`, cluster by cluster; where each ends there, an empty one where it begins."""
    ends = np.zeros(len(first), np.int64)
    written = 0
    for cluster in range(len(first)):
        passage = first[cluster]
        while passage >= 0:
            order[written] = passage
            written += 1
            passage = links[AFTER, passage]
        ends[cluster] = written
    return ends
