"""The judging graph as a batch sees it: a query id in, a judged turn out."""

from asyncio import to_thread
from typing import TYPE_CHECKING

from mtr.auditing.job import AuditJob
from mtr.auditing.options import AuditOptions
from mtr.batch import Make
from mtr.batch_store import Outcome
from mtr.cli.dialogues import code_of
from mtr.errors import EndpointError, FatalEndpointError
from mtr.judging.asking import Docket
from mtr.verdicts import Judged, JudgedTurn

if TYPE_CHECKING:
    from graphs.judging_state import JudgingContext

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
    context = judging_context(job.options)

    async def make(item: str, attempt: int) -> Outcome[JudgedTurn]:
        docket = await to_thread(job.dockets.of, job.turns[item])
        return Outcome(value=await judged_turn(docket, context))

    return make


def judging_context(options: AuditOptions) -> "JudgingContext":
    """The graph's knobs, as the options set them."""
    from graphs.judging_state import JudgingContext

    return JudgingContext(
        domain=options.domain,
        judges=list(options.judges),
        criteria=list(options.criteria),
        rule=options.rule,
        split_beyond=options.split_beyond,
        adjudicator=options.adjudicator,
        exclude_self=options.exclude_self,
        cuts=options.cuts,
        seed=options.seed,
    )


async def judged_turn(docket: Docket, context: "JudgingContext") -> JudgedTurn:
    """What the ensemble says of a turn; EndpointError when a judge's endpoint failed, the rest waits in the ledger."""
    from graphs.judging import graph
    from graphs.judging_state import JudgingInput, JudgingOutput

    output = JudgingOutput.model_validate(await graph.ainvoke(JudgingInput(docket=docket), context=context))
    _raise_failures(list(output.verdicts.values()))
    turn = docket.turn
    return JudgedTurn(
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


def _raise_failures(verdicts: list[Judged]) -> None:
    """What an endpoint failed to give is asked for by the next run; the other verdicts wait in the ledger."""
    for verdict in verdicts:
        if verdict.failed == "fatal":
            raise FatalEndpointError(verdict.reason)
    for verdict in verdicts:
        if verdict.failed:
            raise EndpointError(verdict.reason)
