"""Correlation coefficients, plain, tied, missing and resampled."""

import random
from collections.abc import Callable

import numpy as np
import pytest

from mtr.evaluation.correlation import correlations, kendall, pearson, spearman
from mtr.evaluation.resampling import Estimate

Coefficient = Callable[..., Estimate]
NAMES = [str(place) for place in range(200)]


def value(coefficient: Coefficient, first: list[float], second: list[float]) -> float | None:
    return coefficient(first, second, NAMES[: len(first)], seed=1, resamples=2).value


@pytest.mark.parametrize(
    ("coefficient", "first", "second", "expected"),
    [
        (pearson, [1, 2, 3, 4], [2, 4, 6, 8], 1.0),
        (pearson, [1, 2, 3], [1, 3, 2], 0.5),
        (spearman, [1, 2, 3, 4, 5], [5, 6, 7, 8, 7], 0.820783),
        (spearman, [1, 10, 100], [3, 2, 1], -1.0),
        (kendall, [1, 2, 3, 4], [1, 2, 4, 3], 2 / 3),
        (kendall, [12, 2, 1, 12, 2], [1, 4, 7, 1, 0], -0.471405),
    ],
)
def test_known_values(coefficient: Coefficient, first: list[float], second: list[float], expected: float) -> None:
    assert value(coefficient, first, second) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("coefficient", [pearson, spearman, kendall])
@pytest.mark.parametrize(
    ("first", "second"), [([], []), ([1, 2], [1, 2]), ([1, 1, 1, 1], [1, 2, 3, 4]), ([0.1] * 5, [0.3] * 5)]
)
def test_undefined_is_none(coefficient: Coefficient, first: list[float], second: list[float]) -> None:
    found = coefficient(first, second, NAMES[: len(first)], seed=1)
    assert (found.value, found.low, found.high) == (None, None, None)


@pytest.mark.parametrize("coefficient", [pearson, spearman, kendall])
def test_what_was_not_measured_is_only_counted(coefficient: Coefficient) -> None:
    first: list[float | None] = [1, 2, None, 3, 4, 5]
    second: list[float | None] = [2, 1, 7, 4, None, 6]
    found = coefficient(first, second, NAMES[:6], seed=1)
    assert (found.measured, found.asked) == (4, 6)
    assert found == coefficient([1, 2, 3, 5], [2, 1, 4, 6], ["0", "1", "3", "5"], seed=1).model_copy(
        update={"asked": 6}
    )


def tied_series(items: int) -> tuple[list[float], list[float]]:
    choose = random.Random(4)
    first = [float(choose.randint(1, 5)) for _ in range(items)]
    return first, [value + choose.choice([-1, 0, 0, 1]) for value in first]


def test_kendall_counts_pairs() -> None:
    first, second = tied_series(60)
    pairs = [(first[j] - first[i], second[j] - second[i]) for j in range(60) for i in range(j)]
    net = sum((x * y > 0) - (x * y < 0) for x, y in pairs)
    untied = [sum(pair[side] != 0 for pair in pairs) for side in (0, 1)]
    assert value(kendall, first, second) == pytest.approx(net / (untied[0] * untied[1]) ** 0.5)


def test_spearman_is_pearson_of_mean_ranks() -> None:
    first, second = tied_series(60)
    ranks = [[sum(v < w for v in s) + (s.count(w) + 1) / 2 for w in s] for s in (first, second)]
    assert value(spearman, first, second) == pytest.approx(value(pearson, *ranks))


@pytest.mark.parametrize("coefficient", [pearson, spearman, kendall])
def test_a_draw_is_the_coefficient_of_the_drawn_pairs(coefficient: Coefficient) -> None:
    """All pairs once more change nothing; so a weight counts as copies do."""
    first, second = tied_series(60)
    assert value(coefficient, first * 2, second * 2) == pytest.approx(value(coefficient, first, second))


@pytest.mark.parametrize("coefficient", [pearson, spearman, kendall])
def test_the_interval_is_that_of_a_plain_bootstrap(coefficient: Coefficient) -> None:
    first, second = tied_series(60)
    clusters = [f"c{place // 3}" for place in range(60)]
    found = coefficient(first, second, clusters, seed=2)
    random_numbers, drawn = np.random.default_rng(3), []
    for _ in range(120):
        places = (random_numbers.integers(20, size=20)[:, None] * 3 + np.arange(3)).reshape(-1)
        drawn.append(value(coefficient, [first[p] for p in places], [second[p] for p in places]))
    low, high = np.percentile(np.array(drawn, dtype=np.float64), [1.6, 98.4])
    assert found.low == pytest.approx(low, abs=0.1)
    assert found.high == pytest.approx(high, abs=0.1)


def test_neither_the_order_nor_the_seed_of_others_matters() -> None:
    first, second = tied_series(50)
    clusters = [f"c{place % 9}" for place in range(50)]
    order = random.Random(8).sample(range(50), 50)
    turned = correlations([first[p] for p in order], [second[p] for p in order], [clusters[p] for p in order], seed=1)
    assert turned == correlations(first, second, clusters, seed=1)


def test_one_conversation_gives_a_value_without_interval() -> None:
    found = pearson([1, 2, 3], [1, 3, 2], ["a"] * 3, seed=1)
    assert found.value == pytest.approx(0.5)
    assert (found.low, found.high) == (None, None)
