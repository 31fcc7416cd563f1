"""A small world for question sets without a model: stations again, and a script that plays every role of the graph.

The script reads a role off the request and answers from what the prompt holds, so that its replies depend on the
request alone. Texts are embedded as bags of words: two queries are near only when they share most of their words.
"""

import asyncio
import json
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from graphs.questions import graph
from graphs.questions_state import QuestionOutput
from mtr.corpus.build import build_corpus
from mtr.corpus.options import CorpusOptions
from mtr.llm import open_door
from mtr.retrieval.tokenization import terms_of_text
from mtr.settings import load_settings
from support import stations
from support.endpoint import Body, TestEndpoint, as_json, chat_body

CORPUS = "stations"
DIMENSIONS = 512
PART = re.compile(r"the (\w+) (\w+) (\w+?) in station (\w+)")
ABSENT = re.compile(r"Who painted the (\w+) (\w+) in station (\w+)\?")
SHAPES = {
    "QueryReply": "user_simulator",
    "WrittenQueryReply": "query_writer",
    "AnswerReply": "answerer",
    "ReasonedAnswerReply": "answer_writer",
    "WordingReply": "contextualizer",
}
Rule = Callable[[Body, int], "str | Body | None"]
Json = dict[str, Any]


def told(body: Body) -> str:
    """The last message of a request."""
    return str(body["messages"][-1]["content"])


def role_of(body: Body) -> str:
    """The role that a request asks to play."""
    shape = body.get("response_format", {}).get("json_schema", {}).get("name")
    if shape:
        return SHAPES[shape]
    if "\nAnswer: " in told(body):
        return "evidence_verifier"
    return "need_verifier" if "these passages" in told(body) else "uniqueness_verifier"


def verdict(yes: bool) -> Body:
    """A sure yes or no."""
    chances = {"yes": -0.05, "no": -3.0} if yes else {"no": -0.05, "yes": -3.0}
    return chat_body(next(iter(chances)), chances=chances)


def reply(body: Body) -> Body:
    """The script: a chat completion for one request."""
    text = told(body)
    plays = {"user_simulator": _query, "answerer": _short, "answer_writer": _answer, "contextualizer": _wording}
    role = role_of(body)
    if role == "query_writer":
        return chat_body(_absent(text) if "do not answer" in str(body["messages"][0]) else _joined(text))
    return chat_body(plays[role](text)) if role in plays else verdict(_answers(text))


def _query(text: str) -> str:
    station, colour, part, move, _, _ = stations.FACT.findall(text.rpartition("Fact: ")[2])[0]
    return as_json(query=f"When does the {colour} {part} {move} in station {station}?")


def _joined(text: str) -> str:
    facts = stations.FACT.findall(text.rpartition("Facts:")[2])
    first, last = facts[0], facts[-1]
    both = [f"the {colour} {part} {move} in station {station}" for station, colour, part, move, _, _ in (first, last)]
    return as_json(query=f"When do {both[0]} and {both[1]}?")


def _absent(text: str) -> str:
    station, colour, part, *_ = stations.FACT.findall(text.rpartition("Facts:")[2])[0]
    return as_json(query=f"Who painted the {colour} {part} in station {station}?")


def _short(text: str) -> str:
    """A sentence for each part asked for."""
    said = []
    for colour, part, move, station in PART.findall(text.rpartition("Query: ")[2]):
        found = next(f for f in stations.FACT.finditer(text) if f.groups()[:4] == (station, colour, part, move))
        said.append(f"The {part} of station {station} {move}s {found[5]}.")
    return as_json(answer=" ".join(said))


def _answer(text: str) -> str:
    """A claim for each part asked for, three where the answer is to be long."""
    asked = text.rpartition("Query: ")[2]
    claims = []
    for colour, part, move, station in PART.findall(asked):
        found = next(f for f in stations.FACT.finditer(text) if f.groups()[:4] == (station, colour, part, move))
        said = [f"The {part} of station {station} {move}s {found[5]}."]
        if "First reason" in asked:
            said += [f"That {part} of station {station} is {colour}.", f"It is what {move}s in station {station}."]
        number = int(re.findall(r"\[S(\d+)\]", text[: found.start()])[-1])
        claims += [{"claim": one, "sentences": [number]} for one in said]
    if "First reason" in asked:
        return as_json(reasoning="Each tells of one station.", claims=claims)
    return as_json(claims=claims)


def _wording(text: str) -> str:
    return as_json(query=text.rpartition("Next query: ")[2].split("\n")[0].replace("When does", "when does"))


def _answers(text: str) -> bool:
    """Whether the passages tell of every part that the query asks for; of a claim, whether its number is theirs."""
    quoted, _, claim = text.rpartition("\nAnswer: ")
    if quoted:
        numbers = re.findall(r"exceeds (\d+) units", claim)
        passages = quoted
        return all(f"exceeds {number} units" in passages for number in numbers)
    passages, _, asked = text.rpartition("Query: ")
    facts = {(colour, part, move, station) for station, colour, part, move, _, _ in stations.FACT.findall(passages)}
    parts = PART.findall(asked)
    return bool(parts) and set(parts) <= facts and not ABSENT.search(asked)


def _embeddings(body: Body) -> web.StreamResponse:
    rows = [{"object": "embedding", "index": n, "embedding": words_vector(t)} for n, t in enumerate(body["input"])]
    usage = {"prompt_tokens": len(rows), "total_tokens": len(rows)}
    return web.json_response({"object": "list", "data": rows, "model": body["model"], "usage": usage})


def words_vector(text: str) -> list[float]:
    """A bag of hashed words."""
    vector = [0.01] * DIMENSIONS
    for term in terms_of_text(text):
        vector[zlib.crc32(term.encode()) % DIMENSIONS] += 1.0
    return vector


def endpoint() -> TestEndpoint:
    """The scripted model, on loopback."""
    return TestEndpoint(reply=reply, embed=_embeddings)


def station_names(count: int) -> list[str]:
    """That many station names; with a letter behind them when the plain ones are used up."""
    plain = stations.names(count)
    return [f"{name}{letter}" for letter in ("", *"bcdfgjklm") for name in plain][:count]


async def build_world(folder: Path, base_url: str, count: int = 24) -> Path:
    """The corpus in the current home, and the path of the settings."""
    settings = stations.write_settings(folder / "mtr.toml", base_url)
    documents = folder / "stations.jsonl"
    rows = [{"id": n, "title": f"Station {n}", "text": stations.station_text(n)} for n in station_names(count)]
    documents.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = CorpusOptions(embedding_model="stations/vectors", text_column="text", id_column="id")
    async with open_door(load_settings(settings)):
        await build_corpus(CORPUS, [documents], options)
    return settings


@dataclass
class Script:
    """`reply`, but where a role's rule says otherwise; a rule gets the request and its number, from 0."""

    rules: Mapping[str, Rule] = field(default_factory=dict)
    asked: list[Body] = field(default_factory=list)

    def __call__(self, body: Body) -> str | Body:
        role = role_of(body)
        number = len(self.of(role))
        self.asked.append(body)
        said = self.rules[role](body, number) if role in self.rules else None
        return reply(body) if said is None else said

    def of(self, role: str) -> list[Body]:
        """The requests to a role, in order."""
        return [body for body in self.asked if role_of(body) == role]


@dataclass
class Ask:
    """Runs the questions graph on JSON, as Studio's server does, with a ledger of its own."""

    endpoint: TestEndpoint
    settings: Path
    ledger: Path

    async def __call__(
        self, rules: Mapping[str, Rule] | None = None, order: Json | None = None, **knobs: Any
    ) -> QuestionOutput:
        """What came out; the script is left as the endpoint's reply."""
        self.endpoint.reply = Script(rules or {})
        context = {"corpus": CORPUS, "model": "stations/script", "rivals": 1, "absence_depth": 3, **knobs}
        async with open_door(await asyncio.to_thread(load_settings, self.settings), ledger=self.ledger):
            state = await graph.ainvoke(json.loads(json.dumps(order or {})), context=json.loads(json.dumps(context)))
        return QuestionOutput.model_validate(state)

    @property
    def script(self) -> Script:
        """The script of the last run."""
        assert isinstance(self.endpoint.reply, Script)
        return self.endpoint.reply
