"""Doing together what was asked at the same time: one call for many, where a call costs more than its content."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

Q = TypeVar("Q")
A = TypeVar("A")

_Waiting = list[tuple[Q, asyncio.Future[A]]]


class Together(Generic[Q, A]):
    """Hands whatever has been asked since the last call to one call of `work`, which answers in the same order.

    Nothing is waited for: a lone question is answered at once. `work` blocks, so it runs in `executor`, one call at a
    time for each event loop; an error of a call goes to all that shared it.
    """

    def __init__(self, work: Callable[[Sequence[Q]], Sequence[A]], executor: Executor, most: int = 64) -> None:
        """`most` questions go into one call."""
        self._work, self._executor, self._most = work, executor, most
        self._waiting: WeakKeyDictionary[asyncio.AbstractEventLoop, _Waiting[Q, A]] = WeakKeyDictionary()
        self._running: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Task[None]] = WeakKeyDictionary()

    async def ask(self, question: Q) -> A:
        """The answer of `work` to this question."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[A] = loop.create_future()
        self._waiting.setdefault(loop, []).append((question, answer))
        if loop not in self._running:
            self._running[loop] = loop.create_task(self._serve(loop))
        return await answer

    async def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        waiting = self._waiting[loop]
        try:
            while waiting:
                part = waiting[: self._most]
                del waiting[: self._most]
                await self._answer(loop, [one for one in part if not one[1].done()])
        finally:
            del self._running[loop]

    async def _answer(self, loop: asyncio.AbstractEventLoop, part: _Waiting[Q, A]) -> None:
        call = loop.run_in_executor(self._executor, self._work, [question for question, _ in part])
        await asyncio.wait([call])
        error = call.exception()
        for place, (_, answer) in enumerate(part):
            if answer.done():
                continue
            if error is not None:
                answer.set_exception(error)
            else:
                answer.set_result(call.result()[place])
