"""A judge beside people: correlations, cut and ceiling from readings and marks."""

import random

import pytest

from mtr.errors import InputError
from mtr.evaluation.calibration import calibrate, human_ceiling
from mtr.evaluation.marked import MarkedAnswer, Scale


def marked(items: int, *, people: int = 3, high: float = 5) -> list[MarkedAnswer]:
    """Items of a hidden worth; each person marks it, now and then one step off."""
    choose = random.Random(1)
    answers = []
    for place in range(items):
        worth = choose.randint(1, 5)
        marks = tuple(float(min(5, max(1, worth + choose.choice([-1, 0, 0, 0, 1])))) for _ in range(people))
        answers.append(
            MarkedAnswer(
                item_id=f"i{place}",
                conversation_id=f"c{place // 4}",
                query="q",
                marks={"quality": marks},
                scales={"quality": Scale(low=1, high=high)},
            )
        )
    return answers


def test_a_good_judge() -> None:
    answers = marked(120)
    found = calibrate([answer.mean("quality") for answer in answers], answers, "quality", seed=1, resamples=300)
    assert found.judge.pearson.value == found.judge.spearman.value == found.judge.kendall.value == pytest.approx(1)
    assert found.auc.value == 1
    assert (found.cut.recall, found.cut.false_pass) == (1, 0)
    assert found.cut.cut is not None and found.cut.cut <= found.right_from == 3
    assert found.unseen.accuracy.share == pytest.approx(1, abs=0.05)
    assert (found.right + found.wrong, found.measured, found.asked) == (120, 120, 120)
    assert (found.people.items, found.people.judges) == (120, 3)
    assert found.people.alpha is not None and 0.8 < found.people.alpha < 0.95


def test_a_judge_that_guesses() -> None:
    answers, choose = marked(120), random.Random(3)
    found = calibrate([choose.random() for _ in answers], answers, "quality", seed=1, resamples=300)
    assert found.judge.spearman.low is not None and found.judge.spearman.high is not None
    assert found.judge.spearman.low < 0 < found.judge.spearman.high
    assert found.unseen.balanced_accuracy == pytest.approx(0.5, abs=0.15)


def test_what_was_not_read_or_not_marked_is_only_counted() -> None:
    answers = marked(40)
    answers[0] = answers[0].model_copy(update={"marks": {"quality": (None, None, None)}})
    readings: list[float | None] = [answer.mean("quality") for answer in marked(40)]
    readings[1] = None
    found = calibrate(readings, answers, "quality", seed=1, resamples=50)
    assert (found.measured, found.asked, found.auc.measured, found.people.items) == (38, 40, 38, 39)
    with pytest.raises(ValueError, match="argument"):
        calibrate(readings[:-1], answers, "quality", seed=1)


def test_the_ceiling_is_each_mark_against_the_others() -> None:
    answers = [
        MarkedAnswer(item_id=str(place), query="q", marks={"quality": marks}, scales={"quality": Scale(low=1, high=5)})
        for place, marks in enumerate([(1, 2, None), (4, 5, None), (3, None, None)])
    ]
    found = human_ceiling(answers, "quality", seed=1).pearson
    assert found.measured == 4
    assert found.value == pytest.approx(0.8)
    assert human_ceiling(marked(20, people=1), "quality", seed=1).pearson.value is None


def test_the_order_of_items_does_not_matter() -> None:
    answers = marked(40)
    readings: list[float | None] = [random.Random(place).random() for place in range(40)]
    turned = calibrate(readings[::-1], answers[::-1], "quality", seed=1, resamples=100)
    assert turned == calibrate(readings, answers, "quality", seed=1, resamples=100)


def test_a_criterion_nobody_marked() -> None:
    with pytest.raises(InputError, match="no mark of criterion 'tone'; the file has: quality"):
        calibrate([1.0] * 3, marked(3), "tone", seed=1)
    with pytest.raises(InputError, match="scales of 1 to 5 and 1 to 7"):
        calibrate([1.0] * 6, [*marked(3), *marked(3, high=7)], "quality", seed=1)
