"""Kinds of replies for tests of reading, and reading itself: the fields given, or None when the reply is rejected."""

import json
from typing import Any

from pydantic import Field

from mtr.llm import Reply
from mtr.llm.reading import read_reply
from mtr.llm.records import RawReply
from mtr.llm.reply import RejectedReplyError


class Plain(Reply):
    reason: str
    supported: bool | int
    note: str | None = None


class Graded(Reply):
    reason: str
    score: int = Field(ge=1, le=5)


def raw(text: str, finish_reason: str | None = "stop", **more: Any) -> RawReply:
    return RawReply(text, finish_reason, more.get("refusal"), more.get("chances"), None, 0.0)


def read(kind: type[Reply], text: str, finish_reason: str | None = "stop") -> Any:
    """The fields given, or None when the reply was rejected."""
    try:
        return read_reply(kind, raw(text, finish_reason)).reply.model_dump(exclude_unset=True)
    except RejectedReplyError:
        return None


YES: dict[str, Any] = {"reason": "it says so", "supported": True}


ONE = json.dumps(YES)
