"""Discounted cumulative gain. What a grade is worth is the whole difference between the two forms in use."""

import numpy as np

from mtr.evaluation.metrics.grades import Floats, Grades


def linear_gain(grades: Grades) -> Floats:
    """The grade itself, 0 below 0 (Järvelin and Kekäläinen 2002; trec_eval)."""
    return np.maximum(grades, 0).astype(np.float64)


def exponential_gain(grades: Grades) -> Floats:
    """2^grade − 1, 0 below 0 (Burges et al. 2005). A grade of 1 is worth 1 in both forms."""
    return np.exp2(linear_gain(grades)) - 1


def dcg(gains: Floats, k: int) -> Floats:
    """Σ gain at rank i / log₂(i + 1) over the first k ranks, as trec_eval and Burges et al. discount.

    Järvelin and Kekäläinen themselves do not discount the second rank.
    """
    within = gains[:, :k]
    return within @ (1 / np.log2(np.arange(2, within.shape[1] + 2)))


def ndcg(gains: Floats, ideal_gains: Floats, k: int) -> Floats:
    """DCG / DCG of the best order of all judged passages, each over k ranks; 0 where nothing is relevant.

    `ideal_gains` (n, j) stand in descending order.
    """
    best = dcg(ideal_gains, k)
    return np.divide(dcg(gains, k), best, out=np.zeros(best.size), where=best > 0)
