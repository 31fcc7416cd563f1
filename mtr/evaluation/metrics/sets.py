"""Metrics of the first k passages as a set, whatever their order. `hits` (n, d) says which ranks are relevant."""

import numpy as np

from mtr.evaluation.metrics.grades import Bools, Counts, Floats


def precision(hits: Bools, k: int) -> Floats:
    """|relevant ∩ first k| / k, also where fewer than k were retrieved (van Rijsbergen 1979; trec_eval's P)."""
    return np.asarray(_found(hits, k) / k, dtype=np.float64)


def recall(hits: Bools, relevant: Counts, k: int) -> Floats:
    """|relevant ∩ first k| / |relevant|, 0 where nothing is relevant (van Rijsbergen 1979; trec_eval's recall)."""
    return _share(_found(hits, k), relevant)


def f1(hits: Bools, relevant: Counts, k: int) -> Floats:
    """2PR / (P + R) = 2 |relevant ∩ first k| / (k + |relevant|), the harmonic mean (van Rijsbergen 1979, 1 − E)."""
    return np.asarray(2 * _found(hits, k) / (k + relevant), dtype=np.float64)


def success(hits: Bools, k: int) -> Floats:
    """1 where any of the first k is relevant, else 0: the hit rate (trec_eval's success)."""
    return np.asarray(hits[:, :k].any(axis=1), dtype=np.float64)


def judged(judged_ranks: Bools, retrieved: Counts, k: int) -> Floats:
    """The share of the first k retrieved passages that have a judgement; of those retrieved, where they are fewer.

    Low values say that the other metrics rest on little (Buckley and Voorhees 2004 on incomplete judgements).
    """
    return _share(_found(judged_ranks, k), np.minimum(retrieved, k))


def _found(hits: Bools, k: int) -> Counts:
    return np.asarray(np.count_nonzero(hits[:, :k], axis=1), dtype=np.int64)


def _share(part: Counts, whole: Counts) -> Floats:
    return np.divide(part, whole, out=np.zeros(part.size), where=whole > 0)
