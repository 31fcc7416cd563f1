"""What a node writes back: pure functions from the state to the fields that change, each with its line of the trace."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from graphs.context import Context
from graphs.dialogue_state import DialogueState
from graphs.materials import Materials
from mtr.conversation.drafting import far_wording, fresh_facts, place_of, short_topic, used_clusters, user_of
from mtr.conversation.plan import plan_moves
from mtr.conversation.pool import move_made, own_clusters, passage_pool, starting_cluster, switch_options, wider_pool
from mtr.errors import InputError
from mtr.prompts import DomainSettings
from mtr.records import Conversation, Move, Passage, Step, Turn
from mtr.words import tokens

Update = dict[str, Any]
_TOPICS_OFFERED = 4
_CLUSTERS_NAMED = 5

NEW_TURN: Update = {
    "start": "",
    "topic_try": 0,
    "tried_passages": [],
    "passage_id": "",
    "facts": [],
    "attempts": 0,
}
NEW_FACT: Update = {
    "query_try": 0,
    "feedback": "",
    "standalone_query": "",
    "candidates": [],
    "gold": [],
    "answer": "",
    "answer_try": 0,
    "evidence": [],
    "verdicts": [],
    "query": "",
    "rewords": False,
    "wording_try": 0,
    "wording_fault": "",
}


def note(state: DialogueState, node: str, outcome: str, calls: Sequence[str] = (), **changes: Any) -> Update:
    """The changes and a step of the trace; a step of the same id is replaced, as after a fork."""
    alike = [step for step in state.steps if step.node == node and step.turn == state.turn]
    step = Step(
        step_id=f"{state.turn}.{node}.{len(alike)}",
        turn=state.turn,
        attempt=state.attempts,
        node=node,
        outcome=outcome,
        calls=tuple(calls),
    )
    replaced = next((one for one in alike if one.step_id == step.step_id), None)
    return {**changes, "steps": [*(one for one in state.steps if one is not replaced), step]}


def rejected(state: DialogueState, node: str, fault: str, calls: Sequence[str], context: Context) -> Update:
    """A query that failed: the same fact once more with the fault as feedback, or the next fact."""
    again = state.query_try < context.query_tries
    changes = {"query_try": state.query_try} if again else _given_up(state)
    return note(state, node, f"rejected: {fault}", calls, **{**changes, "feedback": fault})


def answer_rejected(state: DialogueState, fault: str, calls: Sequence[str], context: Context) -> Update:
    """An answer that failed: written once more with the fault as feedback, or the next fact."""
    if state.answer_try < context.answer_tries:
        return note(state, "verify_answer", f"rejected: {fault}", calls, feedback=fault)
    return note(state, "verify_answer", f"rejected: {fault}", calls, **{**_given_up(state), "feedback": fault})


def _given_up(state: DialogueState) -> Update:
    """On to the next fact; the one given up would get the same replies in a later turn."""
    return {**NEW_FACT, "facts": state.facts[1:], "failed": [*state.failed, place_of(state.fact)]}


def begun(state: DialogueState, context: Context, materials: Materials) -> Update:
    """The start of a conversation; whatever an earlier run left in the thread is forgotten.

    Raises:
        InputError: for a cluster that the corpus does not have.
    """
    corpus = materials.corpus
    style, persona = user_of(materials.settings, context.seed, state.seed_item)
    if state.cluster_id and state.cluster_id not in corpus.members:
        known = ", ".join(list(corpus.members)[:_CLUSTERS_NAMED])
        raise InputError(f"no cluster {state.cluster_id!r} in corpus {corpus.name!r}; it has {known} …; or name none")
    cluster = state.cluster_id or starting_cluster(
        corpus, context.seed, state.seed_item, state.attempt, context.conversations
    )
    plan = plan_moves(context.seed, state.seed_item, context.shares)
    fresh = state.model_copy(update={"steps": [], "turn": 1, "attempts": 0})
    moves = ", ".join(planned.move for planned in plan)
    changes = {
        **NEW_TURN,
        **NEW_FACT,
        "turn": 1,
        "turns": [],
        "failed": [],
        "conversation": None,
        "abandoned": "",
        "start": cluster,
    }
    return note(fresh, "plan_moves", moves, style=style, persona=persona, plan=list(plan), **changes)


def with_passage(state: DialogueState, context: Context, materials: Materials, nearest: Sequence[str] = ()) -> Update:
    """The next passage with facts to ask for: of the turn's pool, or else of those `nearest` to its centre."""
    if len(state.tried_passages) >= context.passage_tries:
        return note(state, "choose_passage", "passages spent", abandoned=spent(state))
    corpus = materials.corpus
    seed = context.seed + state.attempt
    leans_on = state.turns[state.planned.refers_to - 1] if state.planned.refers_to else None
    own = own_clusters(corpus, context.seed, state.seed_item, context.conversations)
    pool = passage_pool(corpus, state.planned, state.turns, state.start, seed, own)
    for passage_id in (*pool, *wider_pool(corpus, state.planned, state.turns, nearest, own)):
        if passage_id in state.tried_passages:
            continue
        passage = corpus.passages[passage_id]
        facts = fresh_facts(passage, state.turns, state.failed, materials.settings, seed, leans_on=leans_on)
        if facts:
            tried = [*state.tried_passages, passage_id]
            changes = {**NEW_FACT, "passage_id": passage_id, "facts": list(facts), "tried_passages": tried}
            return note(state, "choose_passage", f"{passage_id}: {len(facts)} facts", **changes)
    return note(state, "choose_passage", "no passage has facts left", abandoned=spent(state))


def spent(state: DialogueState) -> str:
    """Why a conversation is given up, in words."""
    last = next((s.outcome for s in reversed(state.steps) if s.outcome.startswith("rejected: ")), "no facts to ask for")
    where = f"turn {state.turn} ({state.planned.move})"
    return f"{where} found no proven query in {len(state.tried_passages)} passages; last {last}"


def topic_options(state: DialogueState, context: Context, materials: Materials) -> tuple[Passage, ...]:
    """Passages of untouched clusters that have something to ask for."""
    used = used_clusters(state.turns, materials.corpus.cluster_of)
    names = (state.seed_item, state.attempt, state.turn)
    own = own_clusters(materials.corpus, context.seed, state.seed_item, context.conversations)
    options = switch_options(materials.corpus, used, context.seed, names, own)
    telling = (p for p in options if fresh_facts(p, state.turns, state.failed, materials.settings, context.seed))
    return tuple(islice(telling, _TOPICS_OFFERED)) or options[:_TOPICS_OFFERED]


def kept(state: DialogueState, context: Context, materials: Materials) -> Update:
    """The turn joins the conversation; the last one closes it."""
    turn = _turn(state, context, materials)
    turns = [*(t for t in state.turns if t.turn != turn.turn), turn]
    if turn.turn < len(state.plan):
        changes = {**NEW_TURN, **NEW_FACT, "turns": turns, "turn": turn.turn + 1}
        return note(state, "keep_turn", f"turn {turn.turn} kept", **changes)
    conversation = Conversation(
        conversation_id=state.conversation_id,
        domain=context.domain,
        language=materials.settings.language,
        style=state.style,
        persona=state.persona,
        clusters=used_clusters(turns, materials.corpus.cluster_of),
        turns=tuple(turns),
    )
    return note(state, "keep_turn", "conversation whole", turns=turns, conversation=conversation)


def typed(state: DialogueState, move: Move, anchor: Passage | None, context: Context, settings: DomainSettings) -> str:
    """The query as typed; a return says what it goes back to: the topic itself, or the document where it goes on.

    A return that strayed to another document has nothing to lean on.
    """
    query = state.query or state.standalone_query
    if state.planned.move != "return" or anchor is None:
        return query
    if move != "return":
        return state.standalone_query
    topic = state.fact.topic if anchor.passage_id == state.passage_id or not anchor.title else anchor.title
    return far_wording(query, short_topic(topic), settings, context.seed, state.seed_item, state.turn)


def _turn(state: DialogueState, context: Context, materials: Materials) -> Turn:
    passages = materials.corpus.passages
    refers_to = state.planned.refers_to
    anchor = passages[state.turns[refers_to - 1].gold[0]] if refers_to else None
    move = move_made(state.planned.move, passages[state.passage_id], state.turns, anchor)
    query = typed(state, move, anchor, context, materials.settings)
    return Turn(
        turn=state.turn,
        move=move,
        refers_to=refers_to if tokens(query) != tokens(state.standalone_query) else None,
        query=query,
        standalone_query=state.standalone_query,
        answer=state.answer,
        gold=tuple(state.gold),
        evidence=tuple(state.evidence),
        hard_negatives=tuple(c for c in state.candidates if c.passage_id not in state.gold),
        verdicts=tuple(state.verdicts),
        attempts=state.attempts,
    )
