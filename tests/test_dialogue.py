"""The dialogue graph: whole conversations or none, every retry edge, forks, and documents that are only data.

The corpus is full of traps (see `support.dialogues`), so every run here is also one over hostile documents.
"""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph
from support import stations
from support.dialogues import CORPUS, IN_A_FACT, ORDERS, TITLE, Talk, at, build_world, role_of, told, verdict
from support.endpoint import Body, TestEndpoint, as_json, chat_body

from graphs.dialogue import build, graph
from graphs.dialogue_state import DialogueOutput
from mtr.corpus.corpus import open_corpus
from mtr.errors import InputError
from mtr.llm.ledger import Ledger
from mtr.prompts import prompt_header, render
from mtr.records import Conversation, Step

NO_QUERY = as_json(query="Tell me about the station, please.")
NO_JSON = "I would rather not."
DRAFTING = ("simulate_user", "write_answer", "contextualize", "plan_topic")
Graph = CompiledStateGraph[Any, Any, Any, Any]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[TestEndpoint]:
    """The scripted model, on loopback."""
    with TestEndpoint(reply=stations.reply, embed=stations.embeddings) as running:
        yield running


@pytest.fixture(scope="module")
def built(endpoint: TestEndpoint, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A home with the corpus, and the settings."""
    folder = tmp_path_factory.mktemp("world")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MTR_HOME", str(folder / "home"))
        return folder / "home", asyncio.run(build_world(folder, endpoint.base_url))


@pytest.fixture
def talk(built: tuple[Path, Path], endpoint: TestEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Runs conversations in the world."""
    home, settings = built
    monkeypatch.setenv("MTR_HOME", str(home))
    return Talk(endpoint, settings, tmp_path / "ledger.sqlite")


def whole(output: DialogueOutput, turns: int) -> Conversation:
    """The conversation, checked: all turns, evidence verbatim in its gold, each step once."""
    assert output.abandoned == ""
    assert output.conversation is not None
    corpus = open_corpus(CORPUS)
    assert [turn.turn for turn in output.conversation.turns] == list(range(1, turns + 1))
    for turn in output.conversation.turns:
        for one in turn.evidence:
            assert one.passage_id in turn.gold
            assert corpus.passages[one.passage_id].text[one.start : one.end] == one.text
        assert turn.verdicts[0].passed
        assert not {one.passage_id for one in turn.hard_negatives} & set(turn.gold)
    assert len({step.step_id for step in output.steps}) == len(output.steps)
    return output.conversation


def nodes(output: DialogueOutput, turn: int = 1) -> list[str]:
    """The nodes of a turn in the order they ran, the setting-out apart."""
    return [step.node for step in output.steps if step.turn == turn and step.node not in ("plan_moves", "plan_topic")]


def outcomes(output: DialogueOutput, node: str) -> list[str]:
    """What a node did, each time."""
    return [step.outcome for step in output.steps if step.node == node]


def calls_of(steps: list[Step]) -> list[str]:
    """Ledger keys of the drafts."""
    return [call for step in steps if step.node in DRAFTING for call in step.calls]


def fact_in(body: Body) -> str:
    """The fact that the user simulator was given."""
    return told(body).rpartition("Fact: ")[2].split("\n")[0]


PROVEN = ["choose_passage", "simulate_user", "check_query", "verify_uniqueness"]
ANSWERED = ["write_answer", "verify_answer"]
WORDED = ["contextualize", "check_context"]


@pytest.mark.parametrize("order", [{}, {"conversation_id": "x-0001", "seed_item": 1, "attempt": 2}])
async def test_json_in_a_whole_conversation_out(talk: Talk, order: dict[str, Any]) -> None:
    output = await talk(order=order, turns=4, conversations=2, switch_share=1.0)
    conversation = whole(output, 4)
    assert conversation.conversation_id == order.get("conversation_id", "demo-0001")
    assert [turn.move for turn in conversation.turns].count("switch") == 1
    assert len(conversation.clusters) >= 2
    assert output == await talk(order=order, turns=4, conversations=2, switch_share=1.0)
    assert talk.script.asked == []


@pytest.mark.parametrize("turns", [1, 2])
async def test_short_conversations_are_whole_too(talk: Talk, turns: int) -> None:
    conversation = whole(await talk(turns=turns, switch_share=1.0), turns)
    assert conversation.turns[0].move == "open"


async def test_a_far_reference_says_what_it_goes_back_to(talk: Talk) -> None:
    conversation = whole(await talk(turns=3, far_reference_share=1 / 3), 3)
    last = conversation.turns[2]
    assert (last.move, last.refers_to) == ("return", 1)
    assert last.gold == conversation.turns[0].gold
    assert "Station" in last.query and last.query != last.standalone_query
    assert last.query.endswith("?")


async def test_a_named_cluster_opens(talk: Talk) -> None:
    corpus = open_corpus(CORPUS)
    last = corpus.clusters[-1].cluster_id
    conversation = whole(await talk(order={"cluster_id": last}, turns=1), 1)
    assert conversation.clusters == (last,)


async def test_an_unknown_cluster_is_named(talk: Talk) -> None:
    with pytest.raises(InputError, match="no cluster 'nowhere'"):
        await talk(order={"cluster_id": "nowhere"}, turns=1)


async def test_a_faulty_query_gives_way_to_the_next_fact(talk: Talk) -> None:
    output = await talk({"user_simulator": at([0], NO_QUERY)}, turns=1)
    assert whole(output, 1).turns[0].attempts == 2
    assert nodes(output)[:3] == ["choose_passage", "simulate_user", "check_query"]
    assert nodes(output)[3:5] == ["simulate_user", "check_query"]
    assert "question mark" in outcomes(output, "check_query")[0]
    first, second = talk.script.of("user_simulator")
    assert fact_in(first) != fact_in(second)
    assert "Advice: -" in told(second)


async def test_the_same_fact_again_with_advice_and_warmer(talk: Talk) -> None:
    output = await talk({"user_simulator": at([0], NO_QUERY)}, turns=1, query_tries=2)
    whole(output, 1)
    first, second = talk.script.of("user_simulator")
    assert fact_in(first) == fact_in(second)
    assert "Advice: it must be one query that ends with one question mark" in told(second)
    assert (first["temperature"], second["temperature"]) == (0, 0.7)


async def test_a_rival_that_answers_gives_way_to_the_next_fact(talk: Talk) -> None:
    output = await talk({"uniqueness_verifier": at([1], verdict(True))}, turns=1)
    turn = whole(output, 1).turns[0]
    assert turn.attempts == 2 and len(turn.gold) == 1
    assert "another passage answers it as well: Station" in outcomes(output, "verify_uniqueness")[0]
    assert nodes(output)[:5] == [*PROVEN, "simulate_user"]
    assert all(one.probability is not None and one.probability < 0.5 for one in turn.hard_negatives)


async def test_a_gold_that_does_not_answer_gives_way_to_the_next_fact(talk: Talk) -> None:
    output = await talk({"uniqueness_verifier": at([0], verdict(False))}, turns=1)
    assert whole(output, 1).turns[0].attempts == 2
    assert "does not answer it completely" in outcomes(output, "verify_uniqueness")[0]


async def test_multi_gold_takes_a_sure_rival(talk: Talk) -> None:
    output = await talk({"uniqueness_verifier": at([1], verdict(True))}, turns=1, uniqueness="multi-gold")
    turn = whole(output, 1).turns[0]
    assert turn.attempts == 1 and len(turn.gold) == 2
    assert told(talk.script.of("answerer")[0]).count("</passage-") == 2
    assert turn.gold[1] not in {one.passage_id for one in turn.hard_negatives}


async def test_an_unreadable_verdict_is_no_verdict(talk: Talk) -> None:
    output = await talk({"uniqueness_verifier": at([0, 1], chat_body("perhaps"))}, turns=1)
    assert whole(output, 1).turns[0].attempts == 2
    assert "could not be read" in outcomes(output, "verify_uniqueness")[0]


async def test_an_unfaithful_answer_is_written_again_then_the_fact_is_given_up(talk: Talk) -> None:
    def other(body: Body, number: int) -> str | None:
        plain = stations.reply(body)["choices"][0]["message"]["content"]
        return plain.replace("The ", "Only the ") if number == 1 else None

    output = await talk({"answer_verifier": at([0, 1], verdict(False)), "answerer": other}, turns=1)
    assert whole(output, 1).turns[0].attempts == 2
    assert nodes(output)[:9] == [*PROVEN, *ANSWERED, *ANSWERED, "simulate_user"]
    assert outcomes(output, "verify_answer")[:2] == ["rejected: a claim of it is not stated in the gold"] * 2
    first, second, third = talk.script.of("answerer")
    assert "Advice: a claim of it is not stated in the gold" in told(second)
    assert (first["temperature"], second["temperature"], third["temperature"]) == (0, 0.7, 0)
    assert "Advice: -" in told(third)


async def test_an_answer_that_is_right_the_second_time_is_kept(talk: Talk) -> None:
    output = await talk({"answerer": at([0], as_json(answer="It never opens before 999999."))}, turns=1)
    assert whole(output, 1).turns[0].attempts == 1
    assert "'999999' does not stand in the passage" in outcomes(output, "verify_answer")[0]


@pytest.mark.parametrize(("role", "node"), [("user_simulator", "simulate_user"), ("answerer", "write_answer")])
async def test_an_unreadable_reply_is_a_failed_try(talk: Talk, role: str, node: str) -> None:
    output = await talk({role: at([0, 1], NO_JSON)}, turns=1)
    whole(output, 1)
    assert outcomes(output, node)[0].startswith("unreadable: ")
    assert next(step for step in output.steps if step.node == node).calls == ()


@pytest.mark.parametrize("said", [as_json(query="Why?"), NO_JSON])
async def test_a_bad_wording_is_tried_again_then_the_standalone_query_is_typed(talk: Talk, said: str) -> None:
    output = await talk({"contextualizer": at(range(9), said)}, turns=2)
    second = whole(output, 2).turns[1]
    assert second.query == second.standalone_query
    assert second.refers_to is None
    assert nodes(output, 2)[-5:] == [*WORDED, *WORDED, "keep_turn"]


async def test_a_wording_that_is_right_the_second_time_is_typed(talk: Talk) -> None:
    output = await talk({"contextualizer": at([0], as_json(query="Why?"))}, turns=2)
    whole(output, 2)
    first, second = talk.script.of("contextualizer")[:2]
    assert "Advice: it " in told(second) and first["temperature"] != second["temperature"]


async def test_facts_spent_lead_to_the_next_passage(talk: Talk) -> None:
    output = await talk({"user_simulator": at(range(3), NO_QUERY)}, turns=1)
    assert whole(output, 1).turns[0].attempts == 4
    assert nodes(output).count("choose_passage") == 2


async def test_passages_spent_is_no_conversation(talk: Talk) -> None:
    output = await talk({"user_simulator": at(range(99), NO_QUERY)}, turns=2, passage_tries=2)
    assert output.conversation is None
    assert "turn 1 (open) found no proven query in 2 passages" in output.abandoned
    assert "question mark" in output.abandoned
    assert nodes(output)[-1] == "abandon"
    assert len(talk.script.of("user_simulator")) == 6


async def test_a_later_turn_that_fails_is_no_short_conversation(talk: Talk) -> None:
    output = await talk({"user_simulator": at(range(1, 99), NO_QUERY)}, turns=2, passage_tries=1)
    assert output.conversation is None
    assert output.abandoned.startswith("turn 2 (")


@pytest.mark.parametrize("said", [NO_JSON, as_json(reason="far away", number=99)])
async def test_a_topic_that_cannot_be_chosen_is_no_conversation(talk: Talk, said: str) -> None:
    output = await talk({"topic_planner": at(range(9), said)}, turns=3, switch_share=1.0)
    assert output.conversation is None and output.abandoned
    assert [step.node for step in output.steps][-3:] == ["plan_topic", "plan_topic", "abandon"]
    first, *_, last = talk.script.of("topic_planner")
    assert (first["temperature"], last["temperature"]) == (0, 0.7)


async def test_a_topic_chosen_the_second_time_is_taken(talk: Talk) -> None:
    output = await talk({"topic_planner": at([0, 1], NO_JSON)}, turns=3, switch_share=1.0)
    assert whole(output, 3).turns[1].move == "switch"
    assert outcomes(output, "plan_topic")[0].startswith("rejected: ")


def moody(body: Body, number: int) -> str | Body | None:
    """Every third reply of a role is bad."""
    if number % 3 != 1:
        return None
    return {
        "user_simulator": NO_QUERY,
        "uniqueness_verifier": verdict(False),
        "answerer": as_json(answer="It opens at 999999."),
        "answer_verifier": verdict(False),
        "contextualizer": as_json(query="Why?"),
        "topic_planner": NO_JSON,
    }[role_of(body)]


@pytest.mark.parametrize("seed", range(2))
async def test_no_draft_repeats_a_request(talk: Talk, seed: int) -> None:
    rules = dict.fromkeys(
        ("user_simulator", "uniqueness_verifier", "answerer", "answer_verifier", "contextualizer"), moody
    )
    output = await talk(rules, turns=5, switch_share=1.0, far_reference_share=0.2, seed=seed, query_tries=1 + seed % 2)
    whole(output, 5)
    assert sum(step.outcome.startswith("rejected") for step in output.steps) > 5
    keys = calls_of(output.steps)
    assert len(keys) == len(set(keys))


async def test_the_steps_lead_to_what_was_sent(talk: Talk) -> None:
    output = await talk(turns=1)
    ledger = Ledger(talk.ledger)
    try:
        roles = [ledger.entry(call).role for step in output.steps for call in step.calls]
    finally:
        ledger.close()
    assert roles[0] == "user_simulator" and roles[-1].startswith(("answer_verifier", "contextualizers/"))


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


async def test_documents_are_data(talk: Talk) -> None:
    output = await talk(turns=3, switch_share=1.0)
    conversation = whole(output, 3)
    script = talk.script
    for body in script.asked:
        role = role_of(body)
        _check_fixed_part(body, f"contextualizers/{conversation.style}" if role == "contextualizer" else role)
    for body in [*script.of("uniqueness_verifier"), *script.of("answerer"), *script.of("answer_verifier")]:
        (name,) = {name for name, *_ in stations.FACT.findall(told(body))}
        text = open_corpus(CORPUS).passages
        passage = next(one for one in text.values() if f"station {name} " in one.text)
        assert ORDERS.replace("{name}", name) in passage.text
        assert passage.text in told(body) and TITLE.replace("{name}", name) in told(body)
        fence = told(body).split(">", 1)[0].removeprefix("<")
        assert told(body).count(f"</{fence}>") == 1
        assert told(body).index(ORDERS.replace("{name}", name)) < told(body).index(f"</{fence}>")
    asked = [fact_in(body) for body in script.of("user_simulator")]
    assert all(TITLE.split("{name}")[1] in told(body) for body in script.of("user_simulator"))
    assert all("{x}" not in fact or fact.endswith(IN_A_FACT) for fact in asked)
    assert all(turn.verdicts[0].passed for turn in conversation.turns)


def _check_fixed_part(body: Body, role: str) -> None:
    """All but the last message is the prompt's own, byte for byte."""
    values = dict.fromkeys(prompt_header("general", role).inputs, "-")
    wanted = render("general", role, values).messages
    sent = [(said["role"], said["content"]) for said in body["messages"]]
    assert sent[:-1] == [(said.role, said.content) for said in wanted[:-1]]
    assert sent[-1][0] == "user"


async def test_a_fact_with_template_marks_is_asked_about_as_it_stands(talk: Talk) -> None:
    for seed in range(9):
        output = await talk(turns=2, seed=seed)
        if any(fact_in(body).endswith(IN_A_FACT) for body in talk.script.of("user_simulator")):
            break
    evidence = [one.text for turn in whole(output, 2).turns for one in turn.evidence]
    assert any(text.endswith(IN_A_FACT) for text in evidence)
