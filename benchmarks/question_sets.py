"""Question sets at scale: exact counts, flat memory, and nothing paid twice when the run is killed midway.

    python -m benchmarks.question_sets [--small]

The endpoint runs in its own process on loopback and plays every role (tests/support/question_world.py). The set is made
by a child process that is killed after a third of its questions and started again. The endpoint tells requests that
came twice from the others; at most the calls in flight at the kill may be among them. Peak memory is the child's.
"""

import asyncio
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support import question_world
from support.endpoint import Body, TestEndpoint

from benchmarks.harness import print_figure, print_machine, size_options
from mtr.batch_store import open_store
from mtr.cli.asking import question_maker
from mtr.corpus_job import Terms
from mtr.llm import open_door
from mtr.meter import spent_by
from mtr.questions.job import prepare
from mtr.questions.options import ROLES, QuestionOptions
from mtr.questions.records import Attempted
from mtr.questions.run import make_questions
from mtr.settings import load_settings

AT_ONCE, MEGABYTES = 32, 700


def serve() -> None:
    """The endpoint's process: prints its address, and how many requests came, and came again, when its input ends."""
    seen: set[bytes] = set()
    twice = total = 0

    def counted(body: Body) -> Body:
        nonlocal twice, total
        sent = {key: value for key, value in body.items() if key != "http"}
        digest = hashlib.sha256(json.dumps(sent, sort_keys=True).encode()).digest()
        twice += digest in seen
        total += 1
        seen.add(digest)
        return question_world.reply(body)

    with TestEndpoint(reply=counted, embed=question_world.endpoint().embed) as endpoint:
        endpoint.sent = endpoint.headers = endpoint.times = _Nothing()
        print(endpoint.base_url, flush=True)
        sys.stdin.read()
        print(total, twice, flush=True)


class _Nothing(list[Any]):
    """A list that keeps nothing."""

    def append(self, _: object) -> None:
        """Forget it."""


async def run(home: Path, count: int) -> None:
    """Make the set; prints a line for each question, then counts by tier and peak memory."""
    settings = load_settings()
    options = QuestionOptions.checked(
        corpus=question_world.CORPUS,
        count=count,
        easy=40,
        medium=35,
        hard=25,
        unanswerable=count // 20,
        domain="general",
        seed=7,
        models=dict.fromkeys(ROLES, "stations/script"),
    )
    job = prepare(options, settings, "code")

    async def tell(item: str, _: Attempted) -> None:
        print(item, flush=True)

    async with open_door(settings) as door, open_store(home / "batches.sqlite") as store:
        terms = Terms(out=home / "set", concurrency=AT_ONCE, human_usd=None, meter=lambda: spent_by(door))
        finished = await make_questions(job, question_maker(job), store, terms, tell)
    print("tiers", json.dumps([one.model_dump() for one in finished.summary.tiers]))
    print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def start(command: list[str], home: Path, count: int) -> "subprocess.Popen[str]":
    """The child that makes the set."""
    return subprocess.Popen([*command, "run", str(home), str(count)], stdout=subprocess.PIPE, text=True)


def killed(command: list[str], home: Path, count: int) -> None:
    """Start the child and kill it after a third of its questions."""
    with start(command, home, count) as child:
        assert child.stdout is not None
        for number, _ in enumerate(child.stdout):
            if number > count // 3:
                child.kill()
                return


def main() -> int:
    """Print counts, calls paid twice and peak memory; 1 when a goal is missed."""
    small = size_options("Question sets, killed and resumed")
    print_machine(["langgraph", "langchain-openai"])
    count, documents = (60, 100) if small else (10_000, 5_000)
    command = [sys.executable, "-m", "benchmarks.question_sets"]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen([*command, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server,
    ):
        assert server.stdin is not None and server.stdout is not None
        home, url = Path(folder), server.stdout.readline().strip()
        os.environ.update(MTR_HOME=str(home), MTR_CONFIG=str(home / "mtr.toml"))
        asyncio.run(question_world.build_world(home, url, documents))
        begun = time.perf_counter()
        killed(command, home, count)
        with start(command, home, count) as child:
            assert child.stdout is not None
            *_, tiers, peak = child.stdout
        seconds = time.perf_counter() - begun
        server.stdin.close()
        total, twice = map(int, server.stdout.read().split())
    print(f"{tiers.strip()} in {seconds:.0f} s, {total:,} requests")
    exact = all(one["asked"] == one["delivered"] for one in json.loads(tiers.removeprefix("tiers ")))
    once = print_figure("requests that came twice", twice, f"≤ {AT_ONCE}", twice <= AT_ONCE)
    lean = print_figure(
        "peak memory, MB", float(peak.split()[1]), f"≤ {MEGABYTES}", float(peak.split()[1]) <= MEGABYTES
    )
    return 0 if exact and once and lean else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    elif sys.argv[1:2] == ["run"]:
        asyncio.run(run(Path(sys.argv[2]), int(sys.argv[3])))
    else:
        sys.exit(main())
