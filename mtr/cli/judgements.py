"""The judging graph as a batch sees it: a query id in, a judged turn out."""

from asyncio import to_thread

from mtr.auditing.job import AuditJob
from mtr.batch import Make
from mtr.batch_store import Outcome
from mtr.cli.dialogues import code_of
from mtr.errors import EndpointError, FatalEndpointError
from mtr.verdicts import Judged, JudgedTurn

SHAPING = (
    "agents.judge",
    "graphs.judging",
    "graphs.judging_state",
    "graphs.judging_updates",
    "mtr.judging",
    "mtr.binding",
)


def code_of_judgements() -> str:
    """The fingerprint of the code that shapes verdicts, found without importing it."""
    return code_of(SHAPING)


def judgement_maker(job: AuditJob) -> Make[JudgedTurn]:
    """A function that runs the graph on one turn."""
    from graphs.judging import graph
    from graphs.judging_state import JudgingContext, JudgingInput, JudgingOutput

    options = job.options
    context = JudgingContext(
        domain=options.domain,
        judges=list(options.judges),
        criteria=list(options.criteria),
        rule=options.rule,
        split_beyond=options.split_beyond,
        adjudicator=options.adjudicator,
        exclude_self=options.exclude_self,
        seed=options.seed,
    )

    async def make(item: str, attempt: int) -> Outcome[JudgedTurn]:
        turn = job.turns[item]
        docket = await to_thread(job.dockets.of, turn)
        output = JudgingOutput.model_validate(await graph.ainvoke(JudgingInput(docket=docket), context=context))
        _raise_failures(list(output.verdicts.values()))
        judged = JudgedTurn(
            query_id=turn.query_id,
            conversation_id=turn.conversation_id,
            turn=turn.turn,
            query=turn.query,
            move=turn.move,
            subset=turn.subset,
            gold=tuple(gold.passage_id for gold in turn.gold),
            unasked=tuple(output.unasked),
            verdicts=tuple(output.verdicts[key] for key in sorted(output.verdicts)),
            tallies=tuple(output.tallies),
            suspected=tuple(output.suspected),
            missing=tuple(output.missing),
        )
        return Outcome(value=judged)

    return make


def _raise_failures(verdicts: list[Judged]) -> None:
    """What an endpoint failed to give is asked for by the next run; the other verdicts wait in the ledger."""
    for verdict in verdicts:
        if verdict.failed == "fatal":
            raise FatalEndpointError(verdict.reason)
    for verdict in verdicts:
        if verdict.failed:
            raise EndpointError(verdict.reason)
