"""Agreement among judges, against published examples and a slower way to the same numbers."""

import itertools
import random

import numpy as np
import pytest

from mtr.evaluation.agreement import (
    Level,
    Ratings,
    agreement,
    fleiss_kappa,
    krippendorff_alpha,
    pairwise_agreement,
)

NO = None
KRIPPENDORFF: tuple[tuple[int | None, ...], ...] = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, NO, NO, NO),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NO, 3),
    (NO, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NO),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NO),
)
"""Four observers and twelve units, from Krippendorff 2011, example C."""

FLEISS = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)
"""Marks of each kind that ten items got of fourteen judges, a widely printed example of Fleiss' kappa (.210)."""


def items_of(observers: tuple[tuple[int | None, ...], ...]) -> list[tuple[int | None, ...]]:
    return list(zip(*observers, strict=True))


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_the_published_example(level: Level, alpha: float) -> None:
    assert krippendorff_alpha(items_of(KRIPPENDORFF), level=level) == pytest.approx(alpha, abs=5e-4)


THREE_CODERS: tuple[tuple[int | None, ...], ...] = (
    (NO, NO, NO, NO, NO, 3, 4, 1, 2, 1, 1, 3, 3, NO, 3),
    (1, NO, 2, 1, 3, 3, 4, 3, NO, NO, NO, NO, NO, NO, NO),
    (NO, NO, 2, 1, 3, 4, 4, NO, 2, 1, 1, 3, 3, NO, 4),
)
"""Three coders and fifteen units, four of them with one mark or none: an example of Krippendorff's."""


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.691), ("ordinal", 0.807), ("interval", 0.811)])
def test_alpha_with_many_marks_missing(level: Level, alpha: float) -> None:
    assert krippendorff_alpha(items_of(THREE_CODERS), level=level) == pytest.approx(alpha, abs=5e-4)


def coincidence_alpha(ratings: Ratings, level: Level) -> float:
    """Alpha by the matrix of coincidences and the published differences, the long way round."""
    rows = [[mark for mark in row if mark is not None] for row in ratings]
    marks = sorted({mark for row in rows if len(row) > 1 for mark in row})
    seen = np.zeros((len(marks), len(marks)))
    for row in rows:
        for first, second in itertools.permutations(row, 2):
            seen[marks.index(first), marks.index(second)] += 1 / (len(row) - 1)
    times = seen.sum(axis=0)
    gaps = np.zeros_like(seen)
    for i, j in itertools.product(range(len(marks)), repeat=2):
        low, high = min(i, j), max(i, j)
        ranks = times[low : high + 1].sum() - (times[i] + times[j]) / 2
        gaps[i, j] = {"nominal": float(i != j), "ordinal": ranks**2, "interval": (marks[i] - marks[j]) ** 2}[level]
    np.fill_diagonal(gaps, 0)
    return float(1 - (times.sum() - 1) * (seen * gaps).sum() / (np.outer(times, times) * gaps).sum())


def some_ratings(seed: int) -> list[list[float | None]]:
    choose = random.Random(seed)
    return [
        [
            None if choose.random() < 0.25 else float(min(5, max(1, centre + choose.choice([-1, 0, 0, 0, 1]))))
            for _ in range(4)
        ]
        for centre in (choose.randint(1, 5) for _ in range(30))
    ]


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("seed", range(5))
def test_alpha_is_that_of_the_coincidence_matrix(level: Level, seed: int) -> None:
    ratings = some_ratings(seed)
    assert krippendorff_alpha(ratings, level=level) == pytest.approx(coincidence_alpha(ratings, level))


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_neither_the_order_of_items_nor_of_judges_matters(level: Level) -> None:
    ratings = some_ratings(9)
    turned = [row[::-1] for row in random.Random(1).sample(ratings, len(ratings))]
    first, second = agreement(ratings, level=level), agreement(turned, level=level)
    assert first.model_dump() == pytest.approx(second.model_dump())


def test_an_item_with_one_mark_changes_nothing() -> None:
    ratings = some_ratings(2)
    more: Ratings = [*ratings, [3.0, None, None, None], [None] * 4, []]
    for level in ("nominal", "ordinal", "interval"):
        assert krippendorff_alpha(more, level=level) == krippendorff_alpha(ratings, level=level)


@pytest.mark.parametrize(
    "ratings",
    [
        [],
        [[1.0, 2.0]],
        [[1.0, None], [None, 2.0]],
        [[3.0, 3.0], [3.0, 3.0], [3.0, 3.0]],
        [[1.0], [2.0]],
    ],
    ids=["nothing", "one item", "no pairs", "all the same", "one judge"],
)
def test_what_cannot_be_known_is_none(ratings: Ratings) -> None:
    found = agreement(ratings, level="interval")
    assert (found.alpha, found.kappa) == (None, None)


def test_perfect_agreement_and_the_opposite() -> None:
    assert krippendorff_alpha([[1, 1], [2, 2]], level="nominal") == pytest.approx(1)
    assert krippendorff_alpha([[1, 2], [2, 1]], level="nominal") == pytest.approx(-0.5)


def test_a_mark_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        krippendorff_alpha([[1.0, float("nan")]], level="interval")


def test_kappa_of_the_published_example() -> None:
    ratings = [[kind for kind, times in enumerate(row) for _ in range(times)] for row in FLEISS]
    found = fleiss_kappa(ratings)
    assert found.kappa == pytest.approx(0.210, abs=5e-4)
    assert found.items == 10


def test_kappa_takes_items_that_all_marked() -> None:
    ratings: Ratings = [[1, 1, 2], [2, 2, 2], [1, 1, 1], [1, 2, None], [2, 2]]
    found = agreement(ratings, level="nominal")
    assert (found.items, found.judges, found.kappa_items) == (5, 3, 3)
    assert found.kappa == fleiss_kappa(ratings[:3]).kappa


def test_raw_agreement_counts_pairs() -> None:
    ratings: Ratings = [[1, 2, 4], [3, 3, None], [5, None, None]]
    assert pairwise_agreement(ratings) == pytest.approx(1 / 4)
    assert pairwise_agreement(ratings, within=1) == pytest.approx(2 / 4)
    assert pairwise_agreement([[1], []]) is None
    assert agreement(ratings, level="nominal").within_one is None
