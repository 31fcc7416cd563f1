"""Tracers and Studio hear of each call to a model that a graph's node makes, and of what came back."""

from typing import Any

import pytest
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult
from langchain_core.runnables import RunnableLambda
from support.asking import GOOD, Graded, prompt, settings_for
from support.endpoint import TestEndpoint, error

from mtr.errors import FatalEndpointError
from mtr.llm import complete, open_door


class Listener(AsyncCallbackHandler):
    """Keeps what it is told, each with the run it belongs to."""

    def __init__(self) -> None:
        self.heard: list[tuple[Any, ...]] = []

    async def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], **of: Any
    ) -> None:
        self.heard.append(("asked", of["parent_run_id"], serialized["name"], [said.text for said in messages[0]]))

    async def on_llm_end(self, response: LLMResult, **of: Any) -> None:
        (message,) = [generation.message for [generation] in response.generations]  # type: ignore[union-attr]
        self.heard.append(("replied", of["parent_run_id"], message.text, message.usage_metadata["total_tokens"]))

    async def on_llm_error(self, error: BaseException, **of: Any) -> None:
        self.heard.append(("failed", of["parent_run_id"], str(error)))


async def _ask(text: str) -> None:
    await complete(prompt(text), Graded, model="t/m")


async def test_a_listener_of_the_run_hears_question_and_reply() -> None:
    listener = Listener()
    with TestEndpoint(GOOD) as endpoint:
        async with open_door(settings_for(endpoint)):
            await RunnableLambda(_ask).ainvoke("a passage", config={"callbacks": [listener]})
            await RunnableLambda(_ask).ainvoke("a passage", config={"callbacks": [listener]})
    asked, replied = listener.heard
    assert asked[2:] == ("t/m as judge", ["You judge.", "a passage"])
    assert replied[2:] == (GOOD, 110)
    assert asked[1] == replied[1] is not None


async def test_a_listener_hears_of_each_try_that_fails() -> None:
    listener = Listener()
    with TestEndpoint(lambda body: error(401, "no such key")) as endpoint:  # type: ignore[arg-type,return-value]
        async with open_door(settings_for(endpoint)):
            with pytest.raises(FatalEndpointError):
                await RunnableLambda(_ask).ainvoke("a passage", config={"callbacks": [listener]})
    asked, failed = listener.heard
    assert asked[0] == "asked"
    assert "no such key" in failed[2]
