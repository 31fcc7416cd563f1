"""The dialogue graph with a checkpointer: threads begun anew, forks, going on from the middle, what is read back."""

import logging
from typing import Any, cast

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph
from support.dialogues import Talk, at
from support.outputs import NO_QUERY, PROVEN, nodes, whole

from graphs.dialogue import build, graph
from graphs.dialogue_state import DialogueOutput
from mtr.records import Conversation, Step

pytest_plugins = ("support.dialogue_world",)
Graph = CompiledStateGraph[Any, Any, Any, Any]


def with_memory() -> Graph:
    """The graph with a checkpointer."""
    dialogue = build()
    dialogue.checkpointer = InMemorySaver()
    return dialogue


def thread(name: str) -> dict[str, Any]:
    """The configuration of a thread."""
    return {"configurable": {"thread_id": name}}


async def test_a_second_run_of_a_thread_begins_anew(talk: Talk) -> None:
    dialogue, config = with_memory(), thread("a")
    failed = await talk(
        {"user_simulator": at(range(99), NO_QUERY)}, turns=2, passage_tries=2, dialogue=dialogue, config=config
    )
    assert failed.conversation is None
    output = await talk(order={"attempt": 1}, turns=2, passage_tries=2, dialogue=dialogue, config=config)
    conversation = whole(output, 2)
    assert [turn.attempts for turn in conversation.turns] == [1, 1]
    assert nodes(output)[:4] == PROVEN
    third = await talk(order={"attempt": 2}, turns=3, dialogue=dialogue, config=config)
    whole(third, 3)


async def test_a_fork_replaces_what_it_runs_again(talk: Talk) -> None:
    dialogue, config = with_memory(), thread("b")
    before = whole(await talk(turns=3, dialogue=dialogue, config=config), 3)
    fork = None
    async for state in dialogue.aget_state_history(config):
        if state.next == ("keep_turn",) and state.values["turn"] == 2:
            fork = await dialogue.aupdate_state(state.config, {"query": "And that one?"}, as_node="check_context")
    assert fork is not None
    output = DialogueOutput.model_validate(
        await talk.invoke(None, turns=3, dialogue=dialogue, config=cast(dict[str, Any], fork))
    )
    after = whole(output, 3)
    assert after.turns[0] == before.turns[0]
    assert after.turns[1].query == "And that one?"
    assert after.turns[1].standalone_query == before.turns[1].standalone_query
    assert after.turns[2].standalone_query == before.turns[2].standalone_query


async def test_going_on_from_the_middle_gives_the_same_conversation(talk: Talk) -> None:
    dialogue, config = with_memory(), thread("c")
    before = await talk(turns=3, dialogue=dialogue, config=config)
    states = [state async for state in dialogue.aget_state_history(config)]
    middle = next(state for state in states if state.next == ("write_answer",) and state.values["turn"] == 2)
    again = await talk.invoke(None, turns=3, dialogue=dialogue, config=cast(dict[str, Any], middle.config))
    assert DialogueOutput.model_validate(again) == before


async def test_checkpoints_are_read_back_without_a_word(talk: Talk, caplog: pytest.LogCaptureFixture) -> None:
    dialogue, config = with_memory(), thread("d")
    with caplog.at_level(logging.WARNING):
        await talk(turns=2, dialogue=dialogue, config=config)
        states = [state async for state in dialogue.aget_state_history(config)]
    assert isinstance(states[0].values["conversation"], Conversation)
    assert isinstance(states[0].values["steps"][0], Step)
    assert [record.message for record in caplog.records if record.name.startswith("langgraph")] == []


def test_the_graph_is_bounded_and_keeps_its_bound_in_copies() -> None:
    for one in (graph, build(), with_memory()):
        assert one.config is not None and one.config["recursion_limit"] == 20_000
