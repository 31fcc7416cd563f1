"""LangGraph Studio, proved through its server's own HTTP API: form, states, prompt editors, forks, a clean log."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from support import stations
from support.endpoint import Body, TestEndpoint, as_json, chat_body
from support.studio import GRAPH, PROJECT, Studio, Values, studio_server

from mtr.corpus.build import DEMO
from mtr.prompts import prompt_text

pytest.importorskip("langgraph_api", reason='Studio\'s server is not installed: pip install -e ".[studio]"')

TURNS = 4
CONTEXT = {"model": "stations/script", "switch_share": 0, "far_reference_share": 0}
FAULTY = re.compile(r"In station \w+ the (?:red|blue) ")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
BAD_SIGNS = ("deserializ", "will be blocked", "blocking", "blockbuster", "traceback", "[error", "[warning")
BUSY_MACHINE = "exceeded the expected startup time"


def impatient(body: Body) -> Body:
    """The script, but its drafts about red and blue parts are no queries."""
    told = str(body["messages"][-1]["content"])
    shape = body.get("response_format", {}).get("json_schema", {}).get("name")
    if "You check " in str(body["messages"][0]):
        return kind(body, str(shape))
    if shape == "RagAnswerReply":
        return chat_body(as_json(answer="Three of them are not.", answered=True))
    if shape == "QueryReply" and FAULTY.search(told.rpartition("Fact:")[2]):
        return chat_body(as_json(query="Tell me about the station, please."))
    return stations.reply(body)


def kind(body: Body, shape: str) -> Body:
    """A judge who likes everything; the one called `mute` says nothing that can be read."""
    claims = [{"claim": "The office is told.", "quote": "tells the harbour office", "supported": True}]
    replies = {
        "Scored": as_json(reason="Good.", score=5),
        "ChoiceReply": as_json(reason="It stands there.", choice="A"),
        "ClaimsReply": as_json(claims=claims, reason="Stated.", score=5),
    }
    if body["model"] == "mute":
        return chat_body("Hm.")
    return chat_body(replies[shape]) if shape in replies else chat_body("yes", chances={"yes": -0.1, "no": -3.0})


@pytest.fixture(scope="module")
def endpoint() -> Iterator[TestEndpoint]:
    """The scripted model, on loopback."""
    with TestEndpoint(reply=impatient, embed=stations.embeddings) as running:
        yield running


@pytest.fixture(scope="module")
def studio(endpoint: TestEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """The server in a folder with a corpus `demo`. No MTR_HOME: it must find `.mtr` without blocking its loop."""
    folder = stations.build_world(tmp_path_factory.mktemp("studio"), endpoint.base_url, DEMO, home=".mtr")
    with studio_server(folder) as server:
        yield server


@pytest.fixture(scope="module")
def first(studio: Studio) -> tuple[str, Values]:
    """A thread in which the empty form was submitted, and what came out."""
    thread = studio.thread()
    return thread, studio.run(thread, CONTEXT, input={})


def turns_of(values: Values) -> list[Values]:
    """The turns of a finished conversation."""
    turns: list[Values] = values["conversation"]["turns"]
    return turns


def said_to_models(endpoint: TestEndpoint) -> str:
    """Everything sent to the chat model so far."""
    return "\n".join(str(body["messages"]) for body in endpoint.sent if "messages" in body)


def test_each_graph_is_served_from_its_module(studio: Studio) -> None:
    specs = json.loads((PROJECT / "langgraph.json").read_text())["graphs"]
    assert {GRAPH, "judging", "questions"} <= specs.keys()
    assert specs == {name: f"graphs.{name}:graph" for name in specs}
    assert studio.assistant()["graph_id"] == GRAPH


def test_the_empty_form_is_valid_and_every_knob_explains_itself(studio: Studio) -> None:
    schemas = studio.schemas()
    form, knobs = schemas["input_schema"], schemas["context_schema"]["properties"]
    assert not form.get("required")
    assert all("default" in field and field["description"] for field in form["properties"].values())
    assert {"corpus", "domain", "turns", "uniqueness", "model", "answerer_model", "switch_share"} <= knobs.keys()
    assert all("default" in knob and knob["description"] for knob in knobs.values())


def test_each_prompt_has_an_editor_on_a_node_of_the_graph(studio: Studio) -> None:
    nodes = {node["id"] for node in studio.get(f"/assistants/{GRAPH}/graph")["nodes"]}
    knobs = studio.schemas()["context_schema"]["properties"]
    editors = {name: knob for name, knob in knobs.items() if knob.get("langgraph_type") == "prompt"}
    assert editors.keys() == {name for name in knobs if name.endswith("_prompt")}
    asking = {"simulate_user", "verify_uniqueness", "write_answer", "verify_answer", "plan_topic", "contextualize"}
    assert {node for knob in editors.values() for node in knob["langgraph_nodes"]} == asking <= nodes
    assert editors["answerer_prompt"]["default"] == prompt_text("general", "answerer")


def test_the_empty_form_makes_a_conversation(first: tuple[str, Values]) -> None:
    _, values = first
    assert [turn["turn"] for turn in turns_of(values)] == list(range(1, TURNS + 1))
    assert values["abandoned"] == ""
    assert len({step["step_id"] for step in values["steps"]}) == len(values["steps"])


def test_the_state_shows_in_plain_words_what_happened(studio: Studio, first: tuple[str, Values]) -> None:
    thread, values = first
    history = studio.history(thread)
    proven = next(one["values"] for one in history if one["next"] == ["write_answer"])
    assert proven["standalone_query"].endswith("?") and proven["attempts"] >= 1
    gold, *rivals = proven["candidates"]
    assert gold["passage_id"] == proven["passage_id"] and gold["probability"] > 0.9
    assert rivals and all(0 <= one["probability"] < 0.5 and not one["answers"] for one in rivals)
    refused = next(one["values"] for one in history if one["values"].get("feedback"))
    assert "question mark" in refused["feedback"]
    assert refused["steps"][-1]["outcome"].startswith("rejected: ")
    final = studio.get(f"/threads/{thread}/state")
    assert final["next"] == [] and final["values"]["conversation"] == values["conversation"]


def test_an_edited_prompt_is_what_is_sent(studio: Studio, endpoint: TestEndpoint) -> None:
    added = "Keep in mind that the tide turns at noon."
    edited = prompt_text("general", "user_simulator").replace("# System\n", f"# System\n{added}\n")
    assert added not in said_to_models(endpoint)
    context = {**CONTEXT, "turns": 1, "user_simulator_prompt": edited, "answerer_prompt": ""}
    assert len(turns_of(studio.run(studio.thread(), context, input={}))) == 1
    assert added in said_to_models(endpoint)


def test_a_fork_runs_again_from_its_step_and_replaces(
    studio: Studio, endpoint: TestEndpoint, first: tuple[str, Values]
) -> None:
    thread, before = first
    middle = _second_answer(studio, thread)
    sent = len(endpoint.sent)
    again = studio.run(thread, CONTEXT, checkpoint_id=middle["checkpoint"]["checkpoint_id"])
    assert again["conversation"] == before["conversation"] and again["steps"] == before["steps"]
    assert len(endpoint.sent) == sent


def test_an_edit_of_the_state_goes_on_from_there(studio: Studio, first: tuple[str, Values]) -> None:
    thread, before = first
    middle = _second_answer(studio, thread)
    answer = "As a rule, " + middle["values"]["answer"][:1].lower() + middle["values"]["answer"][1:]
    place = {"checkpoint_id": middle["checkpoint"]["checkpoint_id"], "as_node": "write_answer"}
    edit = studio.post(f"/threads/{thread}/state", values={"answer": answer}, **place)
    after = studio.run(thread, CONTEXT, checkpoint_id=edit["checkpoint"]["checkpoint_id"])
    assert [turn["turn"] for turn in turns_of(after)] == list(range(1, TURNS + 1))
    assert turns_of(after)[0] == turns_of(before)[0]
    assert turns_of(after)[1]["answer"] == answer != turns_of(before)[1]["answer"]
    assert len({step["step_id"] for step in after["steps"]}) == len(after["steps"])


@pytest.mark.usefixtures("first")
def test_judging_runs_from_an_empty_form_and_a_mute_judge_leaves_the_others_verdicts(studio: Studio) -> None:
    context = {"judges": ["stations/script", "stations/mute"]}
    values = studio.run(studio.thread(), context, graph="judging", input={})
    verdicts = values["verdicts"].values()
    assert {verdict["judge"] for verdict in verdicts if verdict["abstained"]} == {"stations/mute"}
    assert all(verdict["score"] is not None for verdict in verdicts if verdict["judge"] == "stations/script")
    assert {verdict["unreadable"] for verdict in verdicts if verdict["judge"] == "stations/mute"} == {3}
    assert len(values["tallies"]) == 8 and all(tally["measured"] == 1 for tally in values["tallies"])
    (claim,) = values["verdicts"]["stations/script on answer_faithfulness//1"]["claims"]
    assert claim["quote"] == "tells the harbour office" and claim["end"] > claim["start"] > 0


@pytest.mark.usefixtures("first")
def test_questions_run_from_an_empty_form_with_evidence_for_each_claim(studio: Studio) -> None:
    values = studio.run(studio.thread(), {"model": "stations/script"}, graph="questions", input={})
    assert values["abandoned"] == "" and values["question"]["tier"] == "easy"
    (turn,) = values["question"]["conversation"]["turns"]
    (claimed,) = values["question"]["claims"]
    assert turn["answer"] == claimed["claim"] and turn["evidence"] == claimed["evidence"]
    assert values["steps"][-1]["node"] == "keep_question"


def test_rag_answers_and_judges_from_an_empty_form(studio: Studio) -> None:
    values = studio.run(studio.thread(), {"model": "stations/script"}, graph="rag", input={})
    assert values["answer"] == "Three of them are not." and len(values["retrieved"]) == 5
    assert [tally["measured"] for tally in values["tallies"]] == [1, 1, 1]


def test_the_log_is_clean(studio: Studio) -> None:
    """After all of the above: no deserialisation warning, no blocking call, no other complaint."""
    lines = COLOUR.sub("", studio.log.read_text(errors="replace")).splitlines()
    assert any("[info" in line for line in lines)
    complaints = [line for line in lines if any(sign in line.lower() for sign in BAD_SIGNS)]
    assert [line for line in complaints if BUSY_MACHINE not in line] == []


def test_a_fault_in_an_edited_prompt_is_told_with_its_line(studio: Studio) -> None:
    context = {**CONTEXT, "turns": 1, "answerer_prompt": prompt_text("general", "answerer") + "\n{{nonsense}}\n"}
    answer = studio.run(studio.thread(), context, input={})
    assert "nonsense" in json.dumps(answer["__error__"]) and "answerer.md (edited)" in json.dumps(answer["__error__"])


def _second_answer(studio: Studio, thread: str) -> dict[str, Any]:
    """The checkpoint at which the answer of turn 2 is written and not yet verified."""
    return next(
        one for one in studio.history(thread) if one["next"] == ["verify_answer"] and one["values"]["turn"] == 2
    )
