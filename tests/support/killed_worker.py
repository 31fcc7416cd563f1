"""Processes for the kill test: each asks for items 0 … N−1, and notes each one's number when its reply is in hand.

They are forked from a server that has loaded everything, which a process of its own would do for seconds.
"""

import asyncio
import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path

from mtr.llm import complete, open_door
from support.asking import Graded, prompt, settings_for

LOADED = ["pytest", "aiohttp.web", "langchain_openai", "mtr.llm.door"]
"""By installed name: the server's path of imports is that of a bare Python."""


@contextmanager
def started(url: str, ledger: Path, finished: Path, count: int) -> Iterator[BaseProcess]:
    """A worker at work; killed at the end of the block if it still runs. `finished` gets a line for each item."""
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(LOADED)
    worker = server.Process(target=_run, args=(url, ledger, finished, count))
    worker.start()
    try:
        yield worker
    finally:
        worker.kill()
        worker.join()


def _run(url: str, ledger: Path, finished: Path, count: int) -> None:
    asyncio.run(_work(url, ledger, finished, count))


async def _work(url: str, ledger: Path, finished: Path, count: int) -> None:
    items = iter(range(count))
    handle = os.open(finished, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    async def one_after_another() -> None:
        for item in items:
            await complete(prompt(f"item {item}"), Graded, model="t/m")
            os.write(handle, f"{item}\n".encode())

    async with open_door(settings_for(url), ledger=ledger):
        await asyncio.gather(*(one_after_another() for _ in range(10)))
