"""Tallies: each rule on each kind of reply, ties and splits, cuts, and an adjudicator who decides."""

import pytest

from mtr.judging.cuts import evened
from mtr.judging.tallying import SPLIT_BEYOND, Rule, tally
from mtr.verdicts import Ask, Judged, Tally

ASK = Ask(query_id="c::1", criterion="any")


def said(number: int, **values: object) -> Judged:
    """A judge's verdict."""
    return Judged.model_validate({"query_id": "c::1", "criterion": "any", "judge": f"jury/{number}", **values})


def tallied(verdicts: list[Judged], rule: Rule = "mean") -> Tally:
    """The result under the usual knob."""
    return tally(ASK, verdicts, rule, SPLIT_BEYOND)


def scores(*values: float) -> list[Judged]:
    """Judges on the scale."""
    return [said(number, score=value, written=float(round(value))) for number, value in enumerate(values)]


def chances(*values: float, cut: float = 0.5) -> list[Judged]:
    """Judges who say yes or no, with P(yes) evened about a cut."""
    return [
        said(number, score=evened(value, cut), written=float(value >= 0.5), probability=value)
        for number, value in enumerate(values)
    ]


def choices(*names: str) -> list[Judged]:
    """Judges who chose; `gold` is gold."""
    return [said(number, choice=name, score=float(name == "gold")) for number, name in enumerate(names)]


@pytest.mark.parametrize(
    ("verdicts", "rule", "score"),
    [
        (scores(1, 4, 4), "mean", 3),
        (scores(1, 4, 4), "median", 4),
        (scores(1, 4, 4), "majority", 4),
        (scores(1, 4, 4), "unanimity", None),
        (scores(4, 4), "unanimity", 4),
        (scores(3, 4), "majority", None),
        (chances(0.9, 0.2, 0.8), "majority", 1),
        (chances(0.3, 0.35, 0.9, cut=0.25), "majority", 1),
        (chances(0.3, 0.35, 0.9, cut=0.25), "unanimity", 1),
        (choices("gold", "gold", "b"), "mean", 1),
        (choices("b", "b", "gold"), "majority", 0),
        (choices("gold", "b"), "mean", None),
    ],
)
def test_each_rule(verdicts: list[Judged], rule: Rule, score: float | None) -> None:
    result = tallied(verdicts, rule)
    assert result.score == (None if score is None else pytest.approx(score))
    assert result.tie is (score is None)


@pytest.mark.parametrize(
    ("verdicts", "split"),
    [
        (scores(1, 3), False),
        (scores(1, 3.1), True),
        (scores(1, 1), False),
        (chances(0.2, 0.7), False),
        (chances(0.1, 0.9), True),
        (choices("gold", "gold", "b"), False),
        (choices("gold", "b"), True),
        (choices("gold", "b", "c"), True),
    ],
)
def test_verdicts_of_every_kind_can_be_split(verdicts: list[Judged], split: bool) -> None:
    assert tallied(verdicts).split is split


def test_an_adjudicator_decides_and_leaves_the_panel_as_it_was() -> None:
    final = said(9, choice="gold", score=1.0, adjudicator=True)
    result = tallied([*choices("gold", "b"), final])
    assert (result.score, result.choice, result.tie, result.adjudicated) == (1, "gold", False, True)
    assert (result.judges, result.measured, result.split) == (2, 2, True)


def test_abstentions_count_as_judges_and_not_as_verdicts() -> None:
    silent = said(9, abstained="could not be read", unreadable=3)
    result = tallied([*scores(4), silent])
    assert (result.score, result.judges, result.measured, result.split) == (4, 2, 1, False)
    nobody = tallied([silent])
    assert (nobody.score, nobody.measured, nobody.tie, nobody.spread) == (None, 0, False, None)
