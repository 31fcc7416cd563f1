"""The shapes in which endpoints answer a chat: what is read of them, and what is no answer."""

import math
from typing import Any

import pytest
from support.asking import Graded
from support.endpoint import chat_body

from mtr.llm import Usage, YesNo
from mtr.llm.faults import MALFORMED, Way, fault_of
from mtr.llm.wire import json_of, raw_reply


def test_text_usage_and_reason() -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 5}}
    raw = raw_reply(chat_body("yes", "length", usage=usage), Graded, 1.5)
    assert (raw.text, raw.finish_reason, raw.refusal, raw.chances, raw.seconds) == ("yes", "length", None, None, 1.5)
    assert raw.usage == Usage(prompt_tokens=9, cached_tokens=5, completion_tokens=2)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ([{"type": "text", "text": "a "}, {"type": "text", "text": "b"}], "a b"),
        ([{"type": "thinking", "thinking": "hm"}, "b"], "b"),
        ("half \ud83d", "half \\ud83d"),
    ],
)
def test_content_of_every_shape(content: Any, text: str) -> None:
    assert raw_reply(chat_body(content), Graded, 0.0).text == text


@pytest.mark.parametrize("usage", [None, {}])
def test_usage_not_counted_is_unknown(usage: Any) -> None:
    assert raw_reply(chat_body("a") | {"usage": usage}, Graded, 0.0).usage is None


def test_counts_that_are_null_are_none() -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": None, "prompt_tokens_details": None}
    found = raw_reply(chat_body("a", usage=usage), Graded, 0.0).usage
    assert found == Usage(prompt_tokens=9, cached_tokens=0, completion_tokens=0)


def test_a_refusal_is_kept() -> None:
    assert raw_reply(chat_body("", refusal="I will not"), Graded, 0.0).refusal == "I will not"


def test_chances_of_the_first_word() -> None:
    raw = raw_reply(chat_body("Yes", chances={"Yes": math.log(0.5), "No": math.log(0.25)}), YesNo, 0.0)
    assert raw.chances is not None
    assert [chance.token for chance in raw.chances] == ["Yes", "No"]


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        "text",
        {},
        {"choices": []},
        {"choices": None},
        {"choices": [None]},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {"content": 7}}]},
        {"choices": [{"message": {"content": "a"}}], "usage": {"prompt_tokens": "many"}},
        {"choices": [{"message": {"content": "a"}, "logprobs": {"content": [{}]}}]},
    ],
)
def test_what_is_no_chat_completion_is_asked_for_again(body: Any) -> None:
    with pytest.raises(MALFORMED) as raised:
        raw_reply(body, Graded, 0.0)
    assert fault_of(raised.value, {}).way is Way.RETRY


def test_an_error_that_comes_as_a_success_keeps_its_words() -> None:
    with pytest.raises(ValueError, match="overloaded") as raised:
        raw_reply({"error": {"message": "overloaded", "code": 503}}, Graded, 0.0)
    assert fault_of(raised.value, {}).words.endswith(": overloaded")


@pytest.mark.parametrize("text", ["<html>Bad gateway</html>", "", 'data: {"choices": []}', "[" * 100_000])
def test_no_json_is_told_with_the_endpoints_words(text: str) -> None:
    with pytest.raises(ValueError, match="no JSON") as raised:
        json_of(text)
    assert text[:20] in str(raised.value)
