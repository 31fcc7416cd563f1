"""The ensemble's result: verdicts of one ask in, a tally out; ties and abstentions shown, never broken silently."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, median
from typing import Literal

from mtr.verdicts import Ask, Judged, Tally

Rule = Literal["mean", "median", "majority", "unanimity"]
SPLIT_BEYOND = 0.5
"""Verdicts further apart than this share of the scale are split, unless a user says otherwise: two steps of 1 to 5."""

_HALF = 0.5
_STEPS = 4.0


def tally(ask: Ask, verdicts: Sequence[Judged], rule: Rule, split_beyond: float) -> Tally:
    """Tally the verdicts of one ask. An adjudicator's verdict, where there is one, decides alone.

    A mean of choices makes no sense: there `mean` and `median` are the majority. A tie leaves the score None; it is
    split whatever the verdicts' distance, since an adjudicator could break it.
    """
    final = [one for one in verdicts if one.adjudicator and one.measured]
    panel = [one for one in verdicts if not one.adjudicator]
    measured = [one for one in panel if one.measured]
    counted = final or measured
    spread = _spread(measured)
    score, choice, tie = _result(counted, rule)
    return Tally(
        query_id=ask.query_id,
        criterion=ask.criterion,
        subject=ask.subject,
        order=ask.order,
        score=score,
        choice=choice,
        judges=len(panel),
        measured=len(measured),
        spread=spread,
        tie=tie,
        split=_result(measured, rule)[2] or (spread is not None and spread > split_beyond),
        adjudicated=bool(final),
    )


def _result(verdicts: Sequence[Judged], rule: Rule) -> tuple[float | None, str | None, bool]:
    """Score, choice, and whether a tie left none."""
    if not verdicts:
        return None, None, False
    if verdicts[0].choice is not None:
        choice = _chosen([one.choice or "" for one in verdicts], rule)
        score = next((one.score for one in verdicts if one.choice == choice), None)
        return score, choice, choice is None
    scores = [one.score for one in verdicts if one.score is not None]
    if rule == "mean":
        return fmean(scores), None, False
    if rule == "median":
        return median(scores), None, False
    steps = Counter(_step(one) for one in verdicts)
    step, votes = steps.most_common(1)[0]
    wanted = len(verdicts) if rule == "unanimity" else len(verdicts) * _HALF
    won = votes >= wanted if rule == "unanimity" else votes > wanted
    return (step, None, False) if won else (None, None, True)


def _step(verdict: Judged) -> float:
    """The step of the scale a judge named: yes or no by its cut where there is P(yes), else as written."""
    if verdict.probability is not None and verdict.score is not None:
        return float(verdict.score >= _HALF)
    return verdict.written if verdict.written is not None else float(round(verdict.score or 0.0))


def _chosen(choices: Sequence[str], rule: Rule) -> str | None:
    choice, votes = Counter(choices).most_common(1)[0]
    won = votes == len(choices) if rule == "unanimity" else votes > len(choices) * _HALF
    return choice if won else None


def _spread(verdicts: Sequence[Judged]) -> float | None:
    """How far apart, from 0 to 1: a share of the scale or of P(yes), or the share of verdicts outside the majority."""
    if not verdicts:
        return None
    if verdicts[0].choice is not None:
        votes = Counter(one.choice for one in verdicts).most_common(1)[0][1]
        return 1 - votes / len(verdicts)
    scores = [one.score for one in verdicts if one.score is not None]
    # P(yes) ends at 1 where the scale begins; verdicts that are all 1 lie together on either.
    length = _STEPS if max(scores) > 1 else 1.0
    return (max(scores) - min(scores)) / length
