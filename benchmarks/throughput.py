"""Generating at scale: 200 conversations of 8 turns, 100 at once, against the same requests through bare asyncio.

    python -m benchmarks.throughput [--small]

The endpoint runs in its own process on loopback and answers chats and embeddings after 200 ms; its script plays every
role (tests/support/stations.py). What the run sends through the clients is recorded by conversation, and sent twice
more through the same client objects by plain asyncio: as many conversations at once, each conversation's requests in
order; first by the chat model's `ainvoke`, then as the door sends them, through `post` of the client it holds.
Peak memory is that of the generating process up to the end of its run, loading included, building the corpus not.
"""

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from langchain_openai import ChatOpenAI
from openai.resources.embeddings import AsyncEmbeddings
from support import stations
from support.endpoint import TestEndpoint

from benchmarks.harness import cpu_seconds, print_figure, print_machine, size_options
from mtr.batch_store import Outcome, open_store
from mtr.cli.dialogues import dialogue_maker
from mtr.corpus.build import build_corpus
from mtr.corpus.options import CorpusOptions
from mtr.corpus_job import Terms
from mtr.datasets.own import Made
from mtr.generation.job import Job, prepare
from mtr.generation.options import ROLES, GenerateOptions
from mtr.generation.run import generate
from mtr.llm import Reply, open_door
from mtr.llm.endpoints import Connection
from mtr.llm.records import RawReply, Request
from mtr.llm.wire import parameters
from mtr.meter import spent_by
from mtr.settings import load_settings

DELAY, PASSAGES = 0.2, 420
RATIO, MEGABYTES = 1.25, 500
Sending = Callable[[], Awaitable[Any]]
Sent = dict[str, list[tuple[Sending, Sending]]]

_conversation: ContextVar[str] = ContextVar("conversation", default="")


def serve() -> None:
    """The endpoint's process: prints its address, and ends when its input does."""
    with TestEndpoint(reply=stations.reply, embed=stations.embeddings, delay=DELAY) as endpoint:
        endpoint.sent = endpoint.headers = endpoint.times = _Nothing()
        print(endpoint.base_url, flush=True)
        sys.stdin.read()


class _Nothing(list[Any]):
    """A list that keeps nothing: a long run must not fill the endpoint's memory."""

    def append(self, _: object) -> None:
        """Forget it."""


def record(sent: Sent) -> None:
    """Note every request that goes through a client, by conversation, in both ways; equal texts are kept once."""
    chat, create = Connection.chat, AsyncEmbeddings.create
    texts: dict[str, str] = {}

    async def noted_chat(self: Connection, request: Request, kind: type[Reply], *more: Any) -> RawReply:
        said = [(message.role, texts.setdefault(message.content, message.content)) for message in request.messages]
        body = parameters(request, kind, (), again=False)

        def invoked() -> Awaitable[Any]:
            model: ChatOpenAI = self._clients["chat", request.model]
            return model.ainvoke(said, extra_body=body)

        async def posted() -> None:
            model: ChatOpenAI = self._clients["chat", request.model]
            messages = [{"role": role, "content": text} for role, text in said]
            whole = {"model": request.model, "messages": messages, "stream": False, **body}
            await model.root_async_client.post("/chat/completions", cast_to=str, body=whole)

        sent.setdefault(_conversation.get(), []).append((invoked, posted))
        return await chat(self, request, kind, *more)

    async def noted_create(self: AsyncEmbeddings, **more: Any) -> Any:
        sent.setdefault(_conversation.get(), []).append((lambda: create(self, **more),) * 2)
        return await create(self, **more)

    setattr(Connection, "chat", noted_chat)  # noqa: B010
    setattr(AsyncEmbeddings, "create", noted_create)  # noqa: B010


async def replay(sent: Sent, at_once: int, way: int) -> tuple[float, float]:
    """Bare asyncio: workers that take one conversation after the other, and send its requests in order.

    The seconds it took by the clock and of CPU.
    """
    conversations = iter(sent.values())

    async def work() -> None:
        for requests in conversations:
            for request in requests:
                await request[way]()

    cpu, begun = cpu_seconds(), time.perf_counter()
    await asyncio.gather(*(work() for _ in range(at_once)))
    return time.perf_counter() - begun, cpu_seconds() - cpu


def order(conversations: int, turns: int) -> Job:
    """The job."""
    options = GenerateOptions.checked(
        corpus="stations",
        conversations=conversations,
        turns=turns,
        domain="general",
        seed=7,
        models=dict.fromkeys(ROLES, "stations/script"),
        switch_share=0.5,
        far_reference_share=0.1,
        uniqueness="retry",
    )
    return prepare(options, load_settings(), "benchmark")


async def run(home: Path, conversations: int, turns: int, at_once: int) -> bool:
    """Generate, send the same again, and print both."""
    job, sent = order(conversations, turns), Sent()
    inner = dialogue_maker(job)

    async def make(item: str, attempt: int) -> Outcome[Made]:
        _conversation.set(item)
        return await inner(item, attempt)

    async def nothing(item: str, made: Made) -> None:
        return None

    record(sent)
    async with open_door() as door, open_store(home / "batches.sqlite") as store:
        terms = Terms(out=home / "set", concurrency=at_once, human_usd=None, meter=lambda: spent_by(door))
        cpu, begun = cpu_seconds(), time.perf_counter()
        manifest = await generate(job, make, store, terms, nothing)
        ours, ours_cpu = time.perf_counter() - begun, cpu_seconds() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        bare, bare_cpu = await replay(sent, at_once, 0)
        post, post_cpu = await replay(sent, at_once, 1)
    requests = sum(map(len, sent.values()))
    print(f"{manifest.counts.delivered} conversations, {manifest.counts.turns} turns, {requests:,} requests")
    print(f"ours {ours:.1f} s wall, {ours_cpu:.1f} s CPU; bare asyncio {bare:.1f} s wall, {bare_cpu:.1f} s CPU")
    print(f"bare asyncio through post: {post:.1f} s wall, {post_cpu:.1f} s CPU, ratio {ours / post:.2f} (no goal)")
    fast = print_figure("wall time against bare asyncio", ours / bare, f"≤ {RATIO}", ours / bare <= RATIO)
    small = print_figure("peak memory, MB", peak, f"≤ {MEGABYTES}", peak <= MEGABYTES)
    return fast and small


def build(home: Path) -> None:
    """The corpus, in a process of its own so that its memory is not counted."""
    documents = stations.write_documents(home / "stations.jsonl", PASSAGES)

    async def work() -> None:
        async with open_door():
            options = CorpusOptions(embedding_model="stations/vectors", text_column="text", id_column="id")
            await build_corpus("stations", [documents], options)

    asyncio.run(work())


def main() -> int:
    """Print the ratio and the peak; 1 when one is missed."""
    small = size_options("Generating against bare asyncio")
    print_machine(["langgraph", "langchain-openai"])
    conversations, turns, at_once = (20, 4, 20) if small else (200, 8, 100)
    command = [sys.executable, "-m", "benchmarks.throughput"]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen([*command, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server,
    ):
        assert server.stdin is not None and server.stdout is not None
        home = Path(folder)
        settings = stations.write_settings(home / "mtr.toml", server.stdout.readline().strip(), max_concurrency=1000)
        os.environ.update(MTR_HOME=str(home), MTR_CONFIG=str(settings))
        subprocess.run([*command, "build", folder], check=True)
        reached = asyncio.run(run(home, conversations, turns, at_once))
        server.stdin.close()
    return 0 if reached else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    elif sys.argv[1:2] == ["build"]:
        build(Path(sys.argv[2]))
    else:
        sys.exit(main())
