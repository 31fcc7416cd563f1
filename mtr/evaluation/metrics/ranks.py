"""Metrics of the ranks at which relevant passages stand."""

import numpy as np

from mtr.evaluation.metrics.grades import Bools, Counts, Floats


def reciprocal_rank(hits: Bools, k: int) -> Floats:
    """1 / rank of the first relevant passage, 0 where none is among the first k (Voorhees 1999); its mean is MRR."""
    within = hits[:, :k]
    if not within.shape[1]:
        return np.zeros(hits.shape[0])
    return np.asarray(within.any(axis=1) / (within.argmax(axis=1) + 1), dtype=np.float64)


def average_precision(hits: Bools, relevant: Counts, k: int) -> Floats:
    """The sum of the precisions at the relevant ranks up to k, / |relevant| (trec_eval's map and map_cut); mean: MAP.

    The divisor is the number of all relevant passages, also where it is greater than k.
    """
    within = hits[:, :k]
    precisions = np.cumsum(within, axis=1) / np.arange(1, within.shape[1] + 1)
    total: Floats = np.where(within, precisions, 0.0).sum(axis=1)
    return np.divide(total, relevant, out=np.zeros(total.size), where=relevant > 0)
