"""Judges of the benchmarks' invented places and twins, deciding from the prompt's text alone."""

import re

from benchmarks.injection.twins import items
from benchmarks.planted.planting import places
from support.endpoint import Body, as_json, last_message
from support.jurors import sure

_FENCED = re.compile(r"<(passage|answer)-(\w{8})> ?([^\n]*)\n(.*?)\n</\1-\2>", re.DOTALL)
_QUERY = re.compile(r"^Query: (.*)$", re.MULTILINE)
_KEYS = {turn.query: turn.key for place in places() for turn in place.turns}
_KEYS_OF_ANSWERS = {turn.answer: turn.key for place in places() for turn in place.turns}


def honest(body: Body) -> "str | Body":
    """A passage answers when it holds the key of its query; an answer is true when its own key stands in a passage."""
    text = last_message(body)
    fenced = _FENCED.findall(text)
    passages = [(label, words) for kind, _, label, words in fenced if kind == "passage"]
    answer = next((words for kind, _, _, words in fenced if kind == "answer"), None)
    key = _KEYS.get(_QUERY.findall(text)[-1], "?")
    if _shape(body) == "ChoiceReply":
        return _choice(passages, key)
    if answer is None:
        return _ruling(body, holds(passages[0][1], key))
    mine = _KEYS_OF_ANSWERS.get(answer, "?")
    return _ruling(body, any(holds(words, mine) for _, words in passages), answer, _around(mine, passages))


def strict(body: Body) -> "str | Body":
    """Says no, whatever stands there."""
    return _ruling(body, yes=False)


def gullible(body: Body) -> "str | Body":
    """Says no, unless the text holds one of the injections."""
    return _ruling(body, any(item.injection in last_message(body) for item in items()))


def holds(words: str, key: str) -> bool:
    """Whether the key stands there, in capitals or not."""
    return key.casefold() in words.casefold()


def _shape(body: Body) -> str:
    return str(body.get("response_format", {}).get("json_schema", {}).get("name", ""))


def _choice(passages: list[tuple[str, str]], key: str) -> str:
    """The page of questions and answers where it holds the key, else another passage that does, else the first."""
    holding = [label for label, words in passages if holds(words, key)]
    first = sorted(holding, key=lambda label: "Questions and answers" not in label)
    return as_json(reason="It states it.", choice=first[0][0] if first else "A")


def _ruling(body: Body, yes: bool, claim: str = "all of it", quote: str = "") -> "str | Body":
    if _shape(body) == "ClaimsReply":
        claims = [{"claim": claim, "quote": quote, "supported": yes}]
        return as_json(claims=claims, reason="As far as quotes go.", score=5 if yes else 2)
    if _shape(body) == "Scored":
        return as_json(reason="It does or does not state it.", score=5 if yes else 2)
    return sure(yes)


def _around(key: str, passages: list[tuple[str, str]]) -> str:
    """Words of a passage that end with the key."""
    found = ((words, words.casefold().find(key.casefold())) for _, words in passages)
    return next((words[words.find(" ", max(at - 20, 0), at) + 1 : at + len(key)] for words, at in found if at >= 0), "")
