"""The judging graph: one turn of any data set before an ensemble of judges.

Read it from the bottom: `build` is the map. Judges answer side by side; one that fails leaves the others' verdicts. A
reply that cannot be read goes back through `summon_judges`, at last the judge abstains. A split tally goes to the
adjudicator, a passage chosen over the gold in every order to the alignment judges.
"""

from typing import Literal

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from agents.judge import judge
from graphs.checkpoints import with_readable_records
from graphs.judging_state import JudgingContext, JudgingInput, JudgingOutput, JudgingState, Summons
from graphs.judging_updates import (
    Update,
    abstaining,
    failed,
    judged,
    pending,
    summoned,
    suspected_passages,
    tallied,
    with_adjudicator,
    with_confirmation,
)
from mtr.errors import EndpointError, ReplyError
from mtr.judging.showing import shown_values
from mtr.prompts import load_domain
from mtr.verdicts import criterion

_RECURSION_LIMIT = 100


async def summon_judges(state: JudgingState, runtime: Runtime[JudgingContext]) -> Update:
    """Read off the criteria what is asked of this turn, once."""
    return summoned(state, JudgingContext.of(runtime))


async def judge_turn(state: Summons, runtime: Runtime[JudgingContext]) -> Update:
    """Put one ask before one judge; what cannot be read is asked again, an endpoint's failure stays its own."""
    context = JudgingContext.of(runtime)
    one = criterion(context.domain, state.ask.criterion)
    values = shown_values(state.docket, state.ask, one, load_domain(context.domain))
    passages = [state.docket.passages[name] for name in state.ask.shown]
    try:
        opinion = await judge(
            context.binding(one.role, state.judge), one, state.ask, values, passages, sample=state.tried
        )
    except ReplyError as error:
        return abstaining(state, str(error))
    except EndpointError as error:
        return failed(state, error)
    return judged(state, opinion, context)


async def tally_verdicts(state: JudgingState, runtime: Runtime[JudgingContext]) -> Update:
    """Tally each ask by the rule; mark what is split, and what was chosen over the gold in every order."""
    return tallied(state, JudgingContext.of(runtime))


async def adjudicate(state: JudgingState, runtime: Runtime[JudgingContext]) -> Update:
    """Hand split tallies to the adjudicator."""
    return with_adjudicator(state, JudgingContext.of(runtime))


async def confirm_missing(state: JudgingState, runtime: Runtime[JudgingContext]) -> Update:
    """Ask the alignment judges of each suspected passage whether it answers as well."""
    return with_confirmation(state, JudgingContext.of(runtime))


async def after_summon_judges(
    state: JudgingState, runtime: Runtime[JudgingContext]
) -> list[Send] | Literal["tally_verdicts"]:
    """A summons for each verdict that is wanted and not there, or not readable yet."""
    wanted = pending(state, JudgingContext.of(runtime))
    return [Send("judge_turn", summons) for summons in wanted] if wanted else "tally_verdicts"


async def after_tally_verdicts(
    state: JudgingState, runtime: Runtime[JudgingContext]
) -> Literal["adjudicate", "confirm_missing", "__end__"]:
    """Splits first, then suspects, then the end; each happens once."""
    context = JudgingContext.of(runtime)
    if any(tally.split and not tally.adjudicated for tally in state.tallies) and with_adjudicator(state, context):
        return "adjudicate"
    return "confirm_missing" if suspected_passages(state, context) else "__end__"


def build() -> CompiledStateGraph[JudgingState, JudgingContext, JudgingInput, JudgingOutput]:
    """Wire the graph: the table of contents of a verdict."""
    graph = StateGraph(
        JudgingState, context_schema=JudgingContext, input_schema=JudgingInput, output_schema=JudgingOutput
    )

    graph.add_node(summon_judges)
    graph.add_node(judge_turn, input_schema=Summons)
    graph.add_node(tally_verdicts)
    graph.add_node(adjudicate)
    graph.add_node(confirm_missing)

    graph.add_edge(START, "summon_judges")
    graph.add_conditional_edges("summon_judges", after_summon_judges, ["judge_turn", "tally_verdicts"])
    graph.add_edge("judge_turn", "summon_judges")
    graph.add_conditional_edges("tally_verdicts", after_tally_verdicts)
    graph.add_edge("adjudicate", "summon_judges")
    graph.add_edge("confirm_missing", "summon_judges")

    compiled = with_readable_records(graph.compile(name="judging"))
    return compiled.with_config(recursion_limit=_RECURSION_LIMIT)


graph = build()
