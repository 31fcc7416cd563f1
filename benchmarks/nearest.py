"""Exact neighbours among one set of passages: `nearest` against the product alone, and against numpy's usual way.

    python -m benchmarks.nearest [--small]

The product alone (the same blocks through BLAS, nothing picked) is the bound of every method that computes all scores;
using symmetry `nearest` may pass it. The usual way picks the k best of each block of rows with argpartition and sorts
them. Vectors lie around centres, as embeddings do.
"""

import sys

import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import measure, print_figure, print_machine, size_options
from mtr.retrieval.exact import BLOCK, nearest

DIMENSIONS, K = 384, 100


def synthetic_vectors(passages: int) -> NDArray[np.float32]:
    """Shape (passages, DIMENSIONS), rows of length one, fifty around a centre on average."""
    random = np.random.default_rng(1)
    centres = random.normal(size=(passages // 50, DIMENSIONS))
    vectors = centres[random.integers(0, len(centres), passages)] + random.normal(size=(passages, DIMENSIONS))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def product_alone(queries: NDArray[np.float32], passages: NDArray[np.float32]) -> None:
    """All scores in tiles, each overwritten by the next."""
    room = np.empty((BLOCK, BLOCK), np.float32)
    for row in range(0, len(queries), BLOCK):
        block = queries[row : row + BLOCK]
        for column in range(0, len(passages), BLOCK):
            other = passages[column : column + BLOCK]
            np.matmul(block, other.T, out=room.reshape(-1)[: len(block) * len(other)].reshape(len(block), -1))


def usual_way(queries: NDArray[np.float32], passages: NDArray[np.float32]) -> NDArray[np.int64]:
    """The K best by argpartition over whole rows of scores, 512 queries at a time; ties in any order."""
    blocks = []
    for row in range(0, len(queries), 512):
        scores = queries[row : row + 512] @ passages.T
        best = np.argpartition(scores, -K, axis=1)[:, -K:]
        order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1)
        blocks.append(np.take_along_axis(best, order, axis=1))
    return np.concatenate(blocks)


def main() -> int:
    """Print the ratios; 1 when the usual way is not beaten, or finds other passages."""
    passages = 8_000 if size_options("Exact neighbours against numpy") else 40_000
    print_machine(["numpy", "numba"])
    vectors = synthetic_vectors(passages)
    queries = vectors.copy()
    nearest(vectors[:300], vectors[:300].copy(), K)
    warm = vectors[: BLOCK + 1]
    nearest(warm, warm, 1)
    product = measure(lambda: product_alone(queries, vectors))
    across = measure(lambda: nearest(queries, vectors, K))
    among = measure(lambda: nearest(vectors, vectors, K))
    usual = measure(lambda: usual_way(queries, vectors))
    same = float(np.mean(np.sort(across.result[0], axis=1) == np.sort(usual.result, axis=1)))
    print(f"{passages} passages of {DIMENSIONS} dimensions, {K} neighbours each")
    for name, seconds in {
        "product alone": product.cpu,
        "nearest": across.cpu,
        "nearest among one set": among.cpu,
        "usual way": usual.cpu,
    }.items():
        print(f"{name}: {seconds:.1f} CPU-s, {product.cpu / seconds:.2f} of the product's speed")
    print(f"places that hold the same passage as with the usual way: {same:.6f}")
    ratio = usual.cpu / among.cpu
    reached = print_figure("usual way / nearest among one set, CPU", ratio, "≥ 1.5", ratio >= 1.5)
    return 0 if reached and same > 0.9999 else 1


if __name__ == "__main__":
    sys.exit(main())
