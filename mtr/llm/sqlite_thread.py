"""A thread that owns an SQLite file: callers in any event loop hand it jobs, and it commits them in groups.

Nothing here blocks an event loop. A job's answer is given after the group it belongs to is on disk.
"""

import asyncio
import contextlib
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Generic, TypeVar

from mtr.errors import InputError

J = TypeVar("J")
GROUP = 256
BUSY_SECONDS = 60.0
Handler = Callable[[sqlite3.Connection, Sequence[J]], Sequence[object]]
Waiting = asyncio.Future[Any] | Future[Any]


def insert(connection: sqlite3.Connection, table: str, rows: Sequence[tuple[object, ...]]) -> int:
    """Insert rows whose key is new, in as few statements as SQLite allows; how many were new.

    One statement for many rows: each statement gives up the interpreter's lock, and waits to get it back.
    """
    new = 0
    for start in range(0, len(rows), 64):
        part = rows[start : start + 64]
        places = ",".join(f"({','.join('?' * len(part[0]))})" for _ in part)
        values = [value for row in part for value in row]
        new += connection.execute(f"INSERT OR IGNORE INTO {table} VALUES {places}", values).rowcount
    return new


def select(connection: sqlite3.Connection, sql: str, keys: Sequence[object]) -> list[tuple[Any, ...]]:
    """All rows for the keys; `sql` ends in `IN (%s)`."""
    rows: list[tuple[Any, ...]] = []
    for start in range(0, len(keys), 500):
        part = keys[start : start + 500]
        rows += connection.execute(sql % ",".join("?" * len(part)), part).fetchall()
    return rows


class SqliteThread(Generic[J]):
    """`handle` answers a group of jobs inside one transaction; a group that only `reads` needs none."""

    def __init__(
        self, path: Path, schema: str, handle: Handler[J], *, name: str, reads: tuple[type[Any], ...] = ()
    ) -> None:
        self._path, self._handle, self._name, self._reads = path, handle, name, reads
        self._jobs: queue.SimpleQueue[tuple[J, Waiting] | None] = queue.SimpleQueue()
        self._connection = self._open(schema)
        self._thread = threading.Thread(target=self._run, name=f"mtr {name}", daemon=True)
        self._thread.start()

    async def ask(self, job: J) -> Any:
        """The job's answer, once its group is on disk."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._jobs.put((job, answer))
        return await answer

    def submit(self, job: J) -> Future[Any]:
        """The same for callers without an event loop."""
        answer: Future[Any] = Future()
        self._jobs.put((job, answer))
        return answer

    def close(self) -> None:
        """Finish what was handed in, and close the file."""
        self._jobs.put(None)
        self._thread.join()

    def _open(self, schema: str) -> sqlite3.Connection:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=512
            )
            _patiently(connection, "PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.executescript(schema)
        except OSError as error:
            raise InputError(f"{self._name} {self._path}: {error.strerror}; choose another folder") from error
        except sqlite3.Error as error:
            raise self._fault(error) from error
        return connection

    def _run(self) -> None:
        going = True
        while going:
            group = [self._jobs.get()]
            with contextlib.suppress(queue.Empty):
                while len(group) < GROUP:
                    group.append(self._jobs.get_nowait())
            going = None not in group
            self._answer([pair for pair in group if pair is not None])
        self._connection.close()

    def _answer(self, group: list[tuple[J, Waiting]]) -> None:
        if not group:
            return
        try:
            answers = self._transaction([job for job, _ in group])
        except sqlite3.Error as error:
            answers = [self._fault(error)] * len(group)
        except (ValueError, TypeError, OverflowError) as error:
            answers = [InputError(f"{self._name} {self._path}: a value cannot be kept: {error}")] * len(group)
        _hand_out(zip((waiting for _, waiting in group), answers, strict=True))

    def _transaction(self, jobs: list[J]) -> Sequence[object]:
        if all(isinstance(job, self._reads) for job in jobs):
            return self._handle(self._connection, jobs)
        self._connection.execute("BEGIN")
        try:
            answers = self._handle(self._connection, jobs)
            self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        return answers

    def _fault(self, error: sqlite3.Error) -> InputError:
        words = str(error)
        if "full" in words:
            advice = "free space and run the same command again: nothing that was answered is lost"
        elif "locked" in words:
            advice = "another process holds it; wait or stop it"
        else:
            advice = "the file is damaged or not one of ours; move it away or restore a copy"
        return InputError(f"{self._name} {self._path}: {words}; {advice}")


def _hand_out(answers: Iterable[tuple[Waiting, object]]) -> None:
    """Answers for an event loop go there together: to wake it costs more than they do."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Waiting, object]]] = {}
    for waiting, answer in answers:
        if isinstance(waiting, asyncio.Future):
            by_loop.setdefault(waiting.get_loop(), []).append((waiting, answer))
        elif waiting.set_running_or_notify_cancel():
            _settle([(waiting, answer)])
    for loop, own in by_loop.items():
        with contextlib.suppress(RuntimeError):  # the loop is closed, so nobody waits
            loop.call_soon_threadsafe(_settle, own)


def _settle(answers: Iterable[tuple[Waiting, object]]) -> None:
    for waiting, answer in answers:
        if waiting.done():
            continue
        if isinstance(answer, InputError):
            waiting.set_exception(answer)
        else:
            waiting.set_result(answer)


def _patiently(connection: sqlite3.Connection, sql: str) -> None:
    """Switching to WAL ignores the busy timeout, and processes that start together collide there."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute(sql)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(0.02)
        else:
            return
