"""Exact neighbours: `nearest` against faiss' flat index and against the product alone, and the memory it takes.

    python -m benchmarks.flat [--small]

The vectors are those of `benchmarks.nearest`. Both search the neighbours of every passage, itself included.
"""

import resource
import sys

import faiss
import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import measure, measure_in_turn, print_figure, print_machine, size_options
from benchmarks.nearest import DIMENSIONS, K, product_alone, synthetic_vectors
from mtr.retrieval.exact import BLOCK, nearest

SAME = 1e-6


def differing(
    ours: tuple[NDArray[np.int32], NDArray[np.float32]], theirs: NDArray[np.int64], vectors: NDArray[np.float32]
) -> int:
    """Neighbours that one side has and the other lacks, unless they score within 1e-6 of the last one."""
    wrong = 0
    for row, (mine, other) in enumerate(zip(ours[0].tolist(), theirs.tolist(), strict=True)):
        if odd := sorted(set(mine) ^ set(other)):
            scores = vectors[odd].astype(np.float64) @ vectors[row].astype(np.float64)
            wrong += int((np.abs(scores - float(ours[1][row, -1])) > SAME).sum())
    return wrong


def peak() -> int:
    """The most memory this process has held so far, in bytes."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> int:
    """Print the ratios; 1 when a goal is missed or the neighbours differ."""
    passages = 8_000 if size_options("Exact neighbours against faiss") else 40_000
    print_machine(["numpy", "numba", "faiss-cpu"])
    vectors = synthetic_vectors(passages)
    warm = vectors[: BLOCK + 1]
    nearest(warm, warm, 1)
    before = peak()
    mine = measure(lambda: nearest(vectors, vectors, K), repeat=2)
    grown = peak() - before
    index = faiss.IndexFlatIP(DIMENSIONS)
    index.add(vectors)
    flat, product = measure_in_turn(lambda: index.search(vectors, K), lambda: product_alone(vectors, vectors), repeat=2)
    print(f"{passages} passages of {DIMENSIONS} dimensions, {K} neighbours each")
    print(f"product alone {product.cpu:.1f} CPU-s, faiss flat {flat.cpu:.1f}, nearest {mine.cpu:.1f}")
    print(f"nearest took {grown / 2**20:.0f} MiB, all pairs would be {4 * passages**2 / 2**20:.0f} MiB")
    wrong = differing(mine.result, flat.result[1], vectors)
    print(f"neighbours that differ by more than {SAME:g} in score: {wrong}")
    faster = print_figure("faiss flat / nearest, CPU", flat.cpu / mine.cpu, "≥ 1.5", flat.cpu >= 1.5 * mine.cpu)
    half = print_figure("product alone / nearest, CPU", product.cpu / mine.cpu, "≥ 0.5", product.cpu >= 0.5 * mine.cpu)
    return 0 if faster and half and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
