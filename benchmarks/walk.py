"""Greedy traversal on given neighbours: the compiled loops against the plain Python oracle, and that both agree.

    python -m benchmarks.walk [--small]

Neighbours are exact within a window of a corpus laid out along a line, and then numbered at random, so that walks run
dry and clusters are merged as in a real corpus. Making them is not measured, nor is turning them into lists for the
oracle. The goal is meant for the full size.
"""

import sys

import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import measure, print_figure, print_machine, size_options
from mtr.corpus.clustering import greedy_clusters
from mtr.retrieval.exact import nearest
from tests.support.clustering_oracle import oracle_clusters, oracle_walk

CLUSTER_SIZE, K, DIMENSIONS, WINDOW = 8, 100, 16, 500


def synthetic_neighbours(passages: int) -> NDArray[np.int32]:
    """Shape (passages, K): the nearest of the passages in the window and the two beside it."""
    random = np.random.default_rng(1)
    vectors = random.normal(size=(passages, DIMENSIONS)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    numbers = random.permutation(passages).astype(np.int32)
    table = np.empty((passages, K), np.int32)
    for start in range(0, passages, WINDOW):
        low, high = max(0, start - WINDOW), start + 2 * WINDOW
        found, _ = nearest(vectors[start : start + WINDOW], vectors[low:high], K + 1)
        itself = found + low == np.arange(start, start + len(found))[:, None]
        table[numbers[start : start + WINDOW]] = numbers[low + found[~itself].reshape(len(found), K)]
    return table


def main() -> int:
    """Print the ratio; 1 when it or the clusters are not as they should be."""
    small = size_options("Greedy walk against plain Python")
    passages = 10_000 if small else 100_000
    print_machine(["numpy", "numba"])
    warm_up = measure(lambda: greedy_clusters(np.zeros((1, 1), np.int32)))
    print(
        f"import of numba and warm-up (compiling, or reading compiled code): {warm_up.cpu:.2f} CPU-s, not counted below"
    )
    neighbours = synthetic_neighbours(passages)
    rows = neighbours.tolist()
    oracle = measure(lambda: oracle_clusters(rows, CLUSTER_SIZE), repeat=5)
    ours = measure(lambda: greedy_clusters(neighbours, CLUSTER_SIZE), repeat=5)
    short = sum(len(members) < CLUSTER_SIZE for members in oracle_walk(rows, CLUSTER_SIZE).values())
    print(f"{passages} passages, {K} neighbours each; {len(ours.result)} clusters, {short} short ones dissolved")
    print(f"plain Python {oracle.cpu:.3f} CPU-s, compiled {ours.cpu:.4f} CPU-s")
    reached = print_figure("CPU ratio", ours.cpu / oracle.cpu, "≤ 0.1", ours.cpu <= 0.1 * oracle.cpu)
    same = ours.result == oracle.result
    print(f"identical clusters: {'yes' if same else 'NO'}")
    return 0 if same and (reached or small) else 1


if __name__ == "__main__":
    sys.exit(main())
