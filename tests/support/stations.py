"""A small world for whole runs without a model: documents about stations, and a script that plays every role in it.

Each sentence of a document tells when a part of a station moves. The script reads roles off the request (the reply's
schema, or yes/no) and answers from what the prompt holds, so that its replies depend on the request alone.
"""

import asyncio
import hashlib
import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from mtr.corpus.build import build_corpus
from mtr.corpus.options import CorpusOptions
from mtr.llm import open_door
from mtr.settings import load_settings
from support.endpoint import as_json, chat_body, vector_of

Body = dict[str, Any]

SYLLABLES = (("Al", "Bre", "Cor", "Dun", "Esk", "Fal", "Gar", "Hol"), ("der", "mon", "wick", "ton", "by", "ham", "ley"))
ENDINGS = ("", "ville", "stead", "mouth", "ford", "gate", "minster", "bridge", "bury", "worth")
COLOURS = ("red", "blue", "green", "amber", "violet", "silver", "bronze", "white")
PARTS = ("valve", "pump", "hatch", "siren", "turbine", "crane", "shutter", "boiler")
MOVES = ("open", "close", "stop", "rotate", "drain", "heat", "sound", "reverse")
CAUSES = ("steam pressure", "river level", "oil temperature", "wind speed", "cable load", "salt content")
FACT = re.compile(r"In station (\w+) the (\w+) (\w+) (\w+?)s (when the [a-z ]+ exceeds (\d+) units)")
QUERY = re.compile(r"When does the (\w+) (\w+) (\w+) in station (\w+)\?")


def names(count: int) -> list[str]:
    """That many station names."""
    return ["".join(parts) for parts in product(*SYLLABLES, ENDINGS)][:count]


def _draw(name: str, number: int, of: int) -> int:
    return hashlib.sha256(f"{name} {number}".encode()).digest()[0] % of


def station_text(name: str, sentences: int = 5) -> str:
    """What the document about one station says: one sentence a part, no part twice."""
    first = _draw(name, 99, 8)
    return " ".join(
        f"In station {name} the {COLOURS[_draw(name, n, 8)]} {PARTS[(first + n) % 8]} {MOVES[_draw(name, n + 20, 8)]}s "
        f"when the {CAUSES[_draw(name, n + 40, 6)]} exceeds {100 + _draw(name, n + 60, 250)} units."
        for n in range(sentences)
    )


def write_documents(path: Path, count: int) -> Path:
    """A .jsonl file of that many documents."""
    rows = [{"id": name, "title": f"Station {name}", "text": station_text(name)} for name in names(count)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def reply(body: Body) -> Body:
    """The script: a chat completion for one request."""
    text = str(body["messages"][-1]["content"])
    shape = body.get("response_format", {}).get("json_schema", {}).get("name")
    usage = {"prompt_tokens": len(str(body["messages"])) // 4, "completion_tokens": 10}
    if shape is None:
        chances = {"yes": -0.05, "no": -3.0} if _verdict(text) else {"no": -0.05, "yes": -3.0}
        return chat_body(next(iter(chances)), chances=chances, usage=usage)
    scripts = {"QueryReply": _query, "AnswerReply": _answer, "WordingReply": _wording}
    content = scripts[shape](text) if shape in scripts else as_json(reason="it is near", number=1)
    return chat_body(content, usage=usage)


def _query(text: str) -> str:
    station, colour, part, move, _, _ = FACT.findall(text)[-1]
    return as_json(query=f"When does the {colour} {part} {move} in station {station}?")


def _answer(text: str) -> str:
    colour, part, move, station = QUERY.findall(text)[-1]
    found = next(fact for fact in FACT.finditer(text) if fact.groups()[:4] == (station, colour, part, move))
    return as_json(answer=f"The {part} {move}s {found[5]}.")


def _wording(text: str) -> str:
    colour, part, move, _ = QUERY.findall(text)[-1]
    return as_json(query=f"When does the {colour} {part} {move} there?")


def _verdict(text: str) -> bool:
    """Whether a sentence of the passage answers the query, or states the answer's number; without a query any may."""
    if not QUERY.search(text):
        return any(f"exceeds {fact[5]} units" in text.rpartition("Answer:")[2] for fact in FACT.findall(text))
    colour, part, move, station = QUERY.findall(text)[-1]
    facts = [fact for fact in FACT.findall(text) if fact[:4] == (station, colour, part, move)]
    if "Answer:" in text:
        return any(f"exceeds {fact[5]} units" in text.rpartition("Answer:")[2] for fact in facts)
    return bool(facts)


def embedding(text: str) -> list[float]:
    """Sixteen numbers: texts about the same things are near each other."""
    vector = [0.01 * value for value in vector_of(text, 4)]
    return vector + [float(text.count(word)) for word in (*PARTS, *CAUSES[:4])]


def embeddings(body: Body) -> web.StreamResponse:
    """The endpoint's answer to a request for vectors."""
    rows = [{"object": "embedding", "index": n, "embedding": embedding(text)} for n, text in enumerate(body["input"])]
    usage = {"prompt_tokens": len(rows), "total_tokens": len(rows)}
    return web.json_response({"object": "list", "data": rows, "model": body["model"], "usage": usage})


def write_settings(path: Path, base_url: str, max_concurrency: int = 32) -> Path:
    """A `mtr.toml` that knows the endpoint `stations`, with prices."""
    path.write_text(
        f'[endpoints.stations]\nbase_url = "{base_url}"\nmax_concurrency = {max_concurrency}\n'
        "[endpoints.stations.prices]\nscript = { prompt = 1.0, completion = 2.0 }\nvectors = { prompt = 0.1 }\n"
    )
    return path


def build_world(folder: Path, base_url: str, corpus: str = "stations", home: str = "mtr-home") -> Path:
    """A folder with `mtr.toml` and a home that holds a corpus of 24 documents; returns the folder."""
    settings = write_settings(folder / "mtr.toml", base_url)
    documents = write_documents(folder / "stations.jsonl", 24)

    async def build() -> None:
        options = CorpusOptions(embedding_model="stations/vectors", text_column="text", id_column="id")
        async with open_door(load_settings(settings)):
            await build_corpus(corpus, [documents], options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MTR_HOME", str(folder / home))
        asyncio.run(build())
    return folder


def forget(home: Path) -> None:
    """Drop the results of batches and what models have replied; corpora stay."""
    for path in home.glob("*.sqlite*"):
        path.unlink()
