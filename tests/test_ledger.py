"""The ledger: durable before use, shared by processes, honest about damage."""

import asyncio
import os
import signal
import sqlite3
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.asking import GOOD, Graded, prompt, settings_for
from support.endpoint import TestEndpoint, last_message
from support.killed_worker import started

from mtr.errors import InputError
from mtr.llm import Ledger, complete, open_door
from mtr.llm.ledger import Paid
from mtr.llm.records import RawReply, Request
from mtr.prompts import Message

# MTR_TEST_CALLS=1500 makes it the full count with five kills; the suite takes fewer to stay quick.
CALLS = int(os.environ.get("MTR_TEST_CALLS", "150"))
KILLS = 5 if CALLS >= 1500 else 2
PATIENCE = 900


def request(text: str, sample: int = 0) -> Request:
    said = (Message(role="system", content="shared"), Message(role="user", content=text))
    return Request("t", "m", said, 0.0, 64, '"yes_no"', sample)


def paid(asked: Request, text: str, ask: int = 1, error: str | None = None) -> Paid:
    raw = RawReply(text, "stop", None, None, None, 0.5)
    return Paid(asked, "general", "judge", "0" * 64, ask, raw, None if error else "strict", error, None)


async def test_what_is_kept_is_found_by_another_ledger(tmp_path: Path) -> None:
    asked = request("a")
    writer = Ledger(tmp_path / "l.sqlite")
    await writer.keep(paid(asked, "odd", error="no JSON"))
    await writer.keep(paid(asked, "good", ask=2))
    reader = Ledger(tmp_path / "l.sqlite")
    assert [raw.text for raw in await reader.find(asked.key)] == ["odd", "good"]
    assert await reader.find(request("b").key) == ()
    entry = reader.entry(asked.key)
    assert entry.messages == asked.messages
    assert (entry.model, entry.role, entry.accepted and entry.accepted.text) == ("t/m", "judge", "good")
    assert [(attempt.text, attempt.error) for attempt in entry.rejected] == [("odd", "no JSON")]
    writer.close()
    reader.close()


async def test_the_first_reply_counts(tmp_path: Path) -> None:
    one, two = Ledger(tmp_path / "l.sqlite"), Ledger(tmp_path / "l.sqlite")
    assert (await one.keep(paid(request("a"), "first"))).text == "first"
    assert (await two.keep(paid(request("a"), "second"))).text == "first"
    one.close()
    two.close()


async def test_repeated_messages_are_stored_once(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "l.sqlite")
    await asyncio.gather(*(ledger.keep(paid(request(str(i)), "r")) for i in range(50)))
    ledger.close()
    with sqlite3.connect(tmp_path / "l.sqlite") as connection:
        texts = [text for (text,) in connection.execute("SELECT text FROM texts")]
    assert Counter(texts)["shared"] == 1
    assert len(texts) == 52


def test_no_such_key(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "l.sqlite")
    with pytest.raises(InputError, match="no request with the key 'abc'"):
        ledger.entry("abc")
    ledger.close()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    path.write_bytes(b"this is not a database, but it is long enough to be looked at" * 40)
    with pytest.raises(InputError, match=r"l\.sqlite.*move it away"):
        Ledger(path)


async def test_damage_found_later_reaches_the_caller(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    ledger = Ledger(path)
    await asyncio.gather(*(ledger.keep(paid(request("x" * 3000 + str(i)), "r" * 3000)) for i in range(40)))
    ledger.close()
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    damaged = Ledger(path)
    with pytest.raises(InputError, match="damaged"):
        await damaged.find(request("x" * 3000 + "1").key)
    damaged.close()


async def test_a_full_disk_is_named_and_nothing_is_half_kept(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "l.sqlite")
    await ledger.keep(paid(request("a"), "small"))
    ledger._thread._connection.execute("PRAGMA max_page_count = 12")
    with pytest.raises(InputError, match="free space"):
        await ledger.keep(paid(request("b"), "big" * 200_000))
    assert await ledger.find(request("b").key) == ()
    assert [raw.text for raw in await ledger.find(request("a").key)] == ["small"]
    ledger.close()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="another folder"):
        Ledger(tmp_path / "file" / "l.sqlite")


def whole_lines(finished: Path) -> set[str]:
    """Items reported as finished; a line cut by a kill is none."""
    if not finished.exists():
        return set()
    lines = finished.read_text().splitlines(keepends=True)
    return {f"item {line.strip()}" for line in lines if line.endswith("\n")}


def test_kills_lose_nothing_and_pay_nothing_finished_twice(tmp_path: Path) -> None:
    asked: Counter[str] = Counter()
    arrived = threading.Condition()

    def reply(body: dict[str, Any]) -> str:
        with arrived:
            asked[last_message(body)] += 1
            arrived.notify()
        return GOOD

    finished: dict[str, int] = {}
    with TestEndpoint(reply, delay=0.01) as endpoint:
        for kill in range(1, KILLS + 1):
            with started(endpoint.base_url, tmp_path / "l.sqlite", tmp_path / f"{kill}.txt", CALLS) as worker:
                with arrived:
                    assert arrived.wait_for(lambda: asked.total() >= kill * CALLS // (KILLS + 1), PATIENCE)  # noqa: B023
                worker.kill()
                worker.join()
                assert worker.exitcode == -signal.SIGKILL
                for item in whole_lines(tmp_path / f"{kill}.txt"):
                    finished.setdefault(item, asked[item])
        with started(endpoint.base_url, tmp_path / "l.sqlite", tmp_path / "last.txt", CALLS) as worker:
            worker.join(PATIENCE)
            assert worker.exitcode == 0
    assert finished and len(whole_lines(tmp_path / "last.txt")) == CALLS
    assert {item: asked[item] for item in finished} == finished
    assert len(asked) == CALLS
    assert asked.total() - CALLS <= KILLS * 10


async def test_two_processes_share_a_ledger(tmp_path: Path) -> None:
    with TestEndpoint(GOOD, delay=0.01) as endpoint:
        with (
            started(endpoint.base_url, tmp_path / "l.sqlite", tmp_path / "1.txt", 30) as one,
            started(endpoint.base_url, tmp_path / "l.sqlite", tmp_path / "2.txt", 30) as two,
        ):
            for worker in (one, two):
                worker.join(PATIENCE)
        assert all(len(whole_lines(tmp_path / name)) == 30 for name in ("1.txt", "2.txt"))
        before = endpoint.calls["m"]
        async with open_door(settings_for(endpoint), ledger=tmp_path / "l.sqlite"):
            await asyncio.gather(*(complete(prompt(f"item {i}"), Graded, model="t/m") for i in range(30)))
        assert endpoint.calls["m"] == before
