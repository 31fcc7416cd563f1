"""A process for the kill test: asks for items 0 … N−1, and prints each one's number when its reply is in hand."""

import asyncio
import sys
from pathlib import Path

from mtr.llm import complete, open_door
from support.asking import Graded, prompt, settings_for


async def work(url: str, ledger: Path, count: int) -> None:
    items = iter(range(count))

    async def one_after_another() -> None:
        for item in items:
            await complete(prompt(f"item {item}"), Graded, model="t/m")
            print(item, flush=True)

    async with open_door(settings_for(url), ledger=ledger):
        await asyncio.gather(*(one_after_another() for _ in range(10)))


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
