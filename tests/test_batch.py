"""Batches: bounded, resumed, never twice, stopped by what must stop them, whole after kill -9."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from mtr.batch import BatchReport, Make, run_batch
from mtr.batch_store import Outcome, open_store
from mtr.errors import BudgetError, EndpointError, FatalEndpointError, InputError, ReplyError
from mtr.records import Record

ITEMS = tuple(f"item-{n}" for n in range(10))


class Thing(Record):
    """What the tests' items are."""

    text: str


@pytest.fixture(autouse=True)
def mtr_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for each test."""
    monkeypatch.setenv("MTR_HOME", str(tmp_path))
    return tmp_path


class Maker:
    """Counts its calls; `how` gives an outcome for (item, attempt)."""

    def __init__(self, how: Callable[[str, int], Outcome[Thing]] | None = None) -> None:
        self.how = how or (lambda item, attempt: Outcome(value=Thing(text=f"{item}/{attempt}")))
        self.calls: list[tuple[str, int]] = []
        self.now = self.most = 0

    async def __call__(self, item: str, attempt: int) -> Outcome[Thing]:
        """One attempt, with a turn of the loop in the middle."""
        self.calls.append((item, attempt))
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.001)
        self.now -= 1
        return self.how(item, attempt)


async def run(
    make: Make[Thing],
    items: tuple[str, ...] = ITEMS,
    concurrency: int = 4,
    attempts: int = 3,
    on_whole: Callable[[str, Thing], Awaitable[None]] | None = None,
) -> tuple[BatchReport, list[str]]:
    """Run in the test's home; the report and the texts of what is whole."""
    async with open_store(Path(os.environ["MTR_HOME"]) / "batches.sqlite") as store:
        report = await run_batch(
            "b", items, make, store=store, attempts=attempts, concurrency=concurrency, on_whole=on_whole
        )
        return report, [thing.text for thing in store.wholes("b", items, Thing)]


async def kept() -> list[str]:
    """What is whole on disk."""
    async with open_store(Path(os.environ["MTR_HOME"]) / "batches.sqlite") as store:
        return [thing.text for thing in store.wholes("b", ITEMS, Thing)]


async def test_every_item_once_in_order_and_bounded() -> None:
    make = Maker()
    report, texts = await run(make)
    assert (report.asked, report.delivered, report.kept, report.short) == (10, 10, 0, 0)
    assert texts == [f"{item}/0" for item in ITEMS]
    assert sorted(make.calls) == sorted((item, 0) for item in ITEMS)
    assert make.most == 4


async def test_many_items_need_few_tasks() -> None:
    seen = 0

    async def make(item: str, attempt: int) -> Outcome[Thing]:
        nonlocal seen
        seen = max(seen, len(asyncio.all_tasks()))
        return Outcome(value=Thing(text=item))

    await run(make, tuple(f"n-{n}" for n in range(300)), concurrency=3)
    assert seen <= 5


async def test_running_again_makes_nothing_again() -> None:
    await run(Maker())
    again = Maker()
    report, texts = await run(again)
    assert again.calls == []
    assert (report.kept, report.delivered, len(texts)) == (10, 10, 10)


@pytest.mark.parametrize("concurrency", [1, 7])
async def test_abandoned_attempts_are_followed_by_others_and_reported(concurrency: int) -> None:
    def how(item: str, attempt: int) -> Outcome[Thing]:
        if item == "item-3" and attempt == 0:
            return Outcome(reason="passages spent")
        if item == "item-5":
            raise ReplyError(f"unreadable {attempt}")
        return Outcome(value=Thing(text=f"{item}/{attempt}"))

    report, texts = await run(Maker(how), concurrency=concurrency)
    assert report.short == 1
    assert "item-3/1" in texts
    assert [(a.item, a.attempt, a.reason) for a in report.abandoned] == [
        ("item-3", 0, "passages spent"),
        ("item-5", 0, "unreadable 0"),
        ("item-5", 1, "unreadable 1"),
        ("item-5", 2, "unreadable 2"),
    ]
    again = Maker(how)
    assert (await run(again))[0] == report.model_copy(update={"kept": 9})
    assert again.calls == []


async def test_an_endpoint_failure_leaves_the_item_for_the_next_run() -> None:
    broken = True

    def how(item: str, attempt: int) -> Outcome[Thing]:
        if item == "item-2" and attempt == 0:
            return Outcome(reason="no fact")
        if item == "item-2" and broken:
            raise EndpointError("503 for 60 s")
        return Outcome(value=Thing(text=f"{item}/{attempt}"))

    report, _ = await run(Maker(how))
    assert [(one.item, one.reason) for one in report.failed] == [("item-2", "503 for 60 s")]
    assert report.short == 1
    broken = False
    again = Maker(how)
    report, texts = await run(again)
    assert again.calls == [("item-2", 1)]
    assert report.failed == () and "item-2/1" in texts


async def test_a_dead_endpoint_ends_the_batch() -> None:
    def how(item: str, attempt: int) -> Outcome[Thing]:
        raise EndpointError("connection refused")

    make = Maker(how)
    with pytest.raises(EndpointError, match="5 items in a row failed, the last one: connection refused"):
        await run(make, concurrency=1)
    assert len(make.calls) == 5


@pytest.mark.parametrize("kind", [BudgetError, FatalEndpointError])
async def test_what_stops_a_batch_keeps_what_is_finished(kind: type[Exception]) -> None:
    stop = True

    def how(item: str, attempt: int) -> Outcome[Thing]:
        if item == "item-6" and stop:
            raise kind("stop here")
        return Outcome(value=Thing(text=f"{item}/{attempt}"))

    make = Maker(how)
    with pytest.raises(kind, match="stop here"):
        await run(make, concurrency=2)
    assert len(make.calls) <= 8
    finished = len(await kept())
    assert finished >= 5
    stop = False
    again = Maker(how)
    report, texts = await run(again)
    assert report.kept == finished and len(texts) == 10
    assert len(again.calls) == 10 - finished


async def test_out_of_budget_lets_calls_under_way_end_but_starts_nothing() -> None:
    def how(item: str, attempt: int) -> Outcome[Thing]:
        if item == "item-0":
            raise BudgetError("cap")
        return Outcome(value=Thing(text=item)) if attempt else Outcome(reason="again")

    ended: list[str] = []

    async def make(item: str, attempt: int) -> Outcome[Thing]:
        await asyncio.sleep(0.02 if item != "item-0" else 0)
        ended.append(item)
        return how(item, attempt)

    with pytest.raises(BudgetError):
        await run(make, concurrency=3)
    assert ended == ["item-0", "item-1", "item-2"]


async def test_cancelling_keeps_what_is_finished() -> None:
    async def make(item: str, attempt: int) -> Outcome[Thing]:
        if item > "item-4":
            await asyncio.sleep(3600)
        return Outcome(value=Thing(text=item))

    done = asyncio.Event()

    async def on_whole(item: str, thing: Thing) -> None:
        if item == "item-4":
            done.set()

    task = asyncio.create_task(run(make, concurrency=1, on_whole=on_whole))
    await asyncio.wait_for(done.wait(), 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await kept() == [f"item-{n}" for n in range(5)]


async def test_a_bug_is_not_swallowed() -> None:
    def how(item: str, attempt: int) -> Outcome[Thing]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await run(Maker(how))


async def test_two_processes_on_one_batch() -> None:
    async def make(item: str, attempt: int) -> Outcome[Thing]:
        with pytest.raises(InputError, match="another process is running batch b"):
            await run(Maker())
        return Outcome(value=Thing(text=item))

    report, _ = await run(make, items=("only",))
    assert report.delivered == 1


async def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "batches.sqlite").write_text("this is text, and long enough to be seen as such" * 40)
    with pytest.raises(InputError, match=r"cannot use .*batches\.sqlite"):
        await run(Maker())


VICTIM = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
import test_batch as t
from mtr.batch_store import Outcome

async def make(item, attempt):
    with open(sys.argv[2], "a") as file:
        file.write(item + "\\n")
    if item == "item-7":
        print("at 7", flush=True)
        await asyncio.sleep(3600)
    return Outcome(value=t.Thing(text=item))

asyncio.run(t.run(make, concurrency=1))
"""


def test_kill_9_loses_nothing_finished(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    here = Path(__file__).parent
    command = [sys.executable, "-c", VICTIM, str(here), str(calls)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=here.parent) as victim:
        assert victim.stdout is not None
        assert victim.stdout.readline() == "at 7\n"
        victim.send_signal(signal.SIGKILL)
    make = Maker()
    report, texts = asyncio.run(run(make))
    assert report.kept == 7 and len(texts) == 10
    assert sorted(make.calls) == [("item-7", 0), ("item-8", 0), ("item-9", 0)]
    assert calls.read_text().split() == [f"item-{n}" for n in range(8)]
