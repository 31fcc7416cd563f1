"""How far two series of numbers rise together: Pearson, Spearman, Kendall, with intervals over conversations.

A pair of which one number is None is not measured and only counted. Undefined (fewer than three pairs, or a series
without variation) is None. Each coefficient is written for weighted pairs, so that all bootstrap draws of a block
are computed at once: a pair drawn twice counts as two pairs that are tied with each other.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from mtr.evaluation.resampling import RESAMPLES, Estimate, Floats, estimate, group_sums
from mtr.records import Record

Series = Sequence[float | None]
Weighted = Callable[[Floats, Floats, Floats], Floats]

_ROWS = 256
_NOTHING = 1e-12
"""A variance below this part of the series' own is rounding."""


class Correlations(Record):
    """The three coefficients of the same pairs."""

    pearson: Estimate
    spearman: Estimate
    kendall: Estimate


def correlations(
    first: Series, second: Series, clusters: Sequence[str], *, seed: int, resamples: int = RESAMPLES
) -> Correlations:
    """All three; `clusters[i]` names the conversation of pair i. ValueError: lengths differ, or a value is infinite."""
    return Correlations(
        pearson=pearson(first, second, clusters, seed=seed, resamples=resamples),
        spearman=spearman(first, second, clusters, seed=seed, resamples=resamples),
        kendall=kendall(first, second, clusters, seed=seed, resamples=resamples),
    )


def pearson(
    first: Series, second: Series, clusters: Sequence[str], *, seed: int, resamples: int = RESAMPLES
) -> Estimate:
    """cov(x, y) / (s_x s_y) (Pearson 1895)."""
    return _estimate(_pearson, first, second, clusters, seed, resamples)


def spearman(
    first: Series, second: Series, clusters: Sequence[str], *, seed: int, resamples: int = RESAMPLES
) -> Estimate:
    """Pearson's coefficient of the ranks, equal values sharing their mean rank (Spearman 1904)."""
    return _estimate(_spearman, first, second, clusters, seed, resamples)


def kendall(
    first: Series, second: Series, clusters: Sequence[str], *, seed: int, resamples: int = RESAMPLES
) -> Estimate:
    """tau-b: (concordant − discordant) / √(pairs untied in x · pairs untied in y) (Kendall 1945).

    Time grows with the square of the items; memory does not.
    """
    return _estimate(_kendall, first, second, clusters, seed, resamples)


def _estimate(
    kind: Weighted, first: Series, second: Series, clusters: Sequence[str], seed: int, resamples: int
) -> Estimate:
    triples = zip(clusters, first, second, strict=True)
    measured = sorted((name, float(x), float(y)) for name, x, y in triples if x is not None and y is not None)
    if not all(math.isfinite(x) and math.isfinite(y) for _, x, y in measured):
        raise ValueError("a value is not a finite number; what was not measured is None")
    if len(measured) < 3:
        return Estimate(measured=len(measured), asked=len(first))
    xs, ys = (np.array(series, dtype=np.float64) for series in list(zip(*measured, strict=True))[1:])
    return estimate(
        lambda weights: kind(weights, xs, ys),
        [name for name, _, _ in measured],
        asked=len(first),
        seed=seed,
        resamples=resamples,
    )


def _pearson(weights: Floats, xs: Floats, ys: Floats) -> Floats:
    """Of weighted pairs; `xs` and `ys` are (n,), or (b, n) where they differ from draw to draw."""
    total = weights.sum(axis=1)
    xs, ys = (series - series.mean(axis=-1, keepdims=True) for series in (xs, ys))
    mean_x, mean_y = (weights * xs).sum(axis=1) / total, (weights * ys).sum(axis=1) / total
    variance_x = (weights * xs**2).sum(axis=1) / total - mean_x**2
    variance_y = (weights * ys**2).sum(axis=1) / total - mean_y**2
    covariance = (weights * xs * ys).sum(axis=1) / total - mean_x * mean_y
    defined = (variance_x > _NOTHING * xs.var(axis=-1)) & (variance_y > _NOTHING * ys.var(axis=-1))
    scale = np.sqrt(np.where(defined, variance_x * variance_y, 1))
    return np.where(defined, np.clip(covariance / scale, -1, 1), np.nan)


def _spearman(weights: Floats, xs: Floats, ys: Floats) -> Floats:
    return _pearson(weights, _ranks(weights, xs), _ranks(weights, ys))


def _ranks(weights: Floats, values: Floats) -> Floats:
    """(b, n): the mean rank of each value in a sample that holds it as often as its weight says."""
    place = np.unique(values, return_inverse=True)[1].reshape(-1)
    times = group_sums(weights, place)
    ranks: Floats = (np.cumsum(times, axis=1) - (times - 1) / 2)[:, place]
    return ranks


def _kendall(weights: Floats, xs: Floats, ys: Floats) -> Floats:
    """Sums over ordered pairs of items, a band of rows of the (n, n) signs at a time."""
    small = weights.astype(np.float32)
    totals = np.zeros((3, len(weights)))
    for start in range(0, xs.size, _ROWS):
        band = slice(start, start + _ROWS)
        signs_x, signs_y = (np.sign(v[band, None] - v).astype(np.float32) for v in (xs, ys))
        for row, signs in enumerate((signs_x * signs_y, np.abs(signs_x), np.abs(signs_y))):
            totals[row] += (weights[:, band] * (small @ signs.T)).sum(axis=1)
    net, untied_x, untied_y = totals
    defined = (untied_x > 0) & (untied_y > 0)
    return np.where(defined, net / np.sqrt(np.where(defined, untied_x * untied_y, 1)), np.nan)
