"""A score written as a labelled line of plain text, `Rating: 4`, for replies with one scale field."""

import re
from functools import cache
from typing import Any

import annotated_types
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from mtr.llm.records import R
from mtr.llm.reply import RejectedReplyError, Reply

LABELS = ("rating", "score", "评分", "得分", "分数", "打分", "评级")
UNIT = re.compile(r"[*_`\"'”]*(?:\s*(?:分|points?\b|stars?\b))?[*_`\"'”]*", re.IGNORECASE)
# What may follow a score for it to be one number, said as a fact: an end, or a remark set off from it.
END = re.compile(
    r"\s*\Z|[.;:!)）]+(?:\s|\Z)|[。；：！]|(?:[,，]|\s+[-–—]\s)[^\d\n]*\Z|\s*[(（\[]|\s+(?:because|since)\b",
    re.IGNORECASE,
)
MIGHT_BE = re.compile(r"\b(?:if|would|were|could|might|should)\b|如果|若|假如|要是", re.IGNORECASE)
MARKS = r"[\s*_#>`\"'“”-]*"


def read_scale(kind: type[R], text: str) -> R | None:
    """The reply, when `kind` has exactly one scale and the text states it; None when it states no score at all.

    A label must begin a line or a sentence: a number elsewhere is not a score. Two labels with different numbers, a
    number off the scale or between its steps, a range, another denominator: `RejectedReplyError`.
    """
    field = _scale_field(kind)
    if field is None:
        return None
    name, top, other = field
    scores = sorted(_scores(name, top, text))
    if not scores:
        return None
    if len(scores) > 1:
        listed = ", ".join(f"{score:g}" for score in scores)
        raise RejectedReplyError(f"the reply states more than one {name}: {listed}")
    score = int(scores[0]) if scores[0].is_integer() else scores[0]
    values: dict[str, Any] = {name: score} | ({other: text} if other else {})
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise RejectedReplyError(explain(error)) from error


def explain(error: ValidationError) -> str:
    """What does not fit, a field at a time, without the values."""
    faults = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(
        f"{'.'.join(str(part) for part in fault['loc']) or 'the reply'}: {fault['msg']}" for fault in faults
    )


@cache
def _scale_field(kind: type[Reply]) -> tuple[str, float, str | None] | None:
    """The scale's name and upper bound, and the one other required field, a string; None when there is no such form."""
    tops = {name: top for name, field in kind.model_fields.items() if (top := _top(field)) is not None}
    others = [name for name, field in kind.model_fields.items() if field.is_required() and name not in tops]
    if len(tops) != 1 or len(others) > 1 or any(kind.model_fields[name].annotation is not str for name in others):
        return None
    ((name, top),) = tops.items()
    return name, top, others[0] if others else None


def _top(field: FieldInfo) -> float | None:
    if field.annotation not in (int, float):
        return None
    low = [rule.ge for rule in field.metadata if isinstance(rule, annotated_types.Ge)]
    high = [rule.le for rule in field.metadata if isinstance(rule, annotated_types.Le)]
    return float(str(high[0])) if low and high else None


@cache
def _statement(name: str) -> re.Pattern[str]:
    """A label and its number; `start` is there when the label begins a line or a sentence."""
    labels = "|".join(re.escape(label) for label in (*LABELS, name.replace("_", " "), name))
    number = r"(?P<number>[-+]?\d+(?:[.,]\d+)?)"
    return re.compile(
        rf"(?P<start>(?:\A|[\n.!?。！？;；:：]){MARKS}(?:(?:the|my|overall|final|total|最终|总体|综合)\s*)*)?"
        rf"(?<![A-Za-z])(?:{labels})(?:\s*[(（][^()（）\n]*[)）])?"
        rf"{MARKS}(?:[:：=]|\bis\b|是|为){MARKS}(?<!-){number}(?=(?P<tail>[^\n]*))",
        re.IGNORECASE,
    )


def _scores(name: str, top: float, text: str) -> set[float]:
    """The scores stated; one in passing counts too, unless its sentence speaks of what might be."""
    stated: set[float] = set()
    passing: set[float] = set()
    for match in _statement(name).finditer(text):
        if match["start"] is not None:
            stated.add(_score(match, top))
        elif not MIGHT_BE.search(re.split(r"[.!?。！？\n]", text[: match.start()])[-1]):
            passing.add(float(match["number"].replace(",", ".")))
    return stated | passing if stated else stated


def _score(match: re.Match[str], top: float) -> float:
    number, tail = match["number"], match["tail"]
    over = re.match(r"[*_\s]*(?:/|out of|of)\s*(\d+)", tail, re.IGNORECASE)
    if over and float(over[1]) != top:
        raise RejectedReplyError(f"the score is given out of {over[1]}, the scale ends at {top:g}")
    rest = UNIT.sub("", tail[over.end() :] if over else tail, count=1)
    if "," in number or not END.match(rest):
        raise RejectedReplyError(f"the score is not a single number: {number}{tail[:20]}")
    return float(number)
