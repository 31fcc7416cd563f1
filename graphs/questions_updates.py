"""What a node of the questions graph writes back: pure functions, each with its line of the trace."""

from collections.abc import Sequence
from typing import Any

from graphs.materials import Materials
from graphs.questions_context import QuestionsContext
from graphs.questions_state import QuestionState
from mtr.conversation.drafting import user_of
from mtr.prompts import DomainSettings
from mtr.query_types import query_type
from mtr.questions.evidence import said_together, spans_of
from mtr.questions.passage_sets import Group
from mtr.questions.records import Claimed, Question
from mtr.records import Conversation, Step, Turn, Verdict

Update = dict[str, Any]

NEW_ANSWER: Update = {"answer": "", "reasoning": "", "claims": []}
NEW_DRAFT: Update = {
    **NEW_ANSWER,
    "feedback": "",
    "standalone_query": "",
    "halves": [],
    "candidates": [],
    "verdicts": [],
    "answer_try": 0,
    "query": "",
    "rewords": False,
    "wording_try": 0,
    "wording_fault": "",
}


def note(state: QuestionState, node: str, outcome: str, calls: Sequence[str] = (), **changes: Any) -> Update:
    """The changes and a step of the trace; a step of the same id is replaced, as after a fork."""
    number = sum(1 for step in state.steps if step.node == node)
    step = Step(
        step_id=f"1.{node}.{number}",
        turn=1,
        attempt=state.attempts,
        node=node,
        outcome=outcome,
        calls=tuple(calls),
    )
    return {**changes, "steps": [*(s for s in state.steps if s.step_id != step.step_id), step]}


def begun(state: QuestionState, context: QuestionsContext, settings: DomainSettings) -> Update:
    """The user of the question; whatever an earlier run left in the thread is forgotten."""
    style, persona = user_of(settings, context.seed, state.seed_item)
    counters = {"sets": 0, "attempts": 0, "looked_at": 0, "passage_set": [], "groups": [], "query_try": 0}
    fresh = {**NEW_DRAFT, **counters, "question": None, "abandoned": ""}
    empty = state.model_copy(update={"steps": [], "attempts": 0})
    return note(empty, "begin", f"{state.tier}, {style}", style=style, persona=persona, **fresh)


def drawn(state: QuestionState, passage_set: Sequence[str], groups: Sequence[Group], looked_at: int) -> Update:
    """A passage set with its groups of facts."""
    outcome = f"{' + '.join(passage_set)}: {len(groups)} groups of facts"
    changes = {**NEW_DRAFT, "passage_set": list(passage_set), "groups": list(groups), "query_try": 0}
    return note(state, "draw_passages", outcome, sets=state.sets + 1, looked_at=looked_at, **changes)


def spent(state: QuestionState, why: str) -> Update:
    """No passage set is left."""
    last = next((s.outcome for s in reversed(state.steps) if s.outcome.startswith("rejected: ")), "no facts to ask for")
    reason = f"{state.tier}: no proven query from {state.sets} passage sets; last {last}"
    return note(state, "draw_passages", why, abandoned=reason, groups=[])


def rejected(state: QuestionState, node: str, fault: str, calls: Sequence[str], context: QuestionsContext) -> Update:
    """A query that failed: other facts of the set, or the same with the fault as advice, or another set."""
    groups = state.groups if state.query_try < context.query_tries else []
    changes = {**NEW_DRAFT, "groups": groups, "feedback": fault, "candidates": state.candidates}
    return note(state, node, f"rejected: {fault}", calls, **changes)


def answer_rejected(
    state: QuestionState, node: str, fault: str, calls: Sequence[str], context: QuestionsContext
) -> Update:
    """An answer that failed: written once more with the fault as advice, or its query is given up."""
    if state.answer_try < context.answer_tries:
        return note(state, node, f"rejected: {fault}", calls, feedback=fault, **NEW_ANSWER)
    return rejected(state, node, fault, calls, context)


def supported(
    state: QuestionState,
    stated: Sequence[Claimed],
    verdicts: Sequence[Verdict],
    calls: Sequence[str],
    settings: DomainSettings,
) -> Update:
    """An answer of the claims that their sentences state; the others are left out of it."""
    left_out = len(state.claims) - len(stated)
    changes: Update = {"verdicts": [*state.verdicts, *verdicts], "rewords": state.wording.needed(settings)}
    if not left_out:
        return note(state, "verify_evidence", "supported", calls, **changes)
    changes |= {"claims": list(stated), "answer": said_together(stated)}
    return note(state, "verify_evidence", f"supported without {left_out} claims", calls, **changes)


def kept(state: QuestionState, context: QuestionsContext, materials: Materials) -> Update:
    """The question, whole."""
    answerable = state.tier != "unanswerable"
    gold = tuple(state.passage_set) if answerable else ()
    turn = Turn(
        turn=1,
        move="open",
        query=state.query or state.standalone_query,
        standalone_query=state.standalone_query,
        answer=state.answer,
        gold=gold,
        evidence=spans_of(state.claims),
        hard_negatives=tuple(c for c in state.candidates if c.passage_id not in gold),
        verdicts=tuple(state.verdicts),
        attempts=state.attempts,
        answerable=answerable,
    )
    cluster_of = materials.corpus.cluster_of
    conversation = Conversation(
        conversation_id=state.question_id,
        domain=context.domain,
        language=materials.settings.language,
        style=state.style,
        persona=state.persona,
        subset=state.tier,
        clusters=tuple(dict.fromkeys(cluster_of[passage_id] for passage_id in state.passage_set)),
        turns=(turn,),
    )
    question = Question(
        conversation=conversation,
        tier=state.tier,
        kind=query_type(state.standalone_query, materials.settings.language),
        claims=tuple(state.claims),
        reasoning=state.reasoning,
    )
    return note(state, "keep_question", question.kind or "kept", question=question)
