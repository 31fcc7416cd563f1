"""Single flight: identical calls at the same time are one call."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Flights:
    """Work in progress by key, in one event loop. It is cancelled when nobody waits for it any more.

    `chunks`: the texts being embedded, by key, each with the chunk it is in.
    `local`: one batch at a time in the embedded embedder, or every thread of the pool would wait for it.
    """

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[Any]] = {}
        self._waiting: dict[asyncio.Task[Any], int] = {}
        self.chunks: dict[bytes, Any] = {}
        self.local = asyncio.Lock()

    async def join(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> tuple[T, bool]:
        """The result of the work under way for `key`, started here when there is none; whether it was started here."""
        first = key not in self._tasks
        if first:
            self._tasks[key] = asyncio.create_task(work())
            self._tasks[key].add_done_callback(_seen)
        task: asyncio.Task[T] = self._tasks[key]
        self._waiting[task] = self._waiting.get(task, 0) + 1
        try:
            return await asyncio.shield(task), first
        finally:
            self._leave(key, task)

    def _leave(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        self._waiting[task] -= 1
        if not self._waiting[task]:
            del self._waiting[task]
            del self._tasks[key]
            task.cancel()


def _seen(task: asyncio.Task[Any]) -> None:
    """A failure nobody waits for any more is no news."""
    if not task.cancelled():
        task.exception()
