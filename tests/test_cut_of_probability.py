"""Telling right from wrong by a probability: area, best cut, and its rulings on conversations not seen."""

import random

import pytest

from mtr.evaluation.cuts import Cut, area, area_estimate, best_cut, cross_validated


@pytest.mark.parametrize(
    ("right", "wrong", "expected"),
    [
        ([0.9, 0.8], [0.1, 0.8], 0.875),
        ([0.5], [0.5], 0.5),
        ([0.1], [0.9], 0.0),
        ([3, 2], [1], 1.0),
        ([0.9], [], None),
        ([], [], None),
    ],
)
def test_the_area(right: list[float], wrong: list[float], expected: float | None) -> None:
    assert area(right, wrong) == (None if expected is None else pytest.approx(expected))


def test_the_area_counts_each_pair() -> None:
    choose = random.Random(1)
    right, wrong = ([round(choose.random(), 1) + lead for _ in range(40)] for lead in (0.2, 0.0))
    pairs = [(r > w) + 0.5 * (r == w) for r in right for w in wrong]
    assert area(right, wrong) == pytest.approx(sum(pairs) / len(pairs))


def test_the_area_has_an_interval() -> None:
    choose = random.Random(2)
    truths = [place % 2 == 0 for place in range(80)]
    values = [0.4 * truth + choose.random() for truth in truths]
    found = area_estimate([*values, None], [*truths, True], [f"c{place // 4}" for place in range(81)], seed=1)
    assert (found.measured, found.asked) == (80, 81)
    assert found.value is not None and found.low is not None and found.high is not None
    assert found.low < found.value < found.high
    assert 0.1 < found.high - found.low < 0.4


def test_no_area_of_one_kind() -> None:
    found = area_estimate([0.1, 0.2], [True, True], ["a", "b"], seed=1)
    assert (found.value, found.low, found.measured) == (None, None, 2)
    assert area_estimate([], [], [], seed=1).value is None


@pytest.mark.parametrize(
    ("right", "wrong", "expected"),
    [
        ([0.9, 0.8], [0.1, 0.4], Cut(cut=0.6, recall=1, false_pass=0)),
        ([0.75, 0.25], [0.5, 0.0], Cut(cut=0.125, recall=1, false_pass=0.5)),
        ([0.75, 0.5], [0.5, 0.0], Cut(cut=0.25, recall=1, false_pass=0.5)),
        ([0.1], [0.9], Cut()),
        ([0.5, 0.5], [0.5], Cut()),
        ([0.5], [], Cut()),
        ([], [], Cut()),
    ],
    ids=[
        "middle of the gap",
        "lowest of equal gaps",
        "widest of equal gaps",
        "upside down",
        "all the same",
        "one kind",
        "none",
    ],
)
def test_the_best_cut(right: list[float], wrong: list[float], expected: Cut) -> None:
    truths = [True] * len(right) + [False] * len(wrong)
    found = best_cut([*right, *wrong], truths)
    assert found.model_dump() == pytest.approx(expected.model_dump())
    assert best_cut([*wrong[::-1], *right[::-1]], truths[::-1]) == found


def test_a_cut_between_neighbouring_floats_keeps_them_apart() -> None:
    low, high = 0.1, 0.1 + 2**-56
    assert low < high
    cut = best_cut([high, low], [True, False]).cut
    assert cut is not None and low < cut <= high


def separated(items: int) -> tuple[list[float | None], list[bool | None], list[str]]:
    truths: list[bool | None] = [place % 3 > 0 for place in range(items)]
    values: list[float | None] = [0.6 * bool(truth) + 0.01 * (place % 7) for place, truth in enumerate(truths)]
    return values, truths, [f"c{place // 3}" for place in range(items)]


def test_a_judge_that_separates_does_so_unseen() -> None:
    found = cross_validated(*separated(90), seed=1)
    assert (found.accuracy.share, found.balanced_accuracy, found.folds) == (1.0, 1.0, 5)
    assert found.majority == pytest.approx(2 / 3)


def test_a_judge_that_guesses_is_at_chance_unseen() -> None:
    choose = random.Random(3)
    truths = [choose.random() < 0.5 for _ in range(400)]
    values = [choose.random() for _ in range(400)]
    seen = best_cut(values, truths)
    assert seen.recall is not None and seen.false_pass is not None
    found = cross_validated(values, truths, [str(place) for place in range(400)], seed=1)
    assert found.balanced_accuracy is not None
    assert found.balanced_accuracy == pytest.approx(0.5, abs=0.06)
    assert found.balanced_accuracy < (seen.recall + 1 - seen.false_pass) / 2


def test_a_conversation_lies_in_one_fold() -> None:
    """Each conversation has its own value and ruling: known by heart when split over folds, unknown when whole."""
    choose = random.Random(5)
    kinds = [(choose.random(), choose.random() < 0.5) for _ in range(40)]
    values = [kinds[place // 10][0] for place in range(400)]
    truths = [kinds[place // 10][1] for place in range(400)]
    whole = cross_validated(values, truths, [f"c{place // 10}" for place in range(400)], seed=1)
    assert whole.balanced_accuracy is not None and whole.balanced_accuracy < 0.65


def test_order_does_not_matter_and_the_unmeasured_is_counted() -> None:
    values, truths, names = separated(60)
    values[4] = truths[9] = None
    order = random.Random(1).sample(range(60), 60)
    turned = cross_validated([values[p] for p in order], [truths[p] for p in order], [names[p] for p in order], seed=2)
    assert turned == cross_validated(values, truths, names, seed=2)
    assert (turned.accuracy.measured, turned.accuracy.asked) == (58, 60)


@pytest.mark.parametrize(
    ("truths", "names"), [([True, True, True], ["a", "b", "c"]), ([True, False, True], ["a", "a", "a"])]
)
def test_nothing_to_tell_apart(truths: list[bool], names: list[str]) -> None:
    found = cross_validated([0.1, 0.2, 0.3], truths, names, seed=1)
    assert (found.accuracy.share, found.balanced_accuracy, found.accuracy.asked) == (None, None, 3)
