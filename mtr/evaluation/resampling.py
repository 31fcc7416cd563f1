"""The bootstrap over conversations: clusters of items drawn whole, with replacement.

Turns of one conversation share its passages and its faults, so they stand or fall together; drawing single turns
gives intervals far too narrow (Davison and Hinkley 1997, section 3.8). A draw is held as weights: how often each
cluster was drawn. Every statistic here takes weights, so all draws of a block are computed at once.
"""

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mtr.records import Record
from mtr.seeding import seeded

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

RESAMPLES = 2000
Z = 1.959963984540054
"""The 97.5 % point of the normal distribution: all intervals are of 95 %."""

_BLOCK = 2_000_000
"""Numbers in one block of weights: 16 MB, however many items there are."""


class Interval(Record):
    """A range of 95 %; both ends None where the draws say nothing."""

    low: float | None = None
    high: float | None = None


class Estimate(Interval):
    """A statistic of the `measured` of the `asked` items with its interval; None where it is undefined."""

    value: float | None = None
    measured: int
    asked: int


def generator(seed: int, *names: str | int) -> np.random.Generator:
    """numpy's generator for a seed and a purpose, independent of all others."""
    return np.random.default_rng(seeded(seed, *names).getrandbits(128))


def cluster_numbers(clusters: Sequence[str]) -> Integers:
    """The number of each item's cluster, from 0 in the order of the names."""
    return np.unique(np.asarray(clusters, dtype=np.str_), return_inverse=True)[1].reshape(-1).astype(np.int64)


def weights(count: int, *, seed: int, resamples: int, width: int = 0) -> Iterator[Floats]:
    """Blocks (b, count) of how often each of `count` clusters was drawn; the blocks' rows add up to `resamples`.

    `width`: the longest row the caller makes of a row of weights, where that is longer; it only bounds the memory.
    """
    random = generator(seed, "bootstrap", count)
    rows = max(1, _BLOCK // max(count, width, 1))
    for start in range(0, resamples, rows):
        size = min(rows, resamples - start)
        drawn = random.integers(count, size=(size, count), dtype=np.int32) + np.arange(size, dtype=np.int32)[
            :, None
        ] * np.int32(count)
        yield np.bincount(drawn.reshape(-1), minlength=size * count).reshape(size, count).astype(np.float64)


def group_sums(weights: Floats, groups: Integers) -> Floats:
    """(b, groups): the weights of the items of each group, the groups being numbered from 0 without gaps."""
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(int(groups.max()) + 1))
    return np.add.reduceat(weights[:, order], starts, axis=1)


def percentile_interval(draws: Floats, clusters: int) -> Interval:
    """The middle of the draws that are defined; none when fewer than half of them are.

    Percentiles of draws are too narrow for few clusters, 84 % instead of 95 for five; so their level is that of
    Student's t with the variance of n − 1, Φ(−√(n / (n − 1)) t) (Hesterberg 2015, the expanded percentile interval):
    1.6 % for 20 clusters, 2.5 % for very many.
    """
    defined = draws[np.isfinite(draws)]
    if not draws.size or defined.size < 0.5 * draws.size:
        return Interval()
    tail = 100 * _tail(clusters)
    low, high = np.percentile(defined, [tail, 100 - tail])
    return Interval(low=float(low), high=float(high))


def _tail(clusters: int) -> float:
    """The share of draws cut off at each end; t by its expansion in 1 / ν (Abramowitz and Stegun 26.7.5)."""
    z, nu = Z, clusters - 1
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    t = z + sum(term / nu**power for power, term in enumerate(terms, 1))
    return 0.5 * math.erfc(t * math.sqrt(clusters / nu) / math.sqrt(2))


def estimate(
    statistic: Callable[[Floats], Floats],
    clusters: Sequence[str],
    *,
    asked: int,
    seed: int,
    resamples: int = RESAMPLES,
) -> Estimate:
    """A statistic of weighted items, (b, items) weights in and (b,) values out, at weight 1 and over the draws.

    `clusters` names the conversation of each measured item. NaN says that a value is undefined; one conversation
    gives no interval.
    """
    value = float(statistic(np.ones((1, len(clusters))))[0]) if clusters else math.nan
    if not math.isfinite(value):
        return Estimate(measured=len(clusters), asked=asked)
    numbers = cluster_numbers(clusters)
    count = int(numbers.max()) + 1
    interval = Interval()
    if count > 1:
        blocks = weights(count, seed=seed, resamples=resamples, width=4 * numbers.size)
        interval = percentile_interval(np.concatenate([statistic(block[:, numbers]) for block in blocks]), count)
    return Estimate(value=value, low=interval.low, high=interval.high, measured=len(clusters), asked=asked)
