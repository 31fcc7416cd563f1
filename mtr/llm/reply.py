"""The kinds of reply an agent can ask for: JSON into a schema of its own, a score with its reason, and yes or no."""

from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Reply(BaseModel):
    """Base of JSON replies: a child names its fields, the reason before the verdict.

    A scale is a number with both bounds, `score: int = Field(ge=1, le=5)`; such a reply may also come as a labelled
    line of plain text when its other required fields are at most one string, which then holds the text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class YesNo(Reply):
    """A judgement in one token: with log probabilities `yes` means P(yes) ≥ 0.5, else it is the written word."""

    yes: bool


class Scored(Reply):
    """A judgement on a scale of 1 to 5, the reason first; log probabilities of the score are asked for with it."""

    reason: str
    score: int = Field(ge=1, le=5)


class RejectedReplyError(ValueError):
    """A reply that cannot be read, or not in one way only; its text goes back to the model when it is asked again."""


@cache
def json_schema(kind: type[Reply]) -> dict[str, Any]:
    """The schema as strict endpoints want it: every property required, no others allowed, no titles or defaults."""
    schema = kind.model_json_schema()
    _tighten(schema)
    return schema


def _tighten(node: object) -> None:
    if isinstance(node, list):
        for item in node:
            _tighten(item)
    if not isinstance(node, dict):
        return
    if isinstance(node.get("properties"), dict):
        node["required"] = list(node["properties"])
        node["additionalProperties"] = False
    for name in ("title", "default"):
        if not isinstance(node.get(name), dict) or name == "default":
            node.pop(name, None)
    for name, value in node.items():
        for item in value.values() if name in ("properties", "$defs") else [value]:
            _tighten(item)
