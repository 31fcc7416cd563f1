"""BM25 queries: `BM25Index.search` against bm25s' numpy backend, one query at a time, and against the formula itself.

    python -m benchmarks.lexical [--small]

Words are drawn by Zipf's law; a query has eight of them, from frequent to rare. bm25s is handed the same terms. Its top
passages are those of the greatest score too, but which of equal ones come first is left to argpartition.
"""

import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence

import bm25s
import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import measure_in_turn, print_figure, print_machine, size_options
from mtr.retrieval.analyzers import WORDS
from mtr.retrieval.bm25 import K1, B, BM25Index

LENGTH, QUERY, QUERIES, K, REPEAT = 80, 8, 200, 100, 25
SAME = 1e-6

Terms = list[list[str]]


def synthetic_terms(passages: int) -> tuple[Terms, Terms]:
    """Terms of passages of 40 to 120 words, and of queries that are drawn from single passages."""
    source = random.Random(1)
    words = [f"w{rank}" for rank in range(60_000)]
    weights = np.cumsum([1 / (rank + 10) for rank in range(len(words))]).tolist()
    texts = [
        source.choices(words, cum_weights=weights, k=source.randint(LENGTH // 2, LENGTH * 3 // 2))
        for _ in range(passages)
    ]
    return texts, [source.sample(source.choice(texts), QUERY) for _ in range(QUERIES)]


def formula(texts: Terms) -> Callable[[Sequence[str]], NDArray[np.float64]]:
    """Lucene's BM25 in 64-bit floats, term by term, for every passage."""
    counts = [Counter(text) for text in texts]
    containing = Counter(word for count in counts for word in count)
    lengths = np.array([len(text) for text in texts], np.float64)
    norms = K1 * (1 - B + B * lengths / lengths.mean())

    def scores(query: Sequence[str]) -> NDArray[np.float64]:
        total = np.zeros(len(texts))
        for word in query:
            idf = math.log(1 + (len(texts) - containing[word] + 0.5) / (containing[word] + 0.5))
            often = np.array([count[word] for count in counts], np.float64)
            total += idf * often / (often + norms)
        return total

    return scores


def in_order(index: BM25Index, query: Sequence[str]) -> bool:
    """Whether a search gives the best by score, of equal ones the first."""
    scores = index.scores(query)
    best = sorted(np.flatnonzero(scores > 0).tolist(), key=lambda row: (-scores[row], row))[:K]
    return [name for name, _ in index.search(" ".join(query), K)] == [index.passage_ids[row] for row in best]


def main() -> int:
    """Print the ratio; 1 when it is missed, a score is off, or an order is not determined."""
    passages = 5_000 if size_options("BM25 against bm25s") else 50_000
    print_machine(["numpy", "bm25s"])
    texts, queries = synthetic_terms(passages)
    names = [str(number) for number in range(passages)]
    index = BM25Index.of_terms(names, texts, WORDS)
    model = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numpy")
    model.index(texts, show_progress=False)
    spoken = [" ".join(query) for query in queries]

    def ours() -> None:
        for query in spoken:
            index.search(query, K)

    def theirs() -> None:
        for query in queries:
            model.retrieve([query], corpus=names, k=K, show_progress=False, backend_selection="numpy", n_threads=0)

    mine, other = measure_in_turn(ours, theirs, REPEAT)
    print(f"{passages} passages of about {LENGTH} words, {QUERIES} queries of {QUERY} words, the best {K}")
    each = [1000 * one.cpu / QUERIES for one in (other, mine)]
    print(f"bm25s {each[0]:.3f} CPU-ms a query, ours {each[1]:.3f}, analysis included")
    exact = formula(texts)
    gap = max(float(np.abs(index.scores(query) / np.maximum(exact(query), 1e-30) - 1)[exact(query) > 0].max())
              for query in queries[:5])  # fmt: skip
    near = print_figure("greatest relative difference from the formula", gap, "≤ 1e-6", gap <= SAME)
    ordered = all(in_order(index, query) for query in queries)
    print(f"equal scores in passage order: {'yes' if ordered else 'NO'}")
    ratio = mine.cpu / other.cpu
    reached = print_figure("BM25Index.search / bm25s, CPU", ratio, "≤ 0.1", ratio <= 0.1)
    return 0 if near and ordered and reached else 1


if __name__ == "__main__":
    sys.exit(main())
