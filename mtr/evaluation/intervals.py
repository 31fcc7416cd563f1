"""Means and shares with 95 % intervals over conversations, and how many of the items asked were measured."""

import math
from collections.abc import Sequence

import numpy as np

from mtr.evaluation.resampling import (
    RESAMPLES,
    Floats,
    Interval,
    Z,
    cluster_numbers,
    percentile_interval,
    weights,
)
from mtr.records import Record


class Mean(Record):
    """A mean over the `measured` of the `asked` items; None where nothing was measured.

    `low` and `high` bound 95 %; None where the measured items come from fewer than two `clusters` (conversations).
    """

    mean: float | None
    low: float | None
    high: float | None
    measured: int
    asked: int
    clusters: int


class Share(Record):
    """`count` of the `measured` items hold, out of `asked`; otherwise like `Mean`."""

    share: float | None
    low: float | None
    high: float | None
    count: int
    measured: int
    asked: int
    clusters: int


def clustered_mean(
    values: Sequence[float | None], clusters: Sequence[str], *, seed: int, resamples: int = RESAMPLES
) -> Mean:
    """The mean of the values and its percentile interval, `clusters[i]` naming the conversation of `values[i]`.

    None is not measured and only counted. The order of the items does not matter.
    ValueError: the lengths differ, or a value is not a finite number.
    """
    measured = _measured(values, clusters)
    names = [name for name, _ in measured]
    numbers = np.array([value for _, value in measured], dtype=np.float64)
    interval = _interval(numbers, names, seed, resamples)
    return Mean(
        mean=math.fsum(numbers) / len(numbers) if measured else None,
        low=interval.low,
        high=interval.high,
        measured=len(measured),
        asked=len(values),
        clusters=len(set(names)),
    )


def clustered_share(
    values: Sequence[bool | None], clusters: Sequence[str], *, seed: int, resamples: int = RESAMPLES
) -> Share:
    """The share of True and its interval; arguments and errors as in `clustered_mean`.

    Wilson's interval where every conversation has one item; where all or none hold, every draw says the same, so
    Wilson's over the number of conversations stands in; else the percentile interval.
    """
    measured = _measured(values, clusters)
    names = [name for name, _ in measured]
    count, apart = sum(value == 1 for _, value in measured), len(set(names))
    if apart == len(names) or count in {0, len(names)}:
        interval = wilson_interval(count * apart / len(names), apart) if apart > 1 else Interval()
    else:
        interval = _interval(np.array([value for _, value in measured]), names, seed, resamples)
    return Share(
        share=count / len(names) if names else None,
        low=interval.low,
        high=interval.high,
        count=count,
        measured=len(names),
        asked=len(values),
        clusters=apart,
    )


def wilson_interval(count: float, trials: int) -> Interval:
    """The score interval of `count` of `trials` independent items (Wilson 1927); none of no trials."""
    if trials < 1:
        return Interval()
    share, spread = count / trials, Z * Z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = Z * math.sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    low = 0.0 if count == 0 else max(0.0, middle - half)
    return Interval(low=low, high=1.0 if count == trials else min(1.0, middle + half))


def _measured(values: Sequence[float | None], clusters: Sequence[str]) -> list[tuple[str, float]]:
    """(cluster, value) of what was measured, in an order that does not depend on the caller's."""
    pairs = zip(clusters, values, strict=True)
    measured = sorted((name, float(value)) for name, value in pairs if value is not None)
    if not all(math.isfinite(value) for _, value in measured):
        raise ValueError("a value is not a finite number; what was not measured is None")
    return measured


def _interval(values: Floats, names: Sequence[str], seed: int, resamples: int) -> Interval:
    """The percentile interval of the mean: each draw divides the sum over its clusters by their number of items."""
    numbers = cluster_numbers(names)
    sizes = np.bincount(numbers).astype(np.float64)
    if sizes.size < 2:
        return Interval()
    sums = np.bincount(numbers, weights=values)
    draws = [block @ sums / (block @ sizes) for block in weights(sizes.size, seed=seed, resamples=resamples)]
    return percentile_interval(np.concatenate(draws), sizes.size)
