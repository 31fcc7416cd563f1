"""Greedy traversal in plain Python, with sets, dicts and lists: the rules of `mtr.corpus.clustering`."""

from collections.abc import Sequence


def oracle_clusters(neighbours: Sequence[Sequence[int]], cluster_size: int) -> list[list[int]]:
    """The clusters of the walk after the merge."""
    clusters = oracle_walk(neighbours, cluster_size)
    cluster_of = {passage: cluster for cluster, members in clusters.items() for passage in members}
    for cluster, members in clusters.items():
        if len(members) >= cluster_size:
            continue
        staying = []
        for passage in members:
            host = first_elsewhere(neighbours[passage], cluster, cluster_of)
            if host is None:
                staying.append(passage)
                continue
            cluster_of[passage] = cluster_of[host]
            target = clusters[cluster_of[host]]
            target.insert(target.index(host), passage)
        members[:] = staying
    return [members for members in clusters.values() if members]


def oracle_walk(neighbours: Sequence[Sequence[int]], cluster_size: int) -> dict[int, list[int]]:
    """The walks before the merge, by number."""
    clusters: dict[int, list[int]] = {}
    visited: set[int] = set()
    for start in range(len(neighbours)):
        if start in visited:
            continue
        members = clusters.setdefault(len(clusters), [])
        step: int | None = start
        while step is not None:
            members.append(step)
            visited.add(step)
            step = None if len(members) == cluster_size else first_unvisited(neighbours[step], visited)
    return clusters


def first_unvisited(row: Sequence[int], visited: set[int]) -> int | None:
    """The first passage of a neighbour list that no cluster has."""
    for neighbour in row:
        if neighbour != -1 and neighbour not in visited:
            return neighbour
    return None


def first_elsewhere(row: Sequence[int], cluster: int, cluster_of: dict[int, int]) -> int | None:
    """The first passage of a neighbour list that lives in another cluster."""
    for neighbour in row:
        if neighbour != -1 and cluster_of[neighbour] != cluster:
            return neighbour
    return None
