"""The questions graph: one query of a tier with its proven passages, its answer, and a verbatim span for each claim.

Read it from the bottom: `build` is the map, and questions_routes.py says which edge is taken. Every retry is an edge,
with the reason in `feedback` and a bound in the context: a query that fails gives way to one from other facts, a spent
passage set to another, spent sets to `abandon`.
"""

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from agents.absence_verifier import prove_absence
from agents.answer_writer import write_cited_answer
from agents.answerer import draft_answer
from agents.contextualizer import draft_wording
from agents.evidence_verifier import verify_claims
from agents.need_verifier import prove_need
from agents.uniqueness_verifier import prove_gold
from graphs.checkpoints import with_readable_records
from graphs.materials import Materials
from graphs.passage_draws import drawn_set
from graphs.query_drafts import draft_of_tier
from graphs.questions_context import QuestionsContext
from graphs.questions_routes import (
    after_check_context,
    after_check_evidence,
    after_check_query,
    after_draw_passages,
    after_verify_absence,
    after_verify_evidence,
    after_verify_need,
)
from graphs.questions_state import QuestionInput, QuestionOutput, QuestionState
from graphs.questions_updates import Update, answer_rejected, begun, kept, note, rejected, supported
from mtr.errors import ReplyError
from mtr.questions.checks import SENTENCES, tier_answer_fault, tier_query_fault
from mtr.questions.evidence import claims_of, evidence_fault, evidenced, said_together
from mtr.questions.halves import halves_fault

_RECURSION_LIMIT = 2_000


async def begin(state: QuestionState, runtime: Runtime[QuestionsContext]) -> Update:
    """Draw the user by seed."""
    context = QuestionsContext.of(runtime)
    return begun(state, context, (await Materials.of(context)).settings)


async def draw_passages(state: QuestionState, runtime: Runtime[QuestionsContext]) -> Update:
    """Draw the next passage set of the tier, with groups of facts to ask about."""
    context = QuestionsContext.of(runtime)
    return await drawn_set(state, context, await Materials.of(context))


async def write_query(state: QuestionState, runtime: Runtime[QuestionsContext]) -> Update:
    """Draft a query: the user simulator about one fact, the query writer about several, or half by half."""
    context = QuestionsContext.of(runtime)
    settings = (await Materials.of(context)).settings
    counted = state.model_copy(update={"attempts": state.attempts + 1, "query_try": state.query_try + 1})
    changes: Update = {"attempts": counted.attempts, "query_try": counted.query_try, "feedback": "", "halves": []}
    advice = state.feedback if state.repeats else ""
    try:
        drafted = await draft_of_tier(counted, context, settings, advice=advice, sample=state.repeats)
    except ReplyError as error:
        return note(counted, "write_query", f"unreadable: {error}", **{**changes, "standalone_query": ""})
    changes |= {"standalone_query": drafted.query, "halves": list(drafted.halves)}
    return note(counted, "write_query", drafted.query, drafted.calls, **changes)


async def check_query(state: QuestionState, runtime: Runtime[QuestionsContext]) -> Update:
    """Code checks of the query, before any model is asked."""
    context = QuestionsContext.of(runtime)
    materials = await Materials.of(context)
    vocabulary, settings = materials.vocabulary, materials.settings
    fault = halves_fault(state.halves, state.group, vocabulary, settings) or tier_query_fault(
        state.standalone_query, state.tier, state.group, vocabulary, settings
    )
    return rejected(state, "check_query", fault, [], context) if fault else note(state, "check_query", "passed")


async def verify_need(state: QuestionState, runtime: Runtime[QuestionsContext]) -> Update:
    """Prove that the passages answer, that none of them can be withheld, and that no other answers as well."""
    context = QuestionsContext.of(runtime)
    materials = await Materials.of(context)
    search = await materials.search(state.standalone_query, state.passage_set, context.rivals)
    if search.fault:
        return rejected(state, "verify_need", search.fault, [], context)
    gold, query = materials.passages(state.passage_set), state.standalone_query
    binding = context.binding("uniqueness_verifier" if len(gold) == 1 else "need_verifier")
    cuts, settings = materials.cuts(binding.model), materials.settings
    try:
        if len(gold) == 1:
            unique = await prove_gold(binding, query, gold[0], search.rivals, cuts, settings, multi_gold=False)
            found: Update = {"candidates": list(unique.candidates), "verdicts": []}
            fault, calls = unique.fault, unique.calls
        else:
            ruling = await prove_need(binding, query, gold, search.rivals, cuts, settings)
            found = {"candidates": list(ruling.candidates), "verdicts": list(ruling.verdicts)}
            fault, calls = ruling.fault, ruling.calls
    except ReplyError as error:
        return rejected(state, "verify_need", str(error), [], context)
    if fault:
        return {**rejected(state, "verify_need", fault, calls, context), "candidates": found["candidates"]}
    return note(state, "verify_need", "proven", calls, **found)


async def verify_absence(state: QuestionState, runtime: Runtime[QuestionsContext]) -> Update:
    """Prove that none of the nearest passages of the whole collection answers."""
    context = QuestionsContext.of(runtime)
    materials = await Materials.of(context)
    binding = context.binding("uniqueness_verifier")
    ids = await materials.collection.nearest(state.standalone_query, context.absence_depth)
    nearest = materials.passages(list(dict.fromkeys((*state.passage_set, *ids))))
    cuts, settings = materials.cuts(binding.model), materials.settings
    try:
        ruling = await prove_absence(binding, state.standalone_query, nearest, cuts, settings)
    except ReplyError as error:
        return rejected(state, "verify_absence", str(error), [], context)
    candidates = list(ruling.candidates)
    if ruling.fault:
        return {**rejected(state, "verify_absence", ruling.fault, ruling.calls, context), "candidates": candidates}
    rewords, answer = state.wording.needed(settings), settings.words("refusal")[0]
    changes: Update = {"candidates": candidates, "answer": answer, "rewords": rewords}
    return note(state, "verify_absence", "nothing answers it", ruling.calls, **changes)


async def write_answer(state: QuestionState, runtime: Runtime[QuestionsContext]) -> Update:
    """Let the answerer answer, or the answer writer, who names sentences; code adds those that share most words."""
    context = QuestionsContext.of(runtime)
    materials = await Materials.of(context)
    gold, query, sample = materials.passages(state.passage_set), state.standalone_query, state.answer_try
    every_part = materials.settings.fault("every_part") if state.tier == "medium" else ""
    advice = state.feedback if sample else every_part
    try:
        if state.tier != "hard":
            draft = await draft_answer(context.binding("answerer"), query, gold, advice=advice, sample=sample)
            claims, answer, call, reasoning = claims_of(draft.answer), draft.answer, draft.call, ""
            outcome = answer
        else:
            writer = context.binding("answer_writer")
            written = await write_cited_answer(writer, query, gold, advice=advice, sample=sample)
            claims, call, reasoning = list(written.claims), written.call, written.reasoning
            answer = said_together(claims)
            outcome = f"{answer} [{written.misnumbered} misnumbered]" if written.misnumbered else answer
    except ReplyError as error:
        return note(state, "write_answer", f"unreadable: {error}", claims=[], answer="", answer_try=sample + 1)
    claims = list(evidenced(claims, gold, materials.settings.stopwords))
    changes: Update = {"claims": claims, "answer": answer, "reasoning": reasoning, "feedback": ""}
    return note(state, "write_answer", outcome, [call], answer_try=sample + 1, **changes)


async def check_evidence(state: QuestionState, runtime: Runtime[QuestionsContext]) -> Update:
    """Code checks of the answer; each claim has evidence, each passage a claim."""
    context = QuestionsContext.of(runtime)
    materials = await Materials.of(context)
    gold, settings = materials.passages(state.passage_set), materials.settings
    fault = tier_answer_fault(state.answer, state.standalone_query, state.tier, state.group, gold, settings)
    if fault := fault or evidence_fault(state.claims, gold, settings):
        return answer_rejected(state, "check_evidence", fault, [], context)
    return note(state, "check_evidence", "passed")


async def verify_evidence(state: QuestionState, runtime: Runtime[QuestionsContext]) -> Update:
    """Ask the evidence verifier of each claim whether its sentences state it; a hard answer may do without some."""
    context = QuestionsContext.of(runtime)
    materials = await Materials.of(context)
    binding = context.binding("evidence_verifier")
    passages, cuts, settings = materials.corpus.passages, materials.cuts(binding.model), materials.settings
    spare = len(state.claims) - SENTENCES["hard"][0] if state.tier == "hard" else 0
    try:
        ruling = await verify_claims(binding, state.claims, passages, cuts, settings, spare=spare)
    except ReplyError as error:
        return answer_rejected(state, "verify_evidence", str(error), [], context)
    if fault := ruling.fault or evidence_fault(ruling.stated, materials.passages(state.passage_set), settings):
        return answer_rejected(state, "verify_evidence", fault, ruling.calls, context)
    return supported(state, ruling.stated, ruling.verdicts, ruling.calls, settings)


async def contextualize(state: QuestionState, runtime: Runtime[QuestionsContext]) -> Update:
    """Let the contextualizer word the query as this user types it."""
    context = QuestionsContext.of(runtime)
    settings = (await Materials.of(context)).settings
    binding, tries = context.binding("contextualizer", state.style), state.wording_try + 1
    advice, persona = state.wording_fault, state.persona
    try:
        draft = await draft_wording(binding, state.wording, settings, persona=persona, advice=advice, sample=tries - 1)
    except ReplyError as error:
        return note(state, "contextualize", f"unreadable: {error}", query="", wording_try=tries)
    return note(state, "contextualize", draft.query, [draft.call], query=draft.query, wording_try=tries)


async def check_context(state: QuestionState, runtime: Runtime[QuestionsContext]) -> Update:
    """Code checks of the wording: nothing of the standalone query may be lost or added."""
    context = QuestionsContext.of(runtime)
    fault = state.wording.fault(state.query, (await Materials.of(context)).settings)
    if not fault:
        return note(state, "check_context", "passed", wording_fault="", rewords=False)
    again = state.wording_try < context.wording_tries
    return note(state, "check_context", f"rejected: {fault}", wording_fault=fault, query="", rewords=again)


async def keep_question(state: QuestionState, runtime: Runtime[QuestionsContext]) -> Update:
    """The question is whole; a query without a wording that passed is typed in its standalone form."""
    context = QuestionsContext.of(runtime)
    return kept(state, context, await Materials.of(context))


async def abandon(state: QuestionState) -> Update:
    """Give the question up, with the reason."""
    return note(state, "abandon", state.abandoned)


def build() -> CompiledStateGraph[QuestionState, QuestionsContext, QuestionInput, QuestionOutput]:
    """Wire the graph: the table of contents of a question."""
    graph = StateGraph(
        QuestionState, context_schema=QuestionsContext, input_schema=QuestionInput, output_schema=QuestionOutput
    )

    graph.add_node(begin)
    graph.add_node(draw_passages)
    graph.add_node(write_query)
    graph.add_node(check_query)
    graph.add_node(verify_need)
    graph.add_node(verify_absence)
    graph.add_node(write_answer)
    graph.add_node(check_evidence)
    graph.add_node(verify_evidence)
    graph.add_node(contextualize)
    graph.add_node(check_context)
    graph.add_node(keep_question)
    graph.add_node(abandon)

    graph.add_edge(START, "begin")
    graph.add_edge("begin", "draw_passages")
    graph.add_conditional_edges("draw_passages", after_draw_passages)
    graph.add_edge("write_query", "check_query")
    graph.add_conditional_edges("check_query", after_check_query)
    graph.add_conditional_edges("verify_need", after_verify_need)
    graph.add_conditional_edges("verify_absence", after_verify_absence)
    graph.add_edge("write_answer", "check_evidence")
    graph.add_conditional_edges("check_evidence", after_check_evidence)
    graph.add_conditional_edges("verify_evidence", after_verify_evidence)
    graph.add_edge("contextualize", "check_context")
    graph.add_conditional_edges("check_context", after_check_context)
    graph.add_edge("keep_question", END)
    graph.add_edge("abandon", END)

    compiled = with_readable_records(graph.compile(name="questions"))
    return compiled.with_config(recursion_limit=_RECURSION_LIMIT)


graph = build()
