"""Reading replies in JSON: the right value or a rejection, whatever the model wraps around it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import booleans, text
from support.replies import ONE, YES, Graded, Plain, raw, read

from mtr.llm import Reply
from mtr.llm.reading import read_reply
from mtr.llm.reply import RejectedReplyError


class Listing(Reply):
    facts: tuple[Plain, ...]


class Odd(Reply):
    v: bool | int
    r: str | None


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


@given(text(max_size=40), text(max_size=40), booleans())
def test_repairs_leave_strings_alone(reason: str, note: str, plain: bool) -> None:
    fields = {"reason": reason, "note": note}
    said = ", ".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=plain)}" for key, value in fields.items())
    found = read(Plain, f'Well: ｛{said}， /* "x" */ "supported"：True,}}\n')
    assert found == {**fields, "supported": True}


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
