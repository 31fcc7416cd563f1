"""Prompts, replies and settings for tests of the door to models."""

from typing import Any

from pydantic import Field

from mtr.llm import Reply
from mtr.prompts import Message, RenderedPrompt
from mtr.settings import Endpoint, Settings
from support.endpoint import TestEndpoint


class Graded(Reply):
    """A reason and a score from 1 to 5."""

    reason: str
    score: int = Field(ge=1, le=5)


GOOD = '{"reason": "stated", "score": 4}'


def prompt(text: str, *, role: str = "judge", max_tokens: int = 64, temperature: float = 0.0) -> RenderedPrompt:
    """One system and one user message."""
    messages = (Message(role="system", content="You judge."), Message(role="user", content=text))
    return RenderedPrompt(
        domain="general", role=role, messages=messages, temperature=temperature, max_tokens=max_tokens, sha256="0" * 64
    )


def settings_for(endpoint: TestEndpoint | str, **more: Any) -> Settings:
    """Settings with one endpoint, `t`."""
    url = endpoint if isinstance(endpoint, str) else endpoint.base_url
    return Settings(endpoints={"t": Endpoint(name="t", base_url=url, **more)})
