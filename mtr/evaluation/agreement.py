"""How far several judges, or people, agree on the same items.

Ratings come as a row for each item and a place in it for each judge; None, or a row that is shorter, is no mark.
What cannot be known from the marks (too few, or all the same) is None: neither agreement nor its absence.
"""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from mtr.evaluation.resampling import Floats, Integers
from mtr.records import Record

Level = Literal["nominal", "ordinal", "interval"]
Ratings = Sequence[Sequence[float | None]]


class Agreement(Record):
    """`items` have at least two marks and give alpha and the raw shares; `kappa_items` have one of every judge."""

    items: int
    judges: int
    level: Level
    alpha: float | None
    kappa: float | None
    kappa_items: int
    exact: float | None
    within_one: float | None


class Kappa(Record):
    """Fleiss' kappa over the `items` that every judge marked."""

    kappa: float | None
    items: int


def agreement(ratings: Ratings, *, level: Level) -> Agreement:
    """All measures at once; `within_one` is None for nominal marks. ValueError: a mark is not a finite number."""
    marked = [marks for row in ratings if len(marks := _marks(row)) > 1]
    kappa = fleiss_kappa(ratings)
    return Agreement(
        items=len(marked),
        judges=_judges(ratings),
        level=level,
        alpha=krippendorff_alpha(ratings, level=level),
        kappa=kappa.kappa,
        kappa_items=kappa.items,
        exact=pairwise_agreement(ratings),
        within_one=None if level == "nominal" else pairwise_agreement(ratings, within=1),
    )


def krippendorff_alpha(ratings: Ratings, *, level: Level) -> float | None:
    """1 − D_o / D_e over all pairable marks (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability").

    D_o = (1/n) Σ_items spread(item) / (m − 1) and D_e = spread(all) / (n (n − 1)), the spread of some marks being
    the sum of δ² over their ordered pairs, m an item's marks and n all marks of items with at least two. This is
    the coincidence matrix summed before it is built, so that marks may be as many different numbers as they like.
    δ² is 1 for different nominal marks and (a − b)² on an interval scale; the ordinal one is that of mean ranks.
    """
    rows = [marks for row in ratings if len(marks := _marks(row)) > 1]
    values = np.array([mark for marks in rows for mark in marks], dtype=np.float64)
    if len(rows) < 2 or np.unique(values).size < 2:
        return None
    sizes = np.array([len(marks) for marks in rows])
    items = np.repeat(np.arange(len(rows)), sizes)
    if level == "ordinal":
        values = mean_ranks(values)
    spread = _nominal_spread if level == "nominal" else _interval_spread
    observed = float(np.sum(spread(items, values) / (sizes - 1)))
    expected = float(spread(np.zeros_like(items), values)[0]) / (values.size - 1)
    return 1 - observed / expected


def fleiss_kappa(ratings: Ratings) -> Kappa:
    """(P − P_e) / (1 − P_e) (Fleiss 1971): P the mean share of agreeing pairs, P_e the sum of squared shares of marks.

    None for fewer than two judges or items, or when all marks are the same.
    """
    judges = _judges(ratings)
    rows = [marks for row in ratings if len(marks := _marks(row)) == judges]
    values = np.array(rows, dtype=np.float64)
    if judges < 2 or len(rows) < 2 or np.unique(values).size < 2:
        return Kappa(kappa=None, items=len(rows) if judges > 1 else 0)
    counts = np.stack([(values == mark).sum(axis=1) for mark in np.unique(values)], axis=1)
    agreed = float(np.mean((np.sum(counts**2, axis=1) - judges) / (judges * (judges - 1))))
    chance = float(np.sum((counts.sum(axis=0) / values.size) ** 2))
    return Kappa(kappa=(agreed - chance) / (1 - chance), items=len(rows))


def pairwise_agreement(ratings: Ratings, *, within: float = 0) -> float | None:
    """The share, of all pairs of marks on one item, whose marks differ by at most `within`; None of no pairs."""
    agreed = pairs = 0
    for row in ratings:
        marks = np.array(_marks(row), dtype=np.float64)
        gaps = np.abs(marks[:, None] - marks[None, :])[np.triu_indices(marks.size, 1)]
        pairs += gaps.size
        agreed += int(np.sum(gaps <= within))
    return agreed / pairs if pairs else None


def mean_ranks(values: Floats) -> Floats:
    """Ranks from 1, equal values sharing the mean of theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place.reshape(-1)]
    return ranks


def _marks(row: Sequence[float | None]) -> list[float]:
    marks = [float(mark) for mark in row if mark is not None]
    if not all(math.isfinite(mark) for mark in marks):
        raise ValueError("a mark is not a finite number; what was not marked is None")
    return marks


def _judges(ratings: Ratings) -> int:
    """The places that hold a mark in some row."""
    return len({place for row in ratings for place, mark in enumerate(row) if mark is not None})


def _interval_spread(groups: Integers, values: Floats) -> Floats:
    """Σ (a − b)² over the ordered pairs of each group: 2 (m Σ a² − (Σ a)²)."""
    centred = values - values.mean()
    squares, sums = np.bincount(groups, weights=centred**2), np.bincount(groups, weights=centred)
    return np.asarray(2 * (np.bincount(groups) * squares - sums**2), dtype=np.float64)


def _nominal_spread(groups: Integers, values: Floats) -> Floats:
    """The ordered pairs of each group whose values differ: m² − Σ (times of each value)²."""
    pairs, counts = np.unique(np.stack([groups.astype(np.float64), values]), axis=1, return_counts=True)
    same = np.bincount(pairs[0].astype(np.int64), weights=counts.astype(np.float64) ** 2)
    return np.asarray(np.bincount(groups) ** 2 - same, dtype=np.float64)
