"""The durable record of batches: what each attempt at each item gave, and what each run used."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

from mtr.errors import InputError
from mtr.records import Record

R = TypeVar("R", bound=BaseModel)
T = TypeVar("T")

SCHEMA = """
CREATE TABLE IF NOT EXISTS attempts(
    batch TEXT NOT NULL, item TEXT NOT NULL, attempt INTEGER NOT NULL, reason TEXT NOT NULL, value TEXT,
    PRIMARY KEY(batch, item, attempt)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs(
    batch TEXT NOT NULL, run TEXT NOT NULL, account TEXT NOT NULL,
    PRIMARY KEY(batch, run)) WITHOUT ROWID;
"""


class Outcome(Record, Generic[R]):
    """What one attempt at an item gave: `reason` is empty when `value` is whole; a failed attempt may have one too."""

    value: R | None = None
    reason: str = ""


class Tried(Record):
    """What is on record of one item: the reasons of its abandoned attempts, and whether it is whole."""

    reasons: tuple[str, ...] = ()
    whole: bool = False


class BatchStore:
    """Results keyed by (batch, item, attempt); a write is on disk when it returns. Made by `open_store`."""

    def __init__(self, connection: sqlite3.Connection, thread: ThreadPoolExecutor) -> None:
        self._connection = connection
        self._thread = thread

    async def _do(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def put(self, batch: str, item: str, attempt: int, outcome: Outcome[R]) -> None:
        """Record one attempt for good."""
        value = None if outcome.value is None else outcome.value.model_dump_json()
        row = (batch, item, attempt, outcome.reason, value)
        await self._do(lambda: self._write("INSERT OR REPLACE INTO attempts VALUES(?, ?, ?, ?, ?)", row))

    async def take_back(self, batch: str, reasons: Mapping[str, str]) -> None:
        """Turn whole items into failed attempts, all at once; their values stay readable by `attempts`."""
        rows = [(reason, batch, item) for item, reason in reasons.items()]
        await self._do(
            lambda: self._write_all("UPDATE attempts SET reason = ? WHERE batch = ? AND item = ? AND reason = ''", rows)
        )

    async def put_run(self, batch: str, run: str, account: BaseModel) -> None:
        """Replace what the run named `run` has used so far."""
        row = (batch, run, account.model_dump_json())
        await self._do(lambda: self._write("INSERT OR REPLACE INTO runs VALUES(?, ?, ?)", row))

    async def runs(self, batch: str, kind: type[R]) -> list[R]:
        """What each run of the batch has used, oldest first."""
        query = "SELECT account FROM runs WHERE batch = ? ORDER BY run"
        return [kind.model_validate_json(text) for (text,) in await self._do(lambda: self._read(query, (batch,)))]

    async def tried(self, batch: str) -> dict[str, Tried]:
        """What is on record, by item."""
        query = "SELECT item, reason FROM attempts WHERE batch = ? ORDER BY item, attempt"
        tried: dict[str, Tried] = {}
        for item, reason in await self._do(lambda: self._read(query, (batch,))):
            so_far = tried.get(item, Tried())
            reasons = (*so_far.reasons, reason) if reason else so_far.reasons
            tried[item] = Tried(reasons=reasons, whole=so_far.whole or not reason)
        return tried

    def whole(self, batch: str, item: str, kind: type[R]) -> R | None:
        """The item's whole value, None when there is none. Reads the disk: not for the event loop's hot path."""
        query = "SELECT value FROM attempts WHERE batch = ? AND item = ? AND reason = ''"
        rows = self._thread.submit(self._read, query, (batch, item)).result()
        return kind.model_validate_json(rows[0][0]) if rows else None

    def wholes(self, batch: str, items: tuple[str, ...], kind: type[R]) -> Iterator[R]:
        """The whole values in the order of `items`, one in memory at a time."""
        for item in items:
            value = self.whole(batch, item, kind)
            if value is not None:
                yield value

    def attempts(self, batch: str, item: str, kind: type[R]) -> list[Outcome[R]]:
        """What every attempt at the item gave, in order. Reads the disk, as `whole` does."""
        query = "SELECT reason, value FROM attempts WHERE batch = ? AND item = ? ORDER BY attempt"
        rows = self._thread.submit(self._read, query, (batch, item)).result()
        return [
            Outcome(reason=reason, value=None if value is None else kind.model_validate_json(value))
            for reason, value in rows
        ]

    def _write(self, statement: str, row: tuple[object, ...]) -> None:
        self._write_all(statement, [row])

    def _write_all(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        try:
            with self._connection:
                self._connection.executemany(statement, rows)
        except sqlite3.OperationalError as error:
            raise InputError(f"cannot record a result: {error}; free space, then run the same command again") from error

    def _read(self, query: str, values: tuple[object, ...]) -> list[tuple[str, ...]]:
        return self._connection.execute(query, values).fetchall()


def _connect(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=60, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.executescript(SCHEMA)
    except (sqlite3.DatabaseError, OSError) as error:
        raise InputError(f"cannot use {path}: {error}; free space, or move the file away") from error
    return connection


@asynccontextmanager
async def open_store(path: Path) -> AsyncIterator[BatchStore]:
    """The store in the SQLite file `path`, made when missing; leaving waits for writes under way."""
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="batch-store") as thread:
        connection = await asyncio.get_running_loop().run_in_executor(thread, _connect, path)
        try:
            yield BatchStore(connection, thread)
        finally:
            thread.submit(connection.close).result()
