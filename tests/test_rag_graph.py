"""The rag graph: retrieve, answer, judge; from an empty form, with refusals and replies that cannot be read."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import stations
from support.endpoint import Body, TestEndpoint, as_json, chat_body, last_message

from graphs.rag import graph
from graphs.rag_state import QUERY, REFERENCE, RagContext, RagOutput
from mtr.evaluation.rag_turns import COMPLETE, FAITHFUL, RELEVANT
from mtr.llm import open_door
from mtr.settings import load_settings


class Model:
    """Answers with the beginning of the first passage; `answers` are replies to be sent before that."""

    def __init__(self) -> None:
        self.answers: list[str] = []
        self.shown: list[str] = []

    def __call__(self, body: Body) -> "str | Body":
        shape, text = body.get("response_format", {}).get("json_schema", {}).get("name"), last_message(body)
        if shape == "RagAnswerReply":
            self.shown.append(text)
            return self.answers.pop(0) if self.answers else as_json(answer="In station Alder it opens.", answered=True)
        if shape == "ClaimsReply":
            claim = {"claim": "It opens.", "quote": "In station", "supported": True}
            return as_json(claims=[claim], reason="It stands there.", score=5)
        if shape == "Scored":
            return as_json(reason="Said.", score=2 if "<reference-" in text else 4)
        return chat_body("no", chances={"no": -0.1, "yes": -3.0})


@pytest.fixture(scope="module")
def endpoint() -> Iterator[TestEndpoint]:
    """The scripted model, on loopback."""
    with TestEndpoint(reply=stations.reply, embed=stations.embeddings) as running:
        yield running


@pytest.fixture(scope="module")
def world(endpoint: TestEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose home holds a corpus `demo`."""
    return stations.build_world(tmp_path_factory.mktemp("rag"), endpoint.base_url, corpus="demo")


@pytest.fixture
def model(endpoint: TestEndpoint, world: Path, monkeypatch: pytest.MonkeyPatch) -> Model:
    """A fresh script and an empty ledger."""
    monkeypatch.setenv("MTR_HOME", str(world / "mtr-home"))
    monkeypatch.setenv("MTR_CONFIG", str(world / "mtr.toml"))
    stations.forget(world / "mtr-home")
    endpoint.reply = script = Model()
    return script


async def talk(order: Any, **knobs: object) -> RagOutput:
    """Run the graph on what a form would send."""
    context = RagContext.model_validate({"model": "stations/script", **knobs})
    async with open_door(load_settings()):
        return RagOutput.model_validate(await graph.ainvoke(order, context=context))


async def test_an_empty_form_is_answered_from_k_passages_and_judged(model: Model) -> None:
    output = await talk({}, k=3)
    (shown,) = model.shown
    assert shown.count("<passage-") == 3 == len(output.retrieved) and f"Query: {QUERY}" in shown
    assert output.answer == "In station Alder it opens." and output.refused is False and REFERENCE not in shown
    assert {one.criterion: one.score for one in output.tallies} == {FAITHFUL: 5, RELEVANT: 4, COMPLETE: 2}
    claims = next(one for one in output.verdicts if one.criterion == FAITHFUL).claims
    assert [one.passage_id in {p.passage_id for p in output.retrieved} for one in claims] == [True]


async def test_history_is_shown_and_no_reference_is_no_completeness(model: Model) -> None:
    said = [{"speaker": "user", "text": "What of the pump?"}, {"speaker": "assistant", "text": "It stops."}]
    output = await talk({"query": "And the valve?", "history": said, "reference": " "})
    assert "What of the pump?" in model.shown[0] and "It stops." in model.shown[0]
    assert [one.criterion for one in output.unasked] == [COMPLETE]


async def test_a_refusal_is_put_before_no_judge(model: Model) -> None:
    model.answers = [as_json(answer="I don't know.", answered=False)]
    output = await talk({})
    assert output.refused is True and output.answer == "I don't know." and not output.verdicts


async def test_a_reply_that_cannot_be_read_is_asked_for_as_another_sample(model: Model) -> None:
    model.answers = ["Hm.", "Hm."]
    output = await talk({})
    assert output.fault == "" and output.answer and len(output.tallies) == 3
    model.answers = ["Hm."] * 6
    output = await talk({"query": "What else?"})
    assert "could not be read" in output.fault and output.answer == "" and not output.verdicts
    assert not model.answers
