"""Towers with two facts each, a RAG system and judges on loopback that go by the prompt's text, and planted faults."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from aiohttp import web

from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold, Said
from support.endpoint import Body, as_json, error, last_message
from support.jurors import NAMES, statement, sure

DONT_KNOW = "I don't know that."
_FENCED = re.compile(r"<(passage|answer|conversation|reference)-(\w{8})> ?([^\n]*)\n(.*?)\n</\1-\2>", re.DOTALL)
_QUERY = re.compile(r"^Query: (.*)$", re.MULTILINE)
_TOWER = re.compile(r"tower of (\w+)")


def model(body: Body) -> "str | Body":
    """Answers and judges as the prompt asks, by what stands in it."""
    text = last_message(body)
    fenced: dict[str, list[str]] = {}
    for kind, _, _, words in _FENCED.findall(text):
        fenced.setdefault(kind, []).append(words)
    tower = _TOWER.findall(_QUERY.findall(text)[-1])[-1]
    answer, passages = " ".join(fenced.get("answer", [])), fenced.get("passage", [])
    shape = body.get("response_format", {}).get("json_schema", {}).get("name", "")
    if shape == "RagAnswerReply":
        said = [one for one in passages if f"tower of {tower} has" in one]
        return as_json(answer=said[0] if said else DONT_KNOW, answered=bool(said))
    if shape == "ClaimsReply":
        return _claims(answer, passages)
    if shape == "Scored" and "reference" in fenced:
        wanted = re.findall(r"\d+", fenced["reference"][0])
        return _scored(sum(number in answer for number in wanted) / len(wanted))
    if shape == "Scored":
        named = [_TOWER.findall(sentence) for sentence in sentences(answer)]
        return _scored(sum(not found or found == [tower] for found in named) / len(named))
    return sure(DONT_KNOW in answer)


def sentences(text: str) -> list[str]:
    """The sentences, without their stops."""
    return [part.strip() for part in text.split(".") if part.strip()]


def _claims(answer: str, passages: list[str]) -> str:
    found = []
    for claim in sentences(answer):
        quote = next((claim for words in passages if claim in words), "")
        found.append({"claim": claim, "quote": quote, "supported": bool(quote)})
    share = sum(bool(one["supported"]) for one in found) / max(len(found), 1)
    return as_json(claims=found, reason="As far as quotes go.", score=round(1 + 4 * share))


def _scored(share: float) -> str:
    return as_json(reason="As far as it goes.", score=round(1 + 4 * share))


def towers(turns: int = 12, *, per_conversation: int = 3, unanswerable: int = 0, hidden: int = 0) -> Dataset:
    """Each turn asks for both facts of its tower; the passages of the last `unanswerable` turns are not there.

    Of the first `hidden` towers two other passages match the query better than the gold.
    """
    numbers = range(1, turns + 1)
    held = {f"p{number}": (NAMES[number - 1], number) for number in numbers if number <= turns - unanswerable}
    passages = {
        one: AnyPassage(passage_id=one, title=f"Tower of {name}", text=statement(name, number))
        for one, (name, number) in held.items()
    }
    for number in range(1, hidden + 1):
        for copy in "ab":
            text = f"When painted? How many lamps, {NAMES[number - 1]}, {NAMES[number - 1]}?"
            passages[f"h{number}{copy}"] = AnyPassage(passage_id=f"h{number}{copy}", text=text)
    rows = tuple(_turn(number, per_conversation, answerable=number <= turns - unanswerable) for number in numbers)
    return Dataset(name="towers", layout="own", passages=passages, turns=rows, language="en")


def query_of(number: int) -> str:
    """What the turn of that number asks."""
    return f"How many lamps has the tower of {NAMES[number - 1]}, and when was it painted?"


def _turn(number: int, per_conversation: int, *, answerable: bool) -> AnyTurn:
    conversation, place = divmod(number - 1, per_conversation)
    history = [Said(speaker="user", text=query_of(other)) for other in range(number - place, number)]
    return AnyTurn(
        query_id=f"c{conversation}::{place + 1}",
        conversation_id=f"c{conversation}",
        turn=place + 1,
        query=query_of(number),
        history=tuple(history),
        answer=statement(NAMES[number - 1], number) if answerable else None,
        gold=(Gold(passage_id=f"p{number}"),) if answerable else (),
        answerable=answerable,
    )


Wrong = Callable[[int], str]
FAULTS: Mapping[str, Wrong] = {
    "clean": lambda number: statement(NAMES[number - 1], number),
    "unfaithful": lambda number: f"{statement(NAMES[number - 1], number)} Its roof is golden. Its keeper is tall.",
    "off_the_point": lambda number: " ".join(
        statement(NAMES[other - 1], other) for other in (number, *_others(number))
    ),
    "incomplete": lambda number: statement(NAMES[number - 1], number).split(". ", maxsplit=1)[0] + ".",
}
"""What a system with one fault answers to the turn of a number."""


def _others(number: int) -> tuple[int, ...]:
    return tuple(other for other in (1, 2, 3, 4, 5) if other != number)[:4]


def write_answers(path: Path, dataset: Dataset, wrong: Wrong, **more: object) -> Path:
    """Ready answers to every turn, with the gold and the others' passages retrieved."""
    lines = []
    for number, turn in enumerate(dataset.turns, 1):
        retrieved = [f"p{one}" for one in (number, *_others(number))]
        lines.append({"query_id": turn.query_id, "answer": wrong(number), "passages": retrieved, **more})
    return write_lines(path, lines)


def write_lines(path: Path, lines: Sequence[Mapping[str, object]]) -> Path:
    """JSON lines."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def planted_systems(folder: Path, dataset: Dataset) -> list[str]:
    """A system of ready answers for each fault, and a clean one."""
    return [f"answers:{write_answers(folder / f'{name}.jsonl', dataset, wrong)}" for name, wrong in FAULTS.items()]


def failing(body: Body, query: str) -> "str | Body | web.Response":
    """The model, but its endpoint fails where the query stands in the last message."""
    asked = _QUERY.findall(last_message(body))[-1]
    return error(500) if asked == query else model(body)
