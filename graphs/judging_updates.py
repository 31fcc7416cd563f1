"""What the nodes of the judging graph write back: pure functions from the state to the fields that change."""

from collections.abc import Iterator, Sequence
from typing import Any

from agents.judge import Opinion
from graphs.judging_state import JudgingContext, JudgingState, Summons
from mtr.errors import EndpointError, FatalEndpointError
from mtr.judging.asking import asks_of, check_inputs
from mtr.judging.cuts import cut_name, evened
from mtr.judging.families import wrote
from mtr.judging.tallying import tally
from mtr.verdicts import ALIGNMENT, Ask, Judged, Tally, criterion

Update = dict[str, Any]
_NO_CLAIM = "the answer makes no claim"


def summoned(state: JudgingState, context: JudgingContext) -> Update:
    """The asks of the turn, and what is not asked with the reason; nothing new once they are there."""
    if state.asks or state.unasked:
        return {"asks": state.asks}
    criteria = [criterion(context.domain, name) for name in context.criteria]
    check_inputs(criteria)
    found = [asks_of(state.docket, one, context.seed) for one in criteria]
    return {
        "asks": [ask for asks, _ in found for ask in asks],
        "unasked": [unasked for _, unasked in found if unasked],
    }


def pending(state: JudgingState, context: JudgingContext) -> list[Summons]:
    """A summons for each verdict that is not there yet, or could not be read and has tries left."""
    return [summons for summons in _wanted(state, context) if _open(state, summons, context)]


def _wanted(state: JudgingState, context: JudgingContext) -> Iterator[Summons]:
    writers = state.docket.turn.written_by if context.exclude_self else ()
    judges = [judge for judge in dict.fromkeys(context.judges) if not wrote(judge, writers)]
    for ask in state.asks:
        for judge in judges:
            yield _summons(state, ask, judge, adjudicator=False)
        if ask.name in state.adjudicated:
            yield _summons(state, ask, context.adjudicator, adjudicator=True)


def _summons(state: JudgingState, ask: Ask, judge: str, *, adjudicator: bool) -> Summons:
    before = state.verdicts.get(verdict_key(ask, judge, adjudicator))
    return Summons(
        docket=state.docket, ask=ask, judge=judge, tried=before.tries if before else 0, adjudicator=adjudicator
    )


def _open(state: JudgingState, summons: Summons, context: JudgingContext) -> bool:
    before = state.verdicts.get(verdict_key(summons.ask, summons.judge, summons.adjudicator))
    return before is None or (bool(before.abstained) and before.unreadable == before.tries < context.tries)


def verdict_key(ask: Ask, judge: str, adjudicator: bool) -> str:
    """Where a verdict lies in the state: one for each judge and ask, and the adjudicator's beside them."""
    return f"{'adjudicator ' if adjudicator else ''}{judge} on {ask.name}"


def judged(summons: Summons, opinion: Opinion, context: JudgingContext) -> Update:
    """A verdict that could be read; an answer without claims is not measured."""
    ask = summons.ask
    score = opinion.score
    if opinion.probability is not None:
        score = evened(opinion.probability, context.cuts.get(cut_name(summons.judge, ask.criterion), 0.5))
    if opinion.choice is not None:
        score = float(opinion.choice in {gold.passage_id for gold in summons.docket.turn.gold})
    return _verdict(
        summons,
        score=score,
        written=opinion.written,
        probability=opinion.probability,
        choice=opinion.choice,
        claims=opinion.claims,
        reason=opinion.reason,
        abstained="" if score is not None else _NO_CLAIM,
        unreadable=summons.tried,
        calls=(opinion.call,),
    )


def abstaining(summons: Summons, why: str) -> Update:
    """No verdict, since the reply could not be read."""
    return _verdict(summons, abstained=why, unreadable=summons.tried + 1)


def failed(summons: Summons, error: EndpointError) -> Update:
    """No verdict, since the endpoint gave no reply; the other judges' verdicts stand."""
    return _verdict(summons, failed="fatal" if isinstance(error, FatalEndpointError) else "passing", reason=str(error))


def _verdict(summons: Summons, **said: Any) -> Update:
    ask, turn = summons.ask, summons.docket.turn
    verdict = Judged(
        query_id=ask.query_id,
        criterion=ask.criterion,
        subject=ask.subject,
        order=ask.order,
        shown=ask.shown,
        judge=summons.judge,
        tries=summons.tried + 1,
        adjudicator=summons.adjudicator,
        wrote_it=wrote(summons.judge, turn.written_by),
        **said,
    )
    return {"verdicts": {verdict_key(ask, summons.judge, summons.adjudicator): verdict}}


def tallied(state: JudgingState, context: JudgingContext) -> Update:
    """A tally of each ask; passages chosen over the gold in every order; those the judges confirm."""
    by_ask: dict[str, list[Judged]] = {}
    for verdict in state.verdicts.values():
        by_ask.setdefault(verdict.ask_name, []).append(verdict)
    tallies = [tally(ask, by_ask.get(ask.name, []), context.rule, context.split_beyond) for ask in state.asks]
    suspected = _over_the_gold(tallies)
    confirmed = {
        one.subject
        for one in tallies
        if one.criterion == ALIGNMENT and one.score is not None and one.score >= context.confirm_at
    }
    return {"tallies": tallies, "suspected": suspected, "missing": [name for name in suspected if name in confirmed]}


def _over_the_gold(tallies: Sequence[Tally]) -> list[str]:
    """The passage that is no gold and was chosen in every order; an order without a result clears it."""
    orders: dict[str, list[Tally]] = {}
    for one in tallies:
        orders.setdefault(one.criterion, []).append(one)
    found = [
        rows[0].choice
        for rows in orders.values()
        if len(rows) > 1 and len({one.choice for one in rows}) == 1 and rows[0].score == 0
    ]
    return [name for name in dict.fromkeys(found) if name is not None]


def with_adjudicator(state: JudgingState, context: JudgingContext) -> Update:
    """The asks that go to the adjudicator; empty when there is none, or nothing new is split."""
    split = [one.ask_name for one in state.tallies if one.split and one.ask_name not in state.adjudicated]
    return {"adjudicated": [*state.adjudicated, *split]} if context.adjudicator and split else {}


def suspected_passages(state: JudgingState, context: JudgingContext) -> list[Ask]:
    """Asks of alignment for suspected passages that were not put yet."""
    asked = {ask.name for ask in state.asks}
    query_id = state.docket.turn.query_id
    asks = [Ask(query_id=query_id, criterion=ALIGNMENT, subject=name, shown=(name,)) for name in state.suspected]
    return [ask for ask in asks if ask.name not in asked]


def with_confirmation(state: JudgingState, context: JudgingContext) -> Update:
    """The asks, those of the suspected passages added."""
    return {"asks": [*state.asks, *suspected_passages(state, context)]}
