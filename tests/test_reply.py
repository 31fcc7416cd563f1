"""Reading replies: the right value or a rejection, whatever the model wraps around it."""

import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import booleans, text
from pydantic import Field

from mtr.llm import Reply, YesNo
from mtr.llm.reading import read_reply
from mtr.llm.records import Chance, RawReply
from mtr.llm.reply import RejectedReplyError, json_schema


class Plain(Reply):
    reason: str
    supported: bool | int
    note: str | None = None


class Graded(Reply):
    reason: str
    score: int = Field(ge=1, le=5)


class Half(Reply):
    grade: float = Field(ge=0, le=4, multiple_of=0.5)


class Listing(Reply):
    facts: tuple[Plain, ...]


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


def said(reason: str, supported: int) -> dict[str, Any]:
    return {"reason": reason, "supported": supported}


OBJECTS: dict[str, tuple[str, Any]] = {
    "as asked": (ONE, YES),
    "spread over lines": (json.dumps(YES, indent=4), YES),
    "other order of keys": ('{"supported": true, "reason": "it says so"}', YES),
    "byte order mark": ("\ufeff" + ONE, YES),
    "fence with language": (f"```json\n{ONE}\n```", YES),
    "fence in prose": (f"Here you go:\n\n```JSON\n{ONE}\n```\nAnything else?", YES),
    "tildes and prose": (f"~~~\n{ONE}\n~~~", YES),
    "fence never closed": (f"```json\n{ONE}", YES),
    "prose before": (f"Certainly, the verdict follows. {ONE}", YES),
    "prose after with a brace": (ONE + "\nI left {other} out.", YES),
    "a form described before": ('Format: {"reason": <text>, "supported": <true|false>}\n' + ONE, YES),
    "placeholder in Chinese prose": ("按照{理由}的格式：" + ONE, YES),
    "doubled braces": ("{" + ONE + "}", YES),
    "reasoning": (f"<think>Let me see: it is {{unclear}}</think>{ONE}", YES),
    "reasoning with a rival object": ('<think>{"reason": "no", "supported": false}</think>' + ONE, YES),
    "reasoning without opening tag": ('{"reason": "no", "supported": false} hm\n</think>\n' + ONE, YES),
    "reasoning with an open brace": ('perhaps {"reason": "no</think>' + ONE, YES),
    "reasoning in capitals": (f"<THINKING>maybe\n</THINKING>\n{ONE}", YES),
    "reasoning after": (ONE + '\n<think>{"reason": "no", "supported": false}</think>', YES),
    "closing tag in a string": ('{"reason": "ends with </think>", "supported": 1}', said("ends with </think>", 1)),
    "tags in a string, prose around": (
        'Verdict: {"reason": "<think>x</think>", "supported": 0}.',
        said("<think>x</think>", 0),
    ),
    "trailing comma and comment": ('{"reason": "it says so", // sure\n "supported": true,\n}', YES),
    "block and hash comments": ('{/* first */ "reason": "it says so", # then\n "supported": true}', YES),
    "comment signs in a string": (
        '{"reason": "see http://x/#a /* b */", "supported": 1,}',
        said("see http://x/#a /* b */", 1),
    ),
    "python dictionary": ("{'reason': 'it says so', 'supported': True}", YES),
    "python with None": (
        '{"reason": "True, None", "supported": False, "note": None}',
        {"reason": "True, None", "supported": False, "note": None},
    ),
    "raw tab and line break": ('{"reason": "it\tsays\nso", "supported": true}', said("it\tsays\nso", True)),
    "comma before brace in a string": ('{"reason": "a ,} b ,] c", "supported": 1,}', said("a ,} b ,] c", 1)),
    "full-width punctuation": ("｛“reason”：“它说，是的：对”，“supported”：true｝", said("它说，是的：对", True)),
    "full-width comma in a string": ('{"reason"："甲，乙"，"supported":1}', said("甲，乙", 1)),
    "encoded twice": (json.dumps(ONE), YES),
    "encoded twice in a fence": (f"```\n{json.dumps(ONE)}\n```", YES),
    "list of one": (f"[{ONE}]", YES),
    "list of one in a fence": (f"```json\n[\n  {ONE}\n]\n```", YES),
    "closing bracket missing": (ONE[:-1], YES),
    "closing bracket missing in a fence": (f"```json\n{ONE[:-1]}\n```", YES),
    "escapes": ('{"reason": "\\u00e9\\n\\"q\\"", "supported": 1}', said('é\n"q"', 1)),
    "pair of surrogates after a repair": ('{"reason": "\\ud83d\\ude00", "supported": 1,}', said("😀", 1)),
    "whole number with a point": ('{"reason": "x", "supported": 1.0}', said("x", 1)),
    "the same key twice alike": ('{"reason": "x", "reason": "x", "supported": 1}', said("x", 1)),
    "two objects": (f"{ONE}\n{ONE.replace('true', 'false')}", None),
    "the same object twice": (f"{ONE}\n{ONE}", None),
    "list of two": (f"[{ONE}, {ONE.replace('true', 'false')}]", None),
    "two fences": (f"```\n{ONE}\n```\nor\n```\n{ONE.replace('says', 'said')}\n```", None),
    "a key twice, differing": ('{"reason": "x", "supported": true, "supported": false}', None),
    "refusal in words": ("I'm sorry, I can't judge that.", None),
    "reasoning never closed": ("<think>" + ONE, None),
    "reasoning only": (f"<think>{ONE}</think>", None),
    "reasoning, then words": (f"{ONE}</think> I cannot say.", None),
    "another key": ('{"reason": "x", "verdict": true}', None),
    "a key too many": ('{"reason": "x", "supported": true, "sure": true}', None),
    "a key too few": ('{"supported": true}', None),
    "a number as text": ('{"reason": "x", "supported": "true"}', None),
    "null where none may be": ('{"reason": null, "supported": true}', None),
    "quotes not escaped": ('{"reason": "he said "no" twice", "supported": true}', None),
    "cut within a string": ('{"supported": true, "reason": "it sa', None),
    "cut after a comma": ('{"reason": "x", "supported": true,', None),
    "cut before a value": ('{"reason": "x", "supported":', None),
    "rival inside a broken object": ('{"bad": {"reason": "no", "supported": false} "reason": "x"}', None),
    "wrapped in another object": ('{"result": ' + ONE + "}", None),
    "half a character": ('{"reason": "\\ud83d", "supported": true}', None),
    "endless number": ('{"reason": "x", "supported": ' + "9" * 5000 + "}", None),
    "infinite": ('{"reason": "x", "supported": 1e999}', None),
    "not a number": ('{"reason": "x", "supported": NaN}', None),
    "very deep": ('{"reason": ' + "[" * 5000, None),
    "empty": ("", None),
    "blank": (" \n\u200b", None),
    "a list of nothing": ("[]", None),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_objects(name: str) -> None:
    text, expected = OBJECTS[name]
    assert read(Plain, text) == expected


SCORES: dict[str, tuple[str, int | None]] = {
    "in JSON": ('{"reason": "x", "score": 4}', 4),
    "above": ('{"reason": "x", "score": 6}', None),
    "below": ('{"reason": "x", "score": 0}', None),
    "between": ('{"reason": "x", "score": 3.5}', None),
    "with a point": ('{"reason": "x", "score": 3.0}', 3),
    "as text": ('{"reason": "x", "score": "4"}', None),
    "as a fraction": ('{"reason": "x", "score": "4/5"}', None),
    "true": ('{"reason": "x", "score": true}', None),
    "label": ("Score: 2", 2),
    "bold label": ("**Score:** 2", 2),
    "bold number": ("Score: **2**", 2),
    "heading": ("### Final rating: 5\nAll of it is there.", 5),
    "after the reason": ("The answer covers two of three needs.\n\nRating: 3", 3),
    "after a sentence": ("On a scale of 1 to 5. The rating is 4.", 4),
    "out of": ("Overall score: 4 out of 5.", 4),
    "with stars": ("Rating: 4 stars", 4),
    "Chinese": ("理由充分。\n评分：4分", 4),
    "Chinese, in a sentence": ("理由是文中第3段。评分是2。", 2),
    "with a remark": ("Score: 4 (one of 2 facts is vague)", 4),
    "with a dash": ("Score: 2 - one claim fails", 2),
    "range with spaces": ("Score: 2 - 3", None),
    "with a reason": ("Score: 1 because 4 claims fail", 1),
    "said twice alike": ("Score: 3\n...\nFinal score: 3", 3),
    "a wish later on": ("Rating: 2\nWere source [3] there the rating: 5", 2),
    "a wish in Chinese": ("评分：2\n如果补充来源，评分：5", 2),
    "corrected in passing": ("Rating: 2\nOn reflection, rating: 3", None),
    "explained in passing": ("A rating: 5 needs every fact.\nRating: 3", None),
    "scale in brackets": ("Rating (1-5): 4", 4),
    "an afterthought": ("Rating: 4, maybe 5", None),
    "a remark without numbers": ("Rating: 4, mostly right", 4),
    "spaced fraction": ("Score: 4 / 5", 4),
    "said twice differently": ("Score: 2\n\nScore: 4", None),
    "said twice on one line": ("Score: 2. Final score: 4.", None),
    "out of ten": ("Rating: 4/10", None),
    "eight of ten": ("Rating: 8 out of 10", None),
    "off the scale": ("Rating: 10", None),
    "minus": ("Rating: -3", None),
    "a half": ("Rating: 3.5", None),
    "decimal comma": ("Rating: 3,5", None),
    "range": ("Rating: 3-4", None),
    "range in words": ("Rating: 3 to 4", None),
    "percent": ("Rating: 4%", None),
    "ordinal": ("Rating: 4th", None),
    "word": ("Rating: three", None),
    "bare number": ("4", None),
    "number in prose": ("I found 4 claims.", None),
    "scale explained": ("The rating scale goes from 1 to 5.", None),
    "only in the reasoning": ("<think>Rating: 4</think>", None),
    "reasoning, then another": ("<think>Rating: 4</think>\nRating: 2", 2),
}


@pytest.mark.parametrize("name", SCORES)
def test_scores(name: str) -> None:
    text, expected = SCORES[name]
    found = read(Graded, text)
    assert (found and found["score"]) == expected


def test_plain_score_keeps_the_words_as_the_reason() -> None:
    found = read_reply(Graded, raw("Two facts miss.\nScore: 3"))
    assert found.reply == Graded(reason="Two facts miss.\nScore: 3", score=3)
    assert found.how == "labelled score"


@given(text(max_size=40), text(max_size=40), booleans())
def test_repairs_leave_strings_alone(reason: str, note: str, plain: bool) -> None:
    fields = {"reason": reason, "note": note}
    said = ", ".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=plain)}" for key, value in fields.items())
    found = read(Plain, f'Well: ｛{said}， /* "x" */ "supported"：True,}}\n')
    assert found == {**fields, "supported": True}


def test_half_steps() -> None:
    assert read(Half, "Grade: 2.5") == {"grade": 2.5}
    assert read(Half, '{"grade": 2.5}') == {"grade": 2.5}
    assert read(Half, '{"grade": 4}') == {"grade": 4}
    assert read(Half, "Grade: 2.3") is None


def test_nested_objects_are_not_rivals() -> None:
    assert read(Listing, f'{{"facts": [{ONE}, {ONE}]}}') == {"facts": (YES, YES)}
    assert read(Plain, f'{{"facts": [{ONE}]}}') is None


@pytest.mark.parametrize("text", [ONE, "", "half a sent", "Score: 4"])
def test_cut_by_length_is_rejected(text: str) -> None:
    assert read(Graded if "Score" in text else Plain, text, "length") is None


def test_brackets_are_only_supplied_to_a_finished_reply() -> None:
    assert read(Plain, ONE[:-1], None) is None
    assert read(Plain, ONE, None) == YES


def test_refusal_and_filter() -> None:
    with pytest.raises(RejectedReplyError, match="can't help"):
        read_reply(Plain, raw(ONE, refusal="I can't help with that."))
    with pytest.raises(RejectedReplyError, match="filter"):
        read_reply(Plain, raw("", "content_filter"))


def chances(**odds: float) -> tuple[Chance, ...]:
    return tuple(Chance(token.replace("_", " "), math.log(value)) for token, value in odds.items())


def test_probability_sums_spellings() -> None:
    found = read_reply(YesNo, raw("no", "length", chances=chances(Yes=0.2, _yes=0.1, no=0.4, NO=0.1, maybe=0.2)))
    assert found.probability == pytest.approx(0.3 / 0.8)
    assert found.reply.yes is False


def test_probability_in_chinese() -> None:
    found = read_reply(YesNo, raw("是", "length", chances=chances(是=0.6, 否=0.2, 不=0.1)))
    assert found.reply.yes
    assert found.probability == pytest.approx(0.6 / 0.9)


def test_probability_of_something_else_is_rejected() -> None:
    with pytest.raises(RejectedReplyError):
        read_reply(YesNo, raw("The", "length", chances=chances(The=0.99, yes=0.001)))


WORDS = {
    "yes": True,
    " Yes.": True,
    "**No**": False,
    "NO": False,
    "是": True,
    "否": False,
    "是。": True,
    "不是": False,
    "Yes, the passage says so.": True,
    "<think>no?</think>yes": True,
    "no\n": False,
    "": None,
    "maybe": None,
    "It does, yes": None,
    "yes and no": None,
    "Yesterday": None,
    "None": None,
    "Not sure": None,
    "<think>yes": None,
    "no, yes": None,
}


@pytest.mark.parametrize("text", WORDS)
def test_written_word(text: str) -> None:
    try:
        found = read_reply(YesNo, raw(text))
    except RejectedReplyError:
        assert WORDS[text] is None
    else:
        assert found.reply.yes is WORDS[text]
        assert found.probability is None


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


class Odd(Reply):
    v: bool | int
    r: str | None


def test_the_shared_odd_replies() -> None:
    folder = os.environ.get("MTR_SHARED")
    if not folder:
        pytest.skip("MTR_SHARED is not set")
    wrong = []
    for line in (Path(folder) / "fixtures/odd_replies.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        kind = Odd if case["kind"] == "json" else Graded
        found = read(kind, case["text"])
        value = found and (found if kind is Odd else found["score"])
        expected = case["expected"][0] if isinstance(case["expected"], list) else case["expected"]
        if value != expected:
            wrong.append((case["text"], value))
    assert wrong == []
