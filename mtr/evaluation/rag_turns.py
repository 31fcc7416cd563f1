"""One answer of a RAG system, measured: scores, retrieval, whether it is right. Pure; what is not known is None."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from pydantic import Field

from mtr.answers import Answered
from mtr.datasets.records import AnyTurn
from mtr.records import Record
from mtr.verdicts import Criterion, JudgedBy, JudgedTurn

FAITHFUL, RELEVANT, COMPLETE = "faithfulness_to_retrieved", "answer_relevance", "answer_completeness"
RAG_CRITERIA = (FAITHFUL, RELEVANT, COMPLETE)
"""The criteria of a RAG evaluation, in the order they are reported."""

REFUSES = "answer_refuses"
"""Put before the judges where a system does not say whether it declined to answer."""

SCORED_TO_5: tuple[JudgedBy, ...] = ("scale", "claims")
_YES = 0.5


class Right(Record):
    """What a right answer is: at or above `at` on every criterion of `by`; a yes or no counts from P(yes) one half."""

    by: tuple[str, ...] = Field(default=RAG_CRITERIA, min_length=1)
    at: float = Field(default=4.0, ge=1, le=5)


class RagTurn(Record):
    """A line of per_turn.jsonl. `reasons` say why a score is None.

    `retrieval` holds R, nDCG and MRR of what was retrieved, and `found` whether any gold was; both None where no gold
    is marked or the system does not say by id what it retrieved (`retrieval_reason`). `right` is None where what was
    measured does not decide it. A refusal is right where the set says that the turn cannot be answered.
    """

    system: str
    k: int | None
    query_id: str
    conversation_id: str
    turn: int
    subset: str = ""
    answerable: bool | None
    answered: bool
    refused: bool | None
    scores: Mapping[str, float | None]
    reasons: Mapping[str, str]
    retrieval: Mapping[str, float] | None
    retrieval_reason: str = ""
    found: bool | None
    right: bool | None
    tokens: int | None
    seconds: float | None
    usd: float | None


def rag_turn(
    turn: AnyTurn,
    answered: Answered,
    judged: JudgedTurn,
    criteria: Sequence[Criterion],
    right: Right,
    retrieval: Mapping[str, float] | str,
) -> RagTurn:
    """Put together what is known of an answer; `retrieval` is the reason where nothing was measured."""
    scores = {one.name: score_of(judged, one.name) for one in criteria}
    refused = refused_of(answered, judged)
    measured = retrieval if not isinstance(retrieval, str) else None
    return RagTurn(
        system=answered.system,
        k=answered.k,
        query_id=turn.query_id,
        conversation_id=turn.conversation_id,
        turn=turn.turn,
        subset=turn.subset,
        answerable=turn.answerable,
        answered=answered.answer is not None,
        refused=refused,
        scores=scores,
        reasons={name: reason_of(judged, name) for name, score in scores.items() if score is None},
        retrieval=measured,
        retrieval_reason=retrieval if isinstance(retrieval, str) else "",
        found=None if measured is None else measured["R"] > 0,
        right=_right(turn, refused, {one.name: _passes(one, scores[one.name], right) for one in criteria}, right),
        tokens=answered.tokens,
        seconds=answered.seconds,
        usd=answered.usd,
    )


def score_of(judged: JudgedTurn, criterion: str) -> float | None:
    """The ensemble's score on the criterion, over its asks; None where it has none."""
    known = [one.score for one in judged.tallies if one.criterion == criterion and one.score is not None]
    return fmean(known) if known else None


def reason_of(judged: JudgedTurn, criterion: str) -> str:
    """Why there is no score."""
    reasons = [one.reason for one in judged.unasked if one.criterion == criterion]
    reasons += [one.abstained for one in judged.verdicts if one.criterion == criterion and one.abstained]
    if any(one.tie for one in judged.tallies if one.criterion == criterion):
        reasons.append("the judges are tied")
    return reasons[0] if reasons else "no verdict"


def refused_of(answered: Answered, judged: JudgedTurn) -> bool | None:
    """Whether the system declined to answer: by its own word, else by the judges'; None where neither tells."""
    if answered.answer is None or answered.refused is not None:
        return answered.refused
    score = score_of(judged, REFUSES)
    return None if score is None else score >= _YES


def _passes(one: Criterion, score: float | None, right: Right) -> bool | None:
    if score is None:
        return None
    return score >= (right.at if one.reply in SCORED_TO_5 else _YES)


def _right(turn: AnyTurn, refused: bool | None, passes: Mapping[str, bool | None], right: Right) -> bool | None:
    """Wrong as soon as one criterion is below the cut, right when none is and all are measured."""
    if refused is None:
        return None
    if turn.answerable is False or refused:
        return refused and turn.answerable is False
    marks = [passes.get(name) for name in right.by]
    if False in marks:
        return False
    return None if None in marks else True
