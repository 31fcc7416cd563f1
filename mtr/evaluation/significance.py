"""Are two runs different? Paired permutation tests by conversation, Holm's correction, effect sizes.

Turns of one conversation stand or fall together, so under the null hypothesis it is whole conversations in which the
two runs may change places, not turns: all differences of a conversation flip their signs together.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from mtr.evaluation.intervals import Mean, clustered_mean
from mtr.evaluation.resampling import Floats, Integers, cluster_numbers, generator
from mtr.records import Record

EXACT_UP_TO = 12
"""With so many conversations or fewer all 2ⁿ flips are looked at."""

FLIPS = 9_999
"""At least so many are drawn; more for many pairs, so that the smallest p, corrected, stays far below alpha."""

ALPHA = 0.05
_BLOCK = 4_000_000
"""Numbers in one block: 32 MB, however many conversations or pairs there are."""

_TIE = 1e-10
"""Sums that differ by less than this part of the sum of all differences are the same number, added in other order."""


class PairTest(Record):
    """Two runs under one metric. `difference` is that of `first` minus `second`, with its interval.

    `standardised`: mean / standard deviation of the queries' differences (d_z, Cohen 1988); None where it has no
    meaning: fewer than two queries, or all differences equal. `p` two-sided, `p_holm` corrected for all pairs.
    """

    first: str
    second: str
    difference: Mean
    standardised: float | None
    p: float
    p_holm: float


class Discrimination(Record):
    """How well a data set tells runs apart under one metric: pairs with p_holm below alpha (Sakai 2006)."""

    told_apart: int
    pairs: int
    share: float | None
    alpha: float
    best: str
    worst: str
    gap: float


def compare_pairs(values: Mapping[str, Floats], clusters: Sequence[str], *, seed: int) -> tuple[PairTest, ...]:
    """Every pair of runs: `values[run][i]` is the run's score of query i, `clusters[i]` the query's conversation.

    Holm's correction is over these pairs, so over one metric. ValueError: a run has another number of queries.
    """
    pairs = list(combinations(values, 2))
    if not pairs:
        return ()
    differences = np.stack([values[first] - values[second] for first, second in pairs])
    if differences.shape[1] != len(clusters):
        raise ValueError(f"{differences.shape[1]} scores, but {len(clusters)} queries")
    p_values = permutation_p(differences, clusters, seed=seed, flips=max(FLIPS, 200 * len(pairs)))
    tests = zip(pairs, differences, p_values, holm(p_values), strict=True)
    return tuple(
        PairTest(
            first=first,
            second=second,
            difference=clustered_mean(row.tolist(), clusters, seed=seed),
            standardised=standardised(row),
            p=p,
            p_holm=p_holm,
        )
        for (first, second), row, p, p_holm in tests
    )


def permutation_p(differences: Floats, clusters: Sequence[str], *, seed: int, flips: int = FLIPS) -> tuple[float, ...]:
    """The two-sided p-value of each row of paired differences (r, n), by flipping signs cluster by cluster.

    The share of flips whose sum is at least as far from 0 as the observed one (Fisher 1935; for retrieval Smucker,
    Allan and Carterette 2007). Exact for up to twelve clusters; beyond that (b + 1) / (m + 1) over m drawn flips,
    which is never 0 (Phipson and Smyth 2010). The same flips serve all rows.
    """
    numbers = cluster_numbers(clusters)
    count = int(numbers.max(initial=-1)) + 1
    sums = np.zeros((count, differences.shape[0]))
    np.add.at(sums, numbers, differences.T)
    observed, slack = np.abs(sums.sum(axis=0)), _TIE * np.abs(sums).sum(axis=0)
    exact = count <= EXACT_UP_TO
    reached = np.zeros(differences.shape[0])
    for signs in _all_signs(count) if exact else _drawn_signs(count, seed, flips, len(observed)):
        reached += np.count_nonzero(np.abs(signs @ sums) >= observed - slack, axis=0)
    p_values = reached / 2**count if exact else (reached + 1) / (flips + 1)
    return tuple(float(p) for p in p_values)


def _all_signs(count: int) -> Iterator[Floats]:
    """(2ⁿ, n): every way to flip, in one block."""
    yield _signs(np.arange(2**count)[:, None] >> np.arange(count) & 1)


def _drawn_signs(count: int, seed: int, flips: int, width: int) -> Iterator[Floats]:
    """Blocks (b, n) of drawn flips; their rows add up to `flips`. The caller makes rows of `width` of them."""
    random = generator(seed, "flips", count)
    rows = max(1, _BLOCK // max(count, width))
    for start in range(0, flips, rows):
        yield _signs(random.integers(2, size=(min(rows, flips - start), count), dtype=np.int64))


def _signs(flipped: Integers) -> Floats:
    return 1.0 - 2.0 * flipped.astype(np.float64)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p-values, in the order given (Holm 1979): the i-th smallest of m times m − i + 1, never falling."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for step, place in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - step) * p_values[place]))
        adjusted[place] = highest
    return tuple(adjusted)


def standardised(differences: Floats) -> float | None:
    """d_z of paired differences: their mean over their standard deviation with n − 1 (Cohen 1988, section 2.3.5)."""
    if differences.size < 2:
        return None
    spread = float(differences.std(ddof=1))
    middle = float(differences.mean())
    return None if spread <= 1e-12 * max(1.0, abs(middle)) else middle / spread


def discriminative_power(
    means: Mapping[str, float], tests: Sequence[PairTest], *, alpha: float = ALPHA
) -> Discrimination | None:
    """The share of pairs told apart, and the gap between best and worst; None for fewer than two runs."""
    if len(means) < 2:
        return None
    apart = sum(test.p_holm < alpha for test in tests)
    best, worst = max(means, key=lambda run: means[run]), min(means, key=lambda run: means[run])
    return Discrimination(
        told_apart=apart,
        pairs=len(tests),
        share=apart / len(tests) if tests else None,
        alpha=alpha,
        best=best,
        worst=worst,
        gap=math.fsum((means[best], -means[worst])),
    )
