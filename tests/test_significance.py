"""Pairs of runs: permutation tests against their definition, Holm's steps, effect sizes, discriminative power."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from mtr.evaluation.significance import (
    FLIPS,
    PairTest,
    compare_pairs,
    discriminative_power,
    holm,
    permutation_p,
    standardised,
)


def by_definition(differences: list[float], clusters: list[str]) -> float:
    """Every way to flip whole clusters, in plain Python."""
    names = sorted(set(clusters))
    sums = [sum(d for d, c in zip(differences, clusters, strict=True) if c == name) for name in names]
    flipped = [
        abs(sum(s * d for s, d in zip(signs, sums, strict=True))) for signs in product((1, -1), repeat=len(sums))
    ]
    return sum(value >= abs(sum(sums)) - 1e-9 for value in flipped) / len(flipped)


@pytest.mark.parametrize("seed", range(6))
def test_few_conversations_are_tested_exactly(seed: int) -> None:
    draw = np.random.default_rng(seed)
    clusters = [f"c{n}" for n in draw.integers(8, size=25)]
    differences = draw.integers(-3, 5, size=(3, 25)) / 4
    wanted = [by_definition(row.tolist(), clusters) for row in differences]
    assert permutation_p(differences, clusters, seed=1) == pytest.approx(wanted)
    assert permutation_p(differences, clusters, seed=2) == pytest.approx(wanted)


def test_by_hand() -> None:
    """Of eight flips of 1, 2 and 4 only two reach 7; of 1, 1 and −1 all reach 1."""
    assert permutation_p(np.array([[1.0, 2.0, 4.0], [1.0, 1.0, -1.0]]), ["a", "b", "c"], seed=1) == (0.25, 1.0)
    assert permutation_p(np.zeros((1, 3)), ["a", "b", "c"], seed=1) == (1.0,)
    assert permutation_p(np.array([[5.0, 4.0]]), ["a", "a"], seed=1) == (1.0,)


def test_many_conversations_are_drawn_and_never_reach_nought() -> None:
    clusters = [f"c{n}" for n in range(13)]
    assert permutation_p(np.ones((1, 40)), [f"c{n}" for n in range(40)], seed=1) == (1 / (FLIPS + 1),)
    draw = np.random.default_rng(3)
    differences = draw.normal(0.3, 1, size=(1, 13))
    exact = by_definition(differences[0].tolist(), clusters)
    drawn = permutation_p(differences, clusters, seed=1)
    assert drawn == permutation_p(differences, clusters, seed=1) != permutation_p(differences, clusters, seed=2)
    assert drawn[0] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / FLIPS))


def test_turns_of_one_conversation_flip_together() -> None:
    differences = np.array([[0.1] * 60])
    apart = permutation_p(differences, [str(n) for n in range(60)], seed=1)[0]
    together = permutation_p(differences, [str(n // 20) for n in range(60)], seed=1)[0]
    assert apart < 0.001 and together == 0.25


def test_equal_runs_are_told_apart_about_as_often_as_alpha_says() -> None:
    draw = np.random.default_rng(5)
    noise = draw.normal(size=(400, 30)).repeat(4, axis=1) + draw.normal(size=(400, 120))
    p_values = np.array(permutation_p(noise, [str(n // 4) for n in range(120)], seed=1, flips=999))
    assert 0.02 <= (p_values < 0.05).mean() <= 0.085


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ((0.01, 0.04, 0.03, 0.005), (0.03, 0.06, 0.06, 0.02)),
        ((0.6, 0.5), (1.0, 1.0)),
        ((0.02, 0.02), (0.04, 0.04)),
        ((), ()),
    ],
)
def test_holm(p_values: tuple[float, ...], adjusted: tuple[float, ...]) -> None:
    assert holm(p_values) == pytest.approx(adjusted)


def test_standardised_difference() -> None:
    assert standardised(np.array([1.0, 2.0, 3.0])) == pytest.approx(2.0)
    assert standardised(np.array([-1.0, -3.0])) == pytest.approx(-(2**0.5))
    assert standardised(np.array([0.3, 0.3, 0.3])) is None
    assert standardised(np.array([1.0])) is None


def runs() -> tuple[dict[str, NDArray[np.float64]], list[str]]:
    """A good run, one that is as good, and a bad one, on 20 conversations of 3 turns."""
    draw = np.random.default_rng(2)
    good = draw.uniform(0.4, 1.0, size=60)
    return {"good": good, "alike": good + draw.normal(0, 0.01, size=60), "bad": good - 0.3}, [
        f"c{n // 3}" for n in range(60)
    ]


def test_pairs() -> None:
    values, clusters = runs()
    tests = compare_pairs(values, clusters, seed=1)
    assert [(test.first, test.second) for test in tests] == [("good", "alike"), ("good", "bad"), ("alike", "bad")]
    assert tests[0].p_holm > 0.05 > tests[1].p_holm >= tests[1].p
    assert tests[1].difference.mean == pytest.approx(0.3) and tests[1].standardised is None
    low, high = tests[2].difference.low, tests[2].difference.high
    assert low is not None and high is not None and low < 0.3 < high
    assert tests[2].difference.clusters == 20
    power = discriminative_power({run: float(scores.mean()) for run, scores in values.items()}, tests)
    assert power is not None and (power.told_apart, power.pairs, power.worst) == (2, 3, "bad")
    assert power.share == pytest.approx(2 / 3) and power.gap == pytest.approx(0.3, abs=0.01)


def test_one_run_has_no_pair() -> None:
    values, clusters = runs()
    assert compare_pairs({"good": values["good"]}, clusters, seed=1) == ()
    assert discriminative_power({"good": 0.5}, ()) is None


def test_every_query_needs_a_score() -> None:
    with pytest.raises(ValueError, match="60 scores, but 59 queries"):
        compare_pairs(runs()[0], runs()[1][:-1], seed=1)


def test_many_pairs_can_still_be_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 99 flips the smallest p, times the number of pairs, would pass alpha by itself."""
    monkeypatch.setattr("mtr.evaluation.significance.FLIPS", 99)
    values = {f"r{n}": np.full(20, float(n)) for n in range(5)}
    tests: tuple[PairTest, ...] = compare_pairs(values, [str(n) for n in range(20)], seed=1)
    assert len(tests) == 10 and max(test.p_holm for test in tests) < 0.05
