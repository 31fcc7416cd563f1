"""Telling right cases from wrong ones by a number: area under the curve, the best cut, and how well it does unseen."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mtr.evaluation.intervals import Share, clustered_share
from mtr.evaluation.resampling import RESAMPLES, Estimate, Floats, Integers, estimate, group_sums
from mtr.records import Record
from mtr.seeding import seeded

FOLDS = 5
Values = Sequence[float | None]
Rulings = Sequence[bool | None]


class Cut(Record):
    """A value passes when it is at least `cut`. The shares are those of the values that the cut was chosen on.

    `cut` is None where no cut does better than chance; `recall` is the share of right cases that pass, `false_pass`
    that of wrong ones.
    """

    cut: float | None = None
    recall: float | None = None
    false_pass: float | None = None


class Unseen(Record):
    """How a cut does on conversations it was not chosen on; None where there is nothing to tell apart.

    `accuracy` is to be read beside `majority`, the share of the larger kind; `balanced_accuracy` is ½ at chance.
    """

    accuracy: Share
    balanced_accuracy: float | None = None
    majority: float | None = None
    folds: int


def area(right: Sequence[float], wrong: Sequence[float]) -> float | None:
    """The chance that a right case scores above a wrong one, ties counting half (Hanley and McNeil 1982).

    None when one of the two kinds is missing.
    """
    if not right or not wrong:
        return None
    values = np.array([*right, *wrong], dtype=np.float64)
    return float(_area(np.ones((1, values.size)), values, np.arange(values.size) < len(right))[0])


def area_estimate(
    values: Values, right: Rulings, clusters: Sequence[str], *, seed: int, resamples: int = RESAMPLES
) -> Estimate:
    """`area` with its interval over conversations; an item without a value or a ruling is not measured."""
    cases = _cases(values, right, clusters)
    numbers, truths = np.array([case[1] for case in cases]), np.array([case[2] for case in cases], dtype=np.bool_)
    return estimate(
        lambda weights: _area(weights, numbers, truths),
        [name for name, _, _ in cases],
        asked=len(values),
        seed=seed,
        resamples=resamples,
    )


def best_cut(values: Sequence[float], right: Sequence[bool]) -> Cut:
    """The cut with the largest recall less false passes (Youden 1950), which is also that of balanced accuracy.

    It lies in the middle between two neighbouring values; of equally good gaps the widest is taken, then the lowest.
    """
    numbers, place = np.unique(np.array(values, dtype=np.float64), return_inverse=True)
    truths = np.array(right, dtype=np.bool_)
    rights, wrongs = int(truths.sum()), int((~truths).sum())
    if not rights or not wrongs or numbers.size < 2:
        return Cut()
    passing = _passing(place.reshape(-1)[truths], numbers.size), _passing(place.reshape(-1)[~truths], numbers.size)
    gains = passing[0] * wrongs - passing[1] * rights
    if gains.max() <= 0:
        return Cut()
    gaps = np.where(gains == gains.max(), np.diff(numbers), -1)
    below = int(np.argmax(gaps))
    middle = float((numbers[below] + numbers[below + 1]) / 2)
    return Cut(
        cut=middle if middle > numbers[below] else float(numbers[below + 1]),
        recall=float(passing[0][below] / rights),
        false_pass=float(passing[1][below] / wrongs),
    )


def cross_validated(
    values: Values, right: Rulings, clusters: Sequence[str], *, seed: int, folds: int = FOLDS
) -> Unseen:
    """Rule on each fold by the best cut of the others; a conversation lies whole in one fold (Stone 1974).

    Where the other folds have no cut better than chance, the ruling is their larger kind.
    """
    cases = _cases(values, right, clusters)
    names = [name for name, _, _ in cases]
    truths = np.array([truth for _, _, truth in cases], dtype=np.bool_)
    rights, folds = int(truths.sum()), min(folds, len(set(names)))
    if folds < 2 or rights in {0, truths.size}:
        return Unseen(accuracy=clustered_share([None] * len(values), clusters, seed=seed), folds=0)
    numbers, fold = np.array([value for _, value, _ in cases]), _folds(names, folds, seed)
    ruled = np.zeros(truths.size, dtype=np.bool_)
    for one in range(folds):
        there = fold == one
        cut = best_cut(numbers[~there].tolist(), truths[~there].tolist()).cut
        ruled[there] = truths[~there].mean() >= 0.5 if cut is None else numbers[there] >= cut
    correct = (ruled == truths).tolist()
    unasked = len(values) - len(cases)
    return Unseen(
        accuracy=clustered_share([*correct, *[None] * unasked], [*names, *[""] * unasked], seed=seed),
        balanced_accuracy=float((ruled[truths].mean() + (~ruled[~truths]).mean()) / 2),
        majority=max(rights, truths.size - rights) / truths.size,
        folds=folds,
    )


def _folds(names: Sequence[str], folds: int, seed: int) -> Integers:
    """The fold of each item: conversations in a drawn order, the largest first, each into the emptiest fold."""
    sizes = Counter(names)
    order = seeded(seed, "folds").sample(sorted(sizes), len(sizes))
    loads, fold_of = [0] * folds, dict[str, int]()
    for name in sorted(order, key=lambda name: -sizes[name]):
        fold_of[name] = loads.index(min(loads))
        loads[fold_of[name]] += sizes[name]
    return np.array([fold_of[name] for name in names], dtype=np.int64)


def _cases(values: Values, right: Rulings, clusters: Sequence[str]) -> list[tuple[str, float, bool]]:
    """(conversation, value, right) of what was measured, in an order that does not depend on the caller's."""
    triples = zip(clusters, values, right, strict=True)
    cases = sorted((name, float(v), bool(r)) for name, v, r in triples if v is not None and r is not None)
    if not all(math.isfinite(value) for _, value, _ in cases):
        raise ValueError("a value is not a finite number; what was not measured is None")
    return cases


def _area(weights: Floats, values: Floats, right: NDArray[np.bool_]) -> Floats:
    place = np.unique(values, return_inverse=True)[1].reshape(-1)
    rights, wrongs = group_sums(weights * right, place), group_sums(weights * ~right, place)
    pairs = rights.sum(axis=1) * wrongs.sum(axis=1)
    won = (rights * (np.cumsum(wrongs, axis=1) - wrongs / 2)).sum(axis=1)
    return np.where(pairs > 0, won / np.where(pairs > 0, pairs, 1), np.nan)


def _passing(places: Integers, size: int) -> Integers:
    """How many of the cases lie above each of the `size` − 1 gaps between neighbouring values."""
    counts = np.bincount(places, minlength=size)
    return np.cumsum(counts[::-1])[::-1][1:].astype(np.int64)
