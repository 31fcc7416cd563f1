"""Judges that choose by place, and judges that read."""

import random
from collections.abc import Callable

import pytest
from pydantic import ValidationError

from mtr.evaluation.positions import Choice, PositionTest, position_test

Chooser = Callable[[random.Random, int, set[int]], int | None]


def first(_: random.Random, candidates: int, gold: set[int]) -> int:
    return 0


def reading(choose: random.Random, candidates: int, gold: set[int]) -> int:
    """Finds the gold seven times of ten."""
    wrong = [place for place in range(candidates) if place not in gold]
    return choose.choice(sorted(gold) if choose.random() < 0.7 or not wrong else wrong)


def leaning(choose: random.Random, candidates: int, gold: set[int]) -> int:
    """Reads, but takes the first where it is unsure."""
    return choose.choice(sorted(gold)) if choose.random() < 0.7 else 0


def put_before(
    chooser: Chooser, items: int, *, seed: int, sizes: tuple[int, ...] = (8,), golds: int = 1, draws: int = 500
) -> PositionTest:
    choose = random.Random(seed)
    choices = []
    for _ in range(items):
        candidates = choose.choice(sizes)
        gold = set(choose.sample(range(candidates), golds))
        choices.append(Choice(candidates=candidates, gold=frozenset(gold), chosen=chooser(choose, candidates, gold)))
    return position_test(choices, seed=1, simulations=draws)


@pytest.mark.parametrize("sizes", [(8,), (3, 5, 8)])
def test_a_judge_that_always_picks_the_first_is_flagged(sizes: tuple[int, ...]) -> None:
    found = put_before(first, 60, seed=1, sizes=sizes)
    assert found.flagged and found.favoured == 0
    assert found.counts[0] == 60 == sum(found.counts)
    assert sum(found.expected) == pytest.approx(60)


def test_a_lean_is_flagged_too() -> None:
    assert put_before(leaning, 300, seed=2).favoured == 0


@pytest.mark.parametrize(("sizes", "golds"), [((8,), 1), ((2, 4, 8), 1), ((8,), 3)])
def test_a_judge_that_reads_is_not(sizes: tuple[int, ...], golds: int) -> None:
    flagged = [put_before(reading, 120, seed=seed, sizes=sizes, golds=golds).flagged for seed in range(8)]
    assert sum(flagged) <= 1


def test_gold_that_always_stands_first_is_no_bias_of_the_judge() -> None:
    choices = [Choice(candidates=4, gold=frozenset({0}), chosen=0)] * 50
    found = position_test(choices, seed=1)
    assert (found.flagged, found.p_value, found.hits) == (False, 1.0, 50)


def test_p_values_of_honest_judges_are_even() -> None:
    p_values = [put_before(reading, 60, seed=seed, sizes=(4,), draws=100).p_value or 0.0 for seed in range(60)]
    assert 16 <= sum(p_value < 0.5 for p_value in p_values) <= 44


def test_a_judge_that_always_abstains_is_not_measured() -> None:
    found = put_before(lambda *_: None, 5, seed=1)
    assert (found.asked, found.measured, found.p_value, found.flagged) == (5, 0, None, False)


def test_items_without_gold_or_with_gold_only_count() -> None:
    none = [Choice(candidates=4, gold=frozenset(), chosen=place % 4) for place in range(40)]
    every = [Choice(candidates=2, gold=frozenset({0, 1}), chosen=place % 2) for place in range(40)]
    found = position_test([*none, *every], seed=1)
    assert found.expected == pytest.approx((30, 30, 10, 10))
    assert not found.flagged


def test_the_order_of_choices_does_not_matter() -> None:
    choices = [Choice(candidates=3, gold=frozenset({place % 3}), chosen=place % 2) for place in range(30)]
    assert position_test(choices, seed=1) == position_test(choices[::-1], seed=1)


def test_a_place_beyond_the_candidates_is_refused() -> None:
    with pytest.raises(ValidationError, match="place 4 is not one of 4"):
        Choice(candidates=4, gold=frozenset({0}), chosen=4)
