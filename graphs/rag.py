"""The rag graph: one turn through a whole RAG system and before its judges.

Read it from the bottom: `build` is the map. What is retrieved comes from the whole corpus, dense and BM25 fused. A
reply of the answerer that cannot be read is asked for again as another sample, at most twice. A refusal is judged by
nobody.
"""

from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from agents.rag_answerer import answer_query
from graphs.checkpoints import with_readable_records
from graphs.judging import graph as judging
from graphs.judging_state import JudgingInput, JudgingOutput
from graphs.materials import Materials
from graphs.rag_state import RagContext, RagInput, RagOutput, RagState
from mtr.datasets.own_adapter import any_passage
from mtr.datasets.records import AnyTurn
from mtr.errors import ReplyError
from mtr.judging.asking import Docket

Update = dict[str, Any]
TRIES = 3
_RECURSION_LIMIT = 50


async def retrieve(state: RagState, runtime: Runtime[RagContext]) -> Update:
    """The k nearest passages of the corpus to the query as typed; whatever an earlier run left is reset."""
    context = RagContext.of(runtime)
    materials = await Materials.of(context)
    ids = await materials.collection.nearest(state.query, context.k)
    empty = RagState.model_construct()
    fresh = {name: getattr(empty, name) for name in (*RagOutput.model_fields, "tries")}
    return {**fresh, "retrieved": [any_passage(one) for one in materials.passages(ids)]}


async def write_answer(state: RagState, runtime: Runtime[RagContext]) -> Update:
    """Let the answerer answer from what was retrieved."""
    context = RagContext.of(runtime)
    words = (await Materials.of(context)).settings
    tried: Update = {"tries": state.tries + 1}
    try:
        said = await answer_query(
            context.binding("rag_answerer"), _turn(state), state.retrieved, words, sample=state.tries
        )
    except ReplyError as error:
        return {**tried, "fault": str(error)}
    return {**tried, "answer": said.answer, "refused": said.refused, "fault": ""}


async def judge_answer(state: RagState, runtime: Runtime[RagContext]) -> Update:
    """Put the answer before the ensemble: the judging graph within."""
    turn = _turn(state).model_copy(update={"answer": state.answer})
    reference = tuple(filter(None, [state.reference.strip()]))
    docket = Docket(turn=turn, gold=(), retrieved=tuple(state.retrieved), reference=reference)
    said = await judging.ainvoke(JudgingInput(docket=docket), context=RagContext.of(runtime).judging)
    output = JudgingOutput.model_validate(said)
    return {"verdicts": list(output.verdicts.values()), "tallies": output.tallies, "unasked": output.unasked}


async def after_write_answer(state: RagState) -> Literal["write_answer", "judge_answer", "__end__"]:
    """Again where the reply could not be read, on to the judges with an answer, to the end with a refusal."""
    if state.fault:
        return "write_answer" if state.tries < TRIES else "__end__"
    return "__end__" if state.refused else "judge_answer"


def _turn(state: RagState) -> AnyTurn:
    number = 1 + sum(said.speaker == "user" for said in state.history)
    return AnyTurn(query_id="rag", conversation_id="rag", turn=number, query=state.query, history=tuple(state.history))


def build() -> CompiledStateGraph[RagState, RagContext, RagInput, RagOutput]:
    """Wire the graph: the table of contents of an answer."""
    graph = StateGraph(RagState, context_schema=RagContext, input_schema=RagInput, output_schema=RagOutput)

    graph.add_node(retrieve)
    graph.add_node(write_answer)
    graph.add_node(judge_answer)

    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "write_answer")
    graph.add_conditional_edges("write_answer", after_write_answer)
    graph.add_edge("judge_answer", END)

    return with_readable_records(graph.compile(name="rag")).with_config(recursion_limit=_RECURSION_LIMIT)


graph = build()
