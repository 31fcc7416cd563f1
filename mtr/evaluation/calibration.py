"""A judge beside people: how its readings follow their marks, which cut serves best, and how well people agree.

A reading is whatever the judge gives for an item: its written score, its expected score, or P(yes).
"""

import math
from collections.abc import Sequence

from mtr.errors import InputError
from mtr.evaluation.agreement import Agreement, agreement
from mtr.evaluation.correlation import Correlations, correlations
from mtr.evaluation.cuts import FOLDS, Cut, Unseen, area_estimate, best_cut, cross_validated
from mtr.evaluation.marked import MarkedAnswer, Scale
from mtr.evaluation.resampling import RESAMPLES, Estimate
from mtr.records import Record


class Calibration(Record):
    """`measured` of the `asked` items have a reading and a human mark; all but `people` and `ceiling` rest on them.

    An item is right where the mean of its marks is at least `right_from`. `cut` is the best one on all items; `unseen`
    says how such a cut does on conversations it was not chosen on. `people` is the agreement of the marks, and
    `ceiling` correlates each mark with the mean of the item's other marks: no judge can be expected to do better.
    """

    criterion: str
    scale: Scale
    right_from: float
    measured: int
    asked: int
    right: int
    wrong: int
    judge: Correlations
    auc: Estimate
    cut: Cut
    unseen: Unseen
    people: Agreement
    ceiling: Correlations


def calibrate(
    readings: Sequence[float | None],
    answers: Sequence[MarkedAnswer],
    criterion: str,
    *,
    seed: int,
    right_from: float | None = None,
    folds: int = FOLDS,
    resamples: int = RESAMPLES,
) -> Calibration:
    """Compare a judge's readings, one for each answer, with the marks; None is no reading and only counted.

    `right_from` is the middle of the scale unless given. InputError: nobody marked the criterion, or on two scales.
    ValueError: as many readings as answers are needed.
    """
    scale = scale_of(answers, criterion)
    limit = scale.middle if right_from is None else right_from
    clusters = [answer.cluster for answer in answers]
    means = [answer.mean(criterion) for answer in answers]
    pairs = list(zip(readings, means, strict=True))
    rulings = [None if mean is None else mean >= limit for mean in means]
    both = [(reading, mean >= limit) for reading, mean in pairs if reading is not None and mean is not None]
    right = sum(ruling for _, ruling in both)
    return Calibration(
        criterion=criterion,
        scale=scale,
        right_from=limit,
        measured=len(both),
        asked=len(answers),
        right=right,
        wrong=len(both) - right,
        judge=correlations(readings, means, clusters, seed=seed, resamples=resamples),
        auc=area_estimate(readings, rulings, clusters, seed=seed, resamples=resamples),
        cut=best_cut([reading for reading, _ in both], [ruling for _, ruling in both]),
        unseen=cross_validated(readings, rulings, clusters, seed=seed, folds=folds),
        people=agreement([answer.marks.get(criterion, ()) for answer in answers], level="ordinal"),
        ceiling=human_ceiling(answers, criterion, seed=seed, resamples=resamples),
    )


def human_ceiling(
    answers: Sequence[MarkedAnswer], criterion: str, *, seed: int, resamples: int = RESAMPLES
) -> Correlations:
    """Each mark against the mean of the item's other marks, all pairs together; undefined where no item has two.

    The people need not be known, only that an item's marks are of different ones. The mean of fewer marks is less
    sure than the one the judge is held against, so the ceiling is, if anything, low.
    """
    marks: list[float] = []
    others: list[float] = []
    clusters: list[str] = []
    for answer in answers:
        given = [mark for mark in answer.marks.get(criterion, ()) if mark is not None]
        for place, mark in enumerate(given if len(given) > 1 else ()):
            marks.append(mark)
            others.append(math.fsum([*given[:place], *given[place + 1 :]]) / (len(given) - 1))
            clusters.append(answer.cluster)
    return correlations(marks, others, clusters, seed=seed, resamples=resamples)


def scale_of(answers: Sequence[MarkedAnswer], criterion: str) -> Scale:
    """The one scale that the criterion was marked on. InputError: nobody marked it, or on two scales."""
    scales = {(s.low, s.high) for answer in answers if (s := answer.scales.get(criterion)) is not None}
    if not scales:
        known = ", ".join(sorted({name for answer in answers for name in answer.scales})) or "none"
        raise InputError(f"no mark of criterion {criterion!r}; the file has: {known}")
    if len(scales) > 1:
        shown = " and ".join(f"{low:g} to {high:g}" for low, high in sorted(scales))
        raise InputError(f"criterion {criterion!r} was marked on scales of {shown}; put them on one scale first")
    low, high = next(iter(scales))
    return Scale(low=low, high=high)
