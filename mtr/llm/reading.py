"""From a raw reply to the reply an agent asked for, or `RejectedReplyError`: never a guess, never a default."""

import json
from dataclasses import dataclass, replace
from typing import Generic

from pydantic import ValidationError

from mtr.llm.expected import expected_score
from mtr.llm.objects import Found, find_objects, without_reasoning
from mtr.llm.records import R, RawReply
from mtr.llm.reply import RejectedReplyError, Scored, YesNo
from mtr.llm.scale import explain, read_scale
from mtr.llm.yes_no import read_yes_no

INVISIBLE = "\ufeff\u200b \t\r\n"


@dataclass(frozen=True, slots=True)
class Reading(Generic[R]):
    """A reply as read; `how` is `strict`, or names what had to be forgiven."""

    reply: R
    probability: float | None
    how: str
    expected: float | None = None


def read_reply(kind: type[R], raw: RawReply) -> Reading[R]:
    """Read a raw reply as `kind`; `RejectedReplyError` says what is wrong with it."""
    text = raw.text.strip(INVISIBLE)
    if raw.refusal:
        raise RejectedReplyError(f"the model refused: {raw.refusal}")
    if raw.finish_reason == "content_filter":
        raise RejectedReplyError("the endpoint's content filter withheld the reply")
    if issubclass(kind, YesNo):
        yes, probability, how = read_yes_no(text, raw.chances)
        return Reading(kind(yes=yes), probability, how)
    if raw.finish_reason == "length":
        raise RejectedReplyError("the reply was cut off because it was too long")
    if not text:
        raise RejectedReplyError("the reply is empty")
    reading = _read_json(kind, text, may_close=raw.finish_reason == "stop")
    if issubclass(kind, Scored) and raw.chances:
        return replace(reading, expected=expected_score(raw.chances))
    return reading


def _read_json(kind: type[R], text: str, *, may_close: bool) -> Reading[R]:
    found = find_objects(text, may_close=may_close)
    if found:
        return _the_one_that_fits(kind, found)
    scale = read_scale(kind, without_reasoning(text))
    if scale is None:
        raise RejectedReplyError("there is no JSON object in the reply")
    return Reading(scale, None, "labelled score")


def _the_one_that_fits(kind: type[R], found: list[Found]) -> Reading[R]:
    """Of several objects exactly one may have the reply's fields; whether its values are right is asked after that."""
    required = {name for name, field in kind.model_fields.items() if field.is_required()}
    shaped = [item for item in found if required <= item.value.keys() and item.value.keys() <= kind.model_fields.keys()]
    if len(shaped) > 1:
        raise RejectedReplyError(f"the reply holds {len(shaped)} JSON objects of the form asked for; one is wanted")
    chosen = shaped[0] if shaped else found[0]
    try:
        reply = kind.model_validate_json(json.dumps(chosen.value), strict=True)
    except ValidationError as error:
        raise RejectedReplyError(explain(error)) from error
    return Reading(reply, None, ", ".join(chosen.repairs) or "strict")
