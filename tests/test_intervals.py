"""Means and shares with intervals over conversations."""

import random

import numpy as np
import pytest

from mtr.evaluation.intervals import Mean, clustered_mean, clustered_share, wilson_interval
from mtr.evaluation.resampling import percentile_interval


def test_a_mean_counts_what_was_measured() -> None:
    found = clustered_mean([1, None, 3, None, 5], ["a", "a", "b", "c", "d"], seed=1)
    assert (found.mean, found.measured, found.asked, found.clusters) == (3.0, 3, 5, 3)
    assert found.low is not None and found.high is not None
    assert 1 <= found.low < 3 < found.high <= 5


@pytest.mark.parametrize("values", [[], [None, None]])
def test_nothing_measured_is_no_mean(values: list[float | None]) -> None:
    found = clustered_mean(values, ["a", "b"][: len(values)], seed=1)
    assert found == Mean(mean=None, low=None, high=None, measured=0, asked=len(values), clusters=0)


def test_one_conversation_gives_no_interval() -> None:
    found = clustered_mean([1, 2, 3, None], ["a", "a", "a", "b"], seed=1)
    assert (found.mean, found.low, found.high, found.clusters) == (2.0, None, None, 1)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_value_that_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        clustered_mean([1.0, value], ["a", "b"], seed=1)


def test_each_value_has_a_conversation() -> None:
    with pytest.raises(ValueError, match="argument"):
        clustered_mean([1.0, 2.0], ["a"], seed=1)


def test_the_seed_decides_and_the_order_does_not() -> None:
    values = [random.Random(5).random() * 7 for _ in range(90)]
    items = [(value + place / 3, f"c{place % 13}") for place, value in enumerate(values)]
    shuffled = random.Random(6).sample(items, len(items))
    first, second = (clustered_mean(*zip(*some, strict=True), seed=3) for some in (items, shuffled))
    assert first == second
    assert first != clustered_mean(*zip(*items, strict=True), seed=4)


def test_turns_of_one_conversation_stand_or_fall_together() -> None:
    values = [float(place // 10 % 2) for place in range(200)]
    together = clustered_mean(values, [f"c{place // 10}" for place in range(200)], seed=1)
    apart = clustered_mean(values, [str(place) for place in range(200)], seed=1)
    assert together.mean == apart.mean == 0.5
    assert width(together) > 2.5 * width(apart)


def width(mean: Mean) -> float:
    assert mean.low is not None and mean.high is not None
    return mean.high - mean.low


@pytest.mark.parametrize("conversations", [6, 40])
def test_the_interval_holds_the_truth_about_as_often_as_it_says(conversations: int) -> None:
    random_numbers = np.random.default_rng(11)
    names = [f"c{place // 4}" for place in range(4 * conversations)]
    held = 0
    for run in range(200):
        values = random_numbers.normal(size=conversations).repeat(4) + random_numbers.normal(size=len(names))
        found = clustered_mean(list(values), names, seed=run, resamples=400)
        assert found.low is not None and found.high is not None
        held += found.low <= 0 <= found.high
    assert 0.9 <= held / 200 <= 0.99


@pytest.mark.parametrize(("clusters", "percent"), [(20, 1.589), (40, 2.026), (8, 0.574), (100_000, 2.5)])
def test_few_conversations_cut_off_less(clusters: int, percent: float) -> None:
    """From tables of t: 2.093, 2.023 and 2.365 at 97.5 % for 19, 39 and 7 degrees of freedom."""
    found = percentile_interval(np.linspace(0, 100, 100_001), clusters)
    assert found.low == pytest.approx(percent, abs=2e-3)
    assert found.high == pytest.approx(100 - percent, abs=2e-3)


@pytest.mark.parametrize(
    ("count", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (15, 148, 0.0624, 0.1605), (5, 10, 0.2366, 0.7634)],
)
def test_wilson(count: int, trials: int, low: float, high: float) -> None:
    """15 of 148 is Newcombe's (1998) example; the others follow from the formula by hand."""
    found = wilson_interval(count, trials)
    assert found.low == pytest.approx(low, abs=1e-4)
    assert found.high == pytest.approx(high, abs=1e-4)


def test_a_share_of_single_items_has_wilsons_interval() -> None:
    found = clustered_share([True] * 15 + [False] * 133 + [None], [str(place) for place in range(149)], seed=1)
    assert (found.count, found.measured, found.asked) == (15, 148, 149)
    assert found.low == pytest.approx(0.0624, abs=1e-4)


def test_a_share_of_conversations_is_drawn_by_conversation() -> None:
    values = [place // 10 % 2 == 0 for place in range(200)]
    share = clustered_share(values, [f"c{place // 10}" for place in range(200)], seed=1)
    mean = clustered_mean([float(value) for value in values], [f"c{place // 10}" for place in range(200)], seed=1)
    assert (share.share, share.low, share.high) == (mean.mean, mean.low, mean.high)


def test_no_fault_found_is_no_proof_that_there_is_none() -> None:
    found = clustered_share([False] * 100, [f"c{place // 10}" for place in range(100)], seed=1)
    assert (found.share, found.low) == (0.0, 0.0)
    assert found.high == pytest.approx(0.2775, abs=1e-4)


def test_a_share_of_nothing() -> None:
    found = clustered_share([None], ["a"], seed=1)
    assert (found.share, found.low, found.count, found.measured, found.asked) == (None, None, 0, 0, 1)
    assert clustered_share([True], ["a"], seed=1).low is None
