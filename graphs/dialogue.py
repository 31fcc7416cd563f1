"""The dialogue graph: one conversation, turn by turn, each gold proven against the whole collection.

Read it from the bottom: `build` is the map. Every retry is an edge, with the reason in `feedback` and a bound in the
context: a draft that fails gives way to the next fact, spent facts to the next passage, spent passages to `abandon`.

Routes are `async` though they wait for nothing: LangGraph hands a plain function to a thread, at many times its cost.
"""

from typing import Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from agents.answer_verifier import verify_support
from agents.answerer import draft_answer
from agents.contextualizer import draft_wording
from agents.topic_planner import choose_topic
from agents.uniqueness_verifier import prove_gold
from agents.user_simulator import draft_query
from graphs.checkpoints import with_readable_records
from graphs.context import Context
from graphs.dialogue_state import DialogueInput, DialogueOutput, DialogueState
from graphs.dialogue_updates import Update, answer_rejected, begun, kept, note, rejected, topic_options, with_passage
from graphs.materials import Materials
from mtr.conversation.answer_checks import answer_fault, evidence_for
from mtr.conversation.pool import centre_of
from mtr.conversation.query_checks import query_fault
from mtr.errors import ReplyError

_RECURSION_LIMIT = 20_000
_TOPIC_TRIES = 2
_NEAREST = 12


async def plan_moves(state: DialogueState, runtime: Runtime[Context]) -> Update:
    """Draw the moves and the user by seed."""
    context = Context.of(runtime)
    return begun(state, context, await Materials.of(context))


async def plan_topic(state: DialogueState, runtime: Runtime[Context]) -> Update:
    """At a hard switch, let the topic planner choose among passages of clusters not yet touched."""
    context = Context.of(runtime)
    materials = await Materials.of(context)
    options = topic_options(state, context, materials)
    if not options:
        return note(state, "plan_topic", "no cluster left to switch to", abandoned="the corpus has no other cluster")
    tries = state.topic_try + 1
    try:
        choice = await choose_topic(
            context.binding("topic_planner"), state.turns, options, materials.settings, sample=state.topic_try
        )
    except ReplyError as error:
        given_up = str(error) if tries >= _TOPIC_TRIES else ""
        return note(state, "plan_topic", f"rejected: {error}", topic_try=tries, abandoned=given_up)
    start = options[choice.option].passage_id
    return note(state, "plan_topic", f"{start}: {choice.reason}", [choice.call], start=start, topic_try=tries)


async def choose_passage(state: DialogueState, runtime: Runtime[Context]) -> Update:
    """Take the next passage of the move's pool, and its facts; the pool spent, what is nearest in the collection."""
    context = Context.of(runtime)
    materials = await Materials.of(context)
    update = with_passage(state, context, materials)
    if "abandoned" not in update or len(state.tried_passages) >= context.passage_tries:
        return update
    corpus = materials.corpus
    centre = corpus.passages[centre_of(corpus, state.planned, state.turns, state.start)]
    return with_passage(state, context, materials, await materials.collection.nearest(centre.text, _NEAREST))


async def simulate_user(state: DialogueState, runtime: Runtime[Context]) -> Update:
    """Let the user simulator draft a standalone query about the fact."""
    binding = Context.of(runtime).binding("user_simulator")
    advice = state.feedback if state.query_try else ""
    counted: Update = {"attempts": state.attempts + 1, "query_try": state.query_try + 1}
    try:
        draft = await draft_query(binding, state.fact, advice=advice, sample=state.query_try)
    except ReplyError as error:
        return note(state, "simulate_user", f"unreadable: {error}", standalone_query="", **counted)
    return note(state, "simulate_user", draft.query, [draft.call], standalone_query=draft.query, feedback="", **counted)


async def check_query(state: DialogueState, runtime: Runtime[Context]) -> Update:
    """Code checks of the query, before any model is asked."""
    context = Context.of(runtime)
    materials = await Materials.of(context)
    earlier = [turn.standalone_query for turn in state.turns]
    fault = query_fault(state.standalone_query, state.fact, earlier, materials.vocabulary, materials.settings)
    return rejected(state, "check_query", fault, [], context) if fault else note(state, "check_query", "passed")


async def verify_uniqueness(state: DialogueState, runtime: Runtime[Context]) -> Update:
    """Prove that the gold answers and that its nearest rivals in the whole collection do not."""
    context = Context.of(runtime)
    materials = await Materials.of(context)
    binding = context.binding("uniqueness_verifier")
    gold = materials.corpus.passages[state.passage_id]
    search = await materials.search(state.standalone_query, [state.passage_id], context.rivals)
    if search.fault:
        return rejected(state, "verify_uniqueness", search.fault, [], context)
    try:
        ruling = await prove_gold(
            binding,
            state.standalone_query,
            gold,
            search.rivals,
            materials.cuts(binding.model),
            materials.settings,
            multi_gold=context.uniqueness == "multi-gold",
        )
    except ReplyError as error:
        return rejected(state, "verify_uniqueness", str(error), [], context)
    if ruling.fault:
        update = rejected(state, "verify_uniqueness", ruling.fault, ruling.calls, context)
        return {**update, "candidates": list(ruling.candidates)}
    proven = {"candidates": list(ruling.candidates), "gold": [state.passage_id, *ruling.further_gold]}
    return note(state, "verify_uniqueness", "proven", ruling.calls, **proven)


async def write_answer(state: DialogueState, runtime: Runtime[Context]) -> Update:
    """Let the answerer answer from the gold alone."""
    context = Context.of(runtime)
    gold = (await Materials.of(context)).passages(state.gold)
    tries, advice = state.answer_try + 1, state.feedback if state.answer_try else ""
    try:
        draft = await draft_answer(
            context.binding("answerer"), state.standalone_query, gold, advice=advice, sample=state.answer_try
        )
    except ReplyError as error:
        return note(state, "write_answer", f"unreadable: {error}", answer="", answer_try=tries)
    return note(state, "write_answer", draft.answer, [draft.call], answer=draft.answer, answer_try=tries, feedback="")


async def verify_answer(state: DialogueState, runtime: Runtime[Context]) -> Update:
    """Code checks of the answer, then the answer verifier: is every claim stated in the gold?"""
    context = Context.of(runtime)
    materials = await Materials.of(context)
    gold = materials.passages(state.gold)
    fault = answer_fault(state.answer, state.standalone_query, state.fact, gold, materials.settings)
    if fault:
        return answer_rejected(state, fault, [], context)
    binding = context.binding("answer_verifier")
    try:
        ruling = await verify_support(
            binding, state.standalone_query, state.answer, gold, materials.cuts(binding.model)
        )
    except ReplyError as error:
        return answer_rejected(state, str(error), [], context)
    if not ruling.verdict.passed:
        fault = materials.settings.fault("claim_not_stated")
        return answer_rejected(state, fault, [ruling.call], context)
    evidence = list(evidence_for(state.answer, state.fact, gold, materials.settings))
    carried = {one.passage_id for one in evidence}
    passed = {
        "gold": [gold_id for gold_id in state.gold if gold_id in carried],
        "evidence": evidence,
        "verdicts": [ruling.verdict],
        "rewords": state.wording.needed(materials.settings),
    }
    return note(state, "verify_answer", "supported", [ruling.call], **passed)


async def contextualize(state: DialogueState, runtime: Runtime[Context]) -> Update:
    """Let the contextualizer word the query as this user types it after what was said."""
    context = Context.of(runtime)
    settings = (await Materials.of(context)).settings
    binding, tries = context.binding("contextualizer", state.style), state.wording_try + 1
    try:
        draft = await draft_wording(
            binding, state.wording, settings, persona=state.persona, advice=state.wording_fault, sample=tries - 1
        )
    except ReplyError as error:
        return note(state, "contextualize", f"unreadable: {error}", query="", wording_try=tries)
    return note(state, "contextualize", draft.query, [draft.call], query=draft.query, wording_try=tries)


async def check_context(state: DialogueState, runtime: Runtime[Context]) -> Update:
    """Code checks of the wording; and with its history it must still lead to the gold."""
    context = Context.of(runtime)
    materials = await Materials.of(context)
    fault = state.wording.fault(state.query, materials.settings)
    if not fault:
        said = " ".join((*state.wording.said, state.query))
        fault = (await materials.search(said, [state.passage_id], context.rivals)).fault
    if not fault:
        return note(state, "check_context", "passed", wording_fault="", rewords=False)
    again = state.wording_try < context.wording_tries
    return note(state, "check_context", f"rejected: {fault}", wording_fault=fault, query="", rewords=again)


async def keep_turn(state: DialogueState, runtime: Runtime[Context]) -> Update:
    """Add the turn to the conversation; a query without a wording that passed is typed in its standalone form."""
    context = Context.of(runtime)
    runtime.stream_writer({"turns_kept": state.turn})
    return kept(state, context, await Materials.of(context))


async def abandon(state: DialogueState) -> Update:
    """Give the conversation up, with the reason; never pass a short one off as whole."""
    return note(state, "abandon", state.abandoned)


async def after_keep_turn(state: DialogueState) -> Literal["plan_topic", "choose_passage", "__end__"]:
    """The next turn, by its move; the end when the conversation is whole."""
    if state.conversation:
        return "__end__"
    return "plan_topic" if state.planned.move == "switch" else "choose_passage"


async def after_plan_topic(state: DialogueState) -> Literal["choose_passage", "plan_topic", "abandon"]:
    """An unreadable choice is asked for again; its tries spent, the conversation is given up."""
    if state.abandoned:
        return "abandon"
    return "choose_passage" if state.start else "plan_topic"


async def after_choose_passage(state: DialogueState) -> Literal["simulate_user", "abandon"]:
    """Passages spent: give up."""
    return "abandon" if state.abandoned else "simulate_user"


async def after_check_query(state: DialogueState) -> Literal["verify_uniqueness", "simulate_user", "choose_passage"]:
    """A faulty query gives way to another draft."""
    return _another_draft(state) if state.feedback else "verify_uniqueness"


async def after_verify_uniqueness(state: DialogueState) -> Literal["write_answer", "simulate_user", "choose_passage"]:
    """A query that is not proven gives way to another draft."""
    return _another_draft(state) if state.feedback else "write_answer"


async def after_verify_answer(
    state: DialogueState,
) -> Literal["contextualize", "keep_turn", "write_answer", "simulate_user", "choose_passage"]:
    """An unfaithful answer is written again; its tries spent, the fact is given up."""
    if not state.feedback:
        return "contextualize" if state.rewords else "keep_turn"
    return "write_answer" if state.gold else _another_draft(state)


async def after_check_context(state: DialogueState) -> Literal["keep_turn", "contextualize"]:
    """A faulty wording is tried again; its tries spent, the standalone query is typed."""
    return "contextualize" if state.rewords else "keep_turn"


def _another_draft(state: DialogueState) -> Literal["simulate_user", "choose_passage"]:
    return "simulate_user" if state.facts else "choose_passage"


def build() -> CompiledStateGraph[DialogueState, Context, DialogueInput, DialogueOutput]:
    """Wire the graph: the table of contents of a conversation."""
    graph = StateGraph(DialogueState, context_schema=Context, input_schema=DialogueInput, output_schema=DialogueOutput)

    graph.add_node(plan_moves)
    graph.add_node(plan_topic)
    graph.add_node(choose_passage)
    graph.add_node(simulate_user)
    graph.add_node(check_query)
    graph.add_node(verify_uniqueness)
    graph.add_node(write_answer)
    graph.add_node(verify_answer)
    graph.add_node(contextualize)
    graph.add_node(check_context)
    graph.add_node(keep_turn)
    graph.add_node(abandon)

    graph.add_edge(START, "plan_moves")
    graph.add_edge("plan_moves", "choose_passage")
    graph.add_conditional_edges("plan_topic", after_plan_topic)
    graph.add_conditional_edges("choose_passage", after_choose_passage)
    graph.add_edge("simulate_user", "check_query")
    graph.add_conditional_edges("check_query", after_check_query)
    graph.add_conditional_edges("verify_uniqueness", after_verify_uniqueness)
    graph.add_edge("write_answer", "verify_answer")
    graph.add_conditional_edges("verify_answer", after_verify_answer)
    graph.add_edge("contextualize", "check_context")
    graph.add_conditional_edges("check_context", after_check_context)
    graph.add_conditional_edges("keep_turn", after_keep_turn)
    graph.add_edge("abandon", END)

    compiled = with_readable_records(graph.compile(name="dialogue"))
    return compiled.with_config(recursion_limit=_RECURSION_LIMIT)


graph = build()
