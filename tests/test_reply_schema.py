"""The JSON schema of a kind of reply, as strict endpoints want it."""

import json

from support.replies import Plain

from mtr.llm import Reply
from mtr.llm.reply import json_schema


class Listing(Reply):
    facts: tuple[Plain, ...]


def test_schema_is_strict() -> None:
    schema = json_schema(Listing)
    inner = schema["$defs"]["Plain"]
    assert inner["required"] == ["reason", "supported", "note"]
    assert schema["additionalProperties"] is inner["additionalProperties"] is False
    assert "default" not in json.dumps(schema)
    assert "title" not in json.dumps(schema)


class Titled(Reply):
    title: str
    default: int = 3


def test_schema_keeps_fields_named_like_keywords() -> None:
    assert set(json_schema(Titled)["properties"]) == {"title", "default"}
