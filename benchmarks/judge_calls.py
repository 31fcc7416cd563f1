"""Judging at scale: 2,500 turns × 8 asks through the audit's own path, against the same calls through bare asyncio.

    python -m benchmarks.judge_calls [--small]

The endpoint runs in its own process on loopback and answers each judge after 200 ms, by the prompt's text alone. Every
audit is a process of its own, so that its peak memory is the audit's, reports included. A quarter of what it sent is
taken from its ledger and sent twice more by plain asyncio, through clients made by the same code, as many at once: by
the chat model's `ainvoke`, and through `post` of the client it holds, as the door does. A second audit, a fifth of the
size, is killed twice and run again: the endpoint knows which bodies came twice.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from pydantic import BaseModel

from agents.judge import ChoiceReply, ClaimsReply
from benchmarks.harness import cpu_seconds, print_figure, print_machine, size_options
from benchmarks.loopback_judges import Endpoint, Received, dataset, serve
from mtr.auditing.job import AuditJob, prepare
from mtr.auditing.options import AuditOptions
from mtr.auditing.run import AuditTerms, audit
from mtr.batch_store import open_store
from mtr.cli.judgements import judgement_maker
from mtr.llm import Budget, Reply, Scored, YesNo, open_door
from mtr.llm.endpoints import Connection
from mtr.llm.ledger import Ledger
from mtr.llm.records import Request
from mtr.llm.wire import parameters
from mtr.meter import spent_by
from mtr.prompts import Message
from mtr.settings import load_settings
from mtr.storage import home, read_records
from mtr.verdicts import CRITERIA, Judged, JudgedTurn, criterion

TURNS_AT_ONCE, ASKS = 8, 8
AT_ONCE = TURNS_AT_ONCE * ASKS
KILLS = 2
RATIO, MEGABYTES = 0.8, 500
KINDS: Mapping[str, type[Reply]] = {"scale": Scored, "yes_no": YesNo, "choice": ChoiceReply, "claims": ClaimsReply}


class Run(BaseModel):
    """What a process has measured; `memory` is its size in MB after each tenth of its turns."""

    calls: int
    seconds: float
    cpu: float
    peak: float = 0.0
    memory: list[float] = []


def memory(field: str) -> float:
    """A size of this process in MB: `VmRSS` now, `VmHWM` at its largest."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(f"{field}:")) / 1024


def order(turns: int) -> AuditJob:
    """The audit."""
    options = AuditOptions.checked(
        domain="general",
        judges=("jury/one",),
        criteria=CRITERIA,
        sample=turns,
        seed=7,
    )
    return prepare(options, dataset(turns), load_settings(), "benchmark")


async def run_audit(turns: int) -> Run:
    """The audit, its files included in memory and CPU; `seconds` end with the last verdict."""
    job, sizes, last = order(turns), [], 0.0
    begun, cpu = time.perf_counter(), cpu_seconds()

    async def whole(item: str, judged: JudgedTurn) -> None:
        nonlocal last
        last = time.perf_counter() - begun
        done.append(item)
        if len(done) % max(turns // 10, 1) == 0:
            sizes.append(memory("VmRSS"))

    done: list[str] = []
    async with open_door() as door, open_store(home() / "batches.sqlite") as store:
        terms = AuditTerms(out=home() / "audit", concurrency=TURNS_AT_ONCE, meter=lambda: spent_by(door))
        await audit(job, judgement_maker(job), store, terms, whole)
        calls = sum(total.calls for total in door.usage())
    return Run(calls=calls, seconds=last, cpu=cpu_seconds() - cpu, peak=memory("VmHWM"), memory=sizes)


async def run_bare(way: str, count: int) -> Run:
    """Bare asyncio: workers that take one request of the audit's ledger after the other, the first `count` of them."""
    connection = Connection(load_settings().endpoints["jury"], Budget())
    client = connection._make_chat("one")
    sent = list(islice(_requests(), count))
    requests = iter(sent)

    async def work() -> None:
        for request, kind in requests:
            more = parameters(request, kind, set(), again=False)
            if way == "ainvoke":
                await client.ainvoke([(said.role, said.content) for said in request.messages], extra_body=more)
            else:
                said = [message.model_dump() for message in request.messages]
                body: dict[str, object] = {"model": request.model, "messages": said, **more}
                await client.root_async_client.post("/chat/completions", cast_to=str, body=body)

    begun, cpu = time.perf_counter(), cpu_seconds()
    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    took = Run(calls=len(sent), seconds=time.perf_counter() - begun, cpu=cpu_seconds() - cpu)
    await connection.close()
    return took


def _requests() -> Iterator[tuple[Request, type[Reply]]]:
    ledger = Ledger(home() / "ledger.sqlite")
    kinds = {f"judges/{name}": KINDS[criterion("general", name).reply] for name in CRITERIA}
    shared: dict[Message, Message] = {}
    try:
        for verdict in read_records(home() / "audit" / "verdicts.jsonl", Judged):
            for key in verdict.calls:
                entry = ledger.entry(key)
                messages = tuple(shared.setdefault(message, message) for message in entry.messages)
                yield Request("jury", "one", messages, entry.temperature, entry.max_tokens, "", 0), kinds[entry.role]
    finally:
        ledger.close()


def measured(folder: Path, *words: str) -> Run:
    """Run a process of this file to its end in a home of its own."""
    done = subprocess.run(_command(*words), env=_environment(folder), check=True, stdout=subprocess.PIPE, text=True)
    return Run.model_validate_json(done.stdout.splitlines()[-1])


def killed(folder: Path, turns: int, endpoint: Endpoint) -> Received:
    """An audit killed with SIGKILL at a third and at two thirds of its calls, then run to its end."""
    endpoint.received(forget=True)
    for kill in range(1, KILLS + 1):
        with subprocess.Popen(_command("audit", str(turns)), env=_environment(folder), stdout=subprocess.PIPE) as run:
            while endpoint.received().requests < kill * turns * ASKS // (KILLS + 1) and run.poll() is None:
                time.sleep(0.02)
            run.kill()
    last = measured(folder, "audit", str(turns))
    assert last.calls < turns * ASKS
    return endpoint.received()


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "benchmarks.judge_calls", *words]


def _environment(folder: Path) -> dict[str, str]:
    folder.mkdir(exist_ok=True)
    return {**os.environ, "MTR_HOME": str(folder)}


@contextmanager
def serving(folder: Path) -> Iterator[Endpoint]:
    """The endpoint, and settings that name it."""
    with subprocess.Popen(_command("serve"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        endpoint = Endpoint(server)
        settings = folder / "mtr.toml"
        settings.write_text(f'[endpoints.jury]\nbase_url = "{endpoint.base_url}"\nmax_concurrency = {AT_ONCE}\n')
        os.environ["MTR_CONFIG"] = str(settings)
        yield endpoint
        assert server.stdin is not None
        server.stdin.close()


def main() -> int:
    """Print ratio, peak and requests that came twice; 1 when a goal is missed."""
    small = size_options("Judging against bare asyncio")
    print_machine(["langgraph", "langchain-openai"])
    turns = 100 if small else 2500
    bare_calls, killed_turns = (turns * ASKS, turns) if small else (turns * ASKS // 4, turns // 5)
    with tempfile.TemporaryDirectory() as name, serving(Path(name)) as endpoint:
        folder = Path(name)
        ours = measured(folder / "whole", "audit", str(turns))
        ours_at_once = endpoint.received(forget=True).most_at_once
        bare = measured(folder / "whole", "ainvoke", str(bare_calls))
        bare_at_once = endpoint.received(forget=True).most_at_once
        post = measured(folder / "whole", "post", str(bare_calls))
        post_at_once = endpoint.received(forget=True).most_at_once
        again = killed(folder / "killed", killed_turns, endpoint)
    print(f"\n| {turns:,} turns × {ASKS} asks | calls | s | calls/s | CPU ms a call | at once |")
    print("|---|---:|---:|---:|---:|---:|")
    for title, run, at_once in (
        ("`mtr audit`", ours, ours_at_once),
        ("bare asyncio", bare, bare_at_once),
        ("bare asyncio through `post`", post, post_at_once),
    ):
        cpu = f"{1000 * run.cpu / run.calls:.2f}"
        print(f"| {title} | {run.calls:,} | {run.seconds:.1f} | {run.calls / run.seconds:.0f} | {cpu} | {at_once} |")
    print(f"\nmemory after each tenth, MB: {', '.join(f'{size:.0f}' for size in ours.memory)}")
    twice, ratio = again.requests - again.different, (ours.calls / ours.seconds) / (bare.calls / bare.seconds)
    print(f"killed {KILLS} times: {again.requests:,} requests, {again.different:,} different")
    return int(
        not all(
            [
                print_figure("throughput against bare asyncio", ratio, f"≥ {RATIO}", ratio >= RATIO),
                print_figure("peak memory, MB", ours.peak, f"≤ {MEGABYTES}", ours.peak <= MEGABYTES),
                print_figure(
                    "requests that came twice", twice, f"≤ {KILLS * AT_ONCE} in flight", twice <= KILLS * AT_ONCE
                ),
                print_figure(
                    "calls paid in all",
                    again.different,
                    f"= {killed_turns * ASKS}",
                    again.different == killed_turns * ASKS,
                ),
            ]
        )
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    elif sys.argv[1:2] == ["audit"]:
        print(asyncio.run(run_audit(int(sys.argv[2]))).model_dump_json())
    elif sys.argv[1:2] in (["ainvoke"], ["post"]):
        print(asyncio.run(run_bare(sys.argv[1], int(sys.argv[2]))).model_dump_json())
    else:
        sys.exit(main())
