"""Reciprocal rank fusion: several rankings of the same things into one, by rank alone."""

from collections import defaultdict
from collections.abc import Sequence


def reciprocal_rank_fusion(rankings: Sequence[Sequence[str]], k: int = 60) -> list[str]:
    """Ids by the sum of 1 / (k + rank), ranks from 1, ties by id.

    Cormack, Clarke, Buettcher (2009), "Reciprocal rank fusion outperforms Condorcet and individual rank learning
    methods". An id that a ranking repeats counts at its first place only.
    """
    scores: defaultdict[str, float] = defaultdict(float)
    for ranking in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking), 1):
            scores[item] += 1.0 / (k + rank)
    return sorted(scores, key=lambda item: (-scores[item], item))
