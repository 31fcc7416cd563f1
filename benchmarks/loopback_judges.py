"""The loopback judges of `benchmarks.judge_calls` and what they judge: a process of its own that counts requests."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from pydantic import BaseModel
from support import jurors
from support.endpoint import Body, TestEndpoint, as_json, last_message

from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold
from mtr.seeding import seeded

DELAY = 0.2
FILLER = "The keepers walk around it twice a day and note the weather, the ships and the state of the ropes."


class Received(BaseModel):
    """What the endpoint counted since it was asked last: requests, those with a body of their own, the most at once."""

    requests: int
    different: int
    most_at_once: int


def dataset(turns: int) -> Dataset:
    """Towers, each with a passage of about 60 words that states its lamps and years; conversations of three turns."""
    names = [f"{jurors.NAMES[number % 60]}{number // 60}" for number in range(turns)]
    passages = {
        f"p{number}": AnyPassage(passage_id=f"p{number}", title=f"Tower of {name}", text=_text(name, number))
        for number, name in enumerate(names, 1)
    }
    rows = tuple(
        AnyTurn(
            query_id=f"c{(number - 1) // 3}::{(number - 1) % 3 + 1}",
            conversation_id=f"c{(number - 1) // 3}",
            turn=(number - 1) % 3 + 1,
            query=f"How many lamps has the tower of {name}?",
            standalone_query=f"How many lamps has the tower of {name}?",
            answer=f"The tower of {name} has {number + 20} lamps.",
            gold=(Gold(passage_id=f"p{number}"),),
        )
        for number, name in enumerate(names, 1)
    )
    return Dataset(name="towers", layout="own", passages=passages, turns=rows)


def _text(name: str, number: int) -> str:
    words = FILLER.split()
    seeded(number, "filler").shuffle(words)
    return f"{' '.join(words)} {jurors.statement(name, number)} {FILLER}"


def reply(body: Body) -> "str | Body":
    """An honest judge that costs the endpoint little."""
    text = last_message(body)
    tower = f"tower of {text.rsplit('has the tower of ', 1)[1].split('?')[0]} has"
    shape = body.get("response_format", {}).get("json_schema", {}).get("name", "")
    if shape == "ChoiceReply":
        found = text.split(tower)[0].rfind("> ", 0, text.find(tower))
        return as_json(reason="It states how many lamps the tower has.", choice=text[found + 2])
    if shape == "ClaimsReply":
        claim = text[text.index(tower) - 4 :].split(".")[0] + "."
        return as_json(claims=[{"claim": claim, "quote": claim, "supported": True}], reason="It stands there.", score=5)
    if shape == "Scored":
        return as_json(reason="It states how many lamps the tower has.", score=5)
    return jurors.sure(yes=True)


def serve() -> None:
    """The endpoint's process: prints its address, then what it received for each line of its input; ends with it."""
    seen: Counter[int] = Counter()

    def noted(body: Body) -> "str | Body":
        seen[hash(json.dumps([body["model"], body["messages"], body.get("temperature")]))] += 1
        return reply(body)

    with TestEndpoint(reply=noted, delay=DELAY) as endpoint:
        endpoint.sent = endpoint.headers = endpoint.times = _Nothing()
        print(endpoint.base_url, flush=True)
        for line in sys.stdin:
            found = Received(requests=endpoint.calls.total(), different=len(seen), most_at_once=endpoint.most_at_once)
            if line.strip() == "forget":
                seen.clear()
                endpoint.calls.clear()
                endpoint.most_at_once = 0
            print(found.model_dump_json(), flush=True)


class _Nothing(list[Any]):
    """A list that keeps nothing: a long run must not fill the endpoint's memory."""

    def append(self, _: object) -> None:
        """Forget it."""


class Endpoint:
    """The endpoint's process, as the parent sees it."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin is not None and process.stdout is not None
        self._in, self._out = process.stdin, process.stdout
        self.base_url = self._out.readline().strip()

    def received(self, *, forget: bool = False) -> Received:
        """What it counted; `forget` begins anew."""
        self._in.write("forget\n" if forget else "count\n")
        self._in.flush()
        return Received.model_validate_json(self._out.readline())
