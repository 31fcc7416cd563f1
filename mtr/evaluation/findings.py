"""Items a person should look at, worst first, each with its reason in words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pydantic import Field

from mtr.evaluation.audit import NOISE_BELOW, is_gold_alignment
from mtr.records import Record
from mtr.verdicts import FAITHFULNESS, QUALITY, Criterion, Judged, JudgedTurn, Tally

Kind = Literal["noise", "missing_evidence", "unfaithful", "poor_answer", "query", "split", "unmeasured"]
_LOW = 3.0
_YES = 0.5
_SCALE_OF_DOUBT: Mapping[Kind, float] = {
    "missing_evidence": 1.0,
    "noise": 0.9,
    "unfaithful": 0.8,
    "poor_answer": 0.5,
    "query": 0.4,
    "split": 0.3,
    "unmeasured": 0.1,
}


class Finding(Record):
    """Something to look at. `weight` orders findings, from 1 (worst) to 0."""

    query_id: str
    conversation_id: str
    turn: int
    kind: Kind
    criterion: str
    passage_id: str = ""
    score: float | None = None
    weight: float = Field(ge=0, le=1)
    words: str


def findings_of(turns: Sequence[JudgedTurn], criteria: Sequence[Criterion]) -> list[Finding]:
    """All findings, worst first; equal ones in the order of the turns."""
    replies = {one.name: one.reply for one in criteria}
    found = [finding for turn in turns for finding in _of_turn(turn, replies)]
    return sorted(found, key=lambda finding: -finding.weight)


def _of_turn(turn: JudgedTurn, replies: Mapping[str, str]) -> Iterator[Finding]:
    for passage_id in turn.missing:
        words = f"{passage_id} was chosen over the gold in every order and answers as well, but is not marked"
        yield _finding(turn, "missing_evidence", "evidence_completeness", 1.0, words, passage_id=passage_id)
    for one in turn.tallies:
        if one.subject and one.subject not in turn.gold:
            continue
        if one.split and not one.tie and not one.adjudicated:
            apart = f"the judges lie {one.spread:.0%} of the scale apart"
            yield _finding(turn, "split", one.criterion, 0.5, apart, tally=one)
        if one.score is None:
            yield _unmeasured(turn, one)
        else:
            yield from _low(turn, one, one.score, replies.get(one.criterion, ""))


def _low(turn: JudgedTurn, one: Tally, score: float, reply: str) -> Iterator[Finding]:
    badness = (_LOW - score) / (_LOW - 1)
    if is_gold_alignment(turn, one) and score < NOISE_BELOW:
        words = f"gold {one.subject} scores {score:.2f} of 5: {_reason(turn, one)}"
        yield _finding(turn, "noise", one.criterion, badness, words, tally=one)
    elif one.criterion == FAITHFULNESS:
        open_claims = _open_claims(turn, one)
        if score < _LOW or open_claims:
            words = f"scores {score:.2f} of 5; not stated in the gold: {'; '.join(open_claims) or _reason(turn, one)}"
            yield _finding(turn, "unfaithful", one.criterion, max(badness, 0.2), words, tally=one)
    elif one.criterion == QUALITY and score < _LOW:
        yield _finding(
            turn, "poor_answer", one.criterion, badness, f"scores {score:.2f} of 5: {_reason(turn, one)}", tally=one
        )
    elif reply == "yes_no" and score < _YES:
        words = f"fails {one.criterion}: {turn.query}"
        yield _finding(turn, "query", one.criterion, 1 - score / _YES, words, tally=one)


def _unmeasured(turn: JudgedTurn, one: Tally) -> Finding:
    if one.tie:
        why = "the verdicts are tied"
    elif one.judges:
        why = f"all judges abstained: {_abstentions(turn, one)}"
    else:
        why = "every judge is of a family that wrote the turn, and was left out"
    return _finding(turn, "unmeasured", one.criterion, 0.5, why, tally=one)


def _finding(
    turn: JudgedTurn,
    kind: Kind,
    criterion: str,
    badness: float,
    words: str,
    *,
    passage_id: str = "",
    tally: Tally | None = None,
) -> Finding:
    return Finding(
        query_id=turn.query_id,
        conversation_id=turn.conversation_id,
        turn=turn.turn,
        kind=kind,
        criterion=criterion,
        passage_id=passage_id or (tally.subject if tally else ""),
        score=tally.score if tally else None,
        weight=round(_SCALE_OF_DOUBT[kind] * (0.5 + 0.5 * min(max(badness, 0.0), 1.0)), 4),
        words=words,
    )


def _said(turn: JudgedTurn, one: Tally) -> list[Judged]:
    return [verdict for verdict in turn.verdicts if verdict.ask_name == one.ask_name]


def _reason(turn: JudgedTurn, one: Tally) -> str:
    """The words of the judge with the lowest score."""
    spoken = [verdict for verdict in _said(turn, one) if verdict.reason and verdict.score is not None]
    return min(spoken, key=lambda verdict: verdict.score or 0.0).reason if spoken else "no reason was given"


def _open_claims(turn: JudgedTurn, one: Tally) -> list[str]:
    """Claims that at least half of the judges who listed claims could not find stated."""
    said = [verdict for verdict in _said(turn, one) if verdict.claims]
    unsupported: dict[str, int] = {}
    for verdict in said:
        for claim in verdict.claims:
            if not claim.supported:
                unsupported[claim.text] = unsupported.get(claim.text, 0) + 1
    return [text for text, votes in unsupported.items() if 2 * votes >= len(said)]


def _abstentions(turn: JudgedTurn, one: Tally) -> str:
    return (
        "; ".join(dict.fromkeys(verdict.abstained for verdict in _said(turn, one) if verdict.abstained)) or "no reply"
    )
