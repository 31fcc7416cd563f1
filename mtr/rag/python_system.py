"""A RAG system of the user's own as a Python callable, blocking or async.

    def answer(query, history, k): return {"answer": "…", "passages": [{"id": "p7"}, {"text": "…"}]}

`history` is a list of {"speaker": "user" or "assistant", "text": "…"}; a bare string is an answer without passages.
"""

import asyncio
import hashlib
import inspect
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from mtr.answers import Answered
from mtr.datasets.records import AnyTurn
from mtr.errors import EndpointError, InputError
from mtr.rag.given import KnownPassages, answered_of, read_given
from mtr.rag.systems import Ks, asked_of
from mtr.retrieval.python_retriever import named_object

SECONDS = 120.0


class PythonSystem:
    """Calls the object for each turn. What it raises is its author's to see and goes through as it is."""

    models: tuple[str, ...] = ()

    def __init__(self, name: str, place: str, known: KnownPassages, seconds: float = SECONDS) -> None:
        """`place` is module:name. InputError: there is no such object, or it cannot be called with a turn."""
        self.name, self.description, self._known, self._seconds = name, f"python:{place}", known, seconds
        self._call = _callable(place)
        source = getattr(sys.modules[place.partition(":")[0]], "__file__", None)
        self.key = hashlib.sha256(place.encode() + (Path(source).read_bytes() if source else b"")).hexdigest()

    def ks(self, wanted: Sequence[int]) -> Ks:
        """All of them."""
        return tuple(wanted)

    async def answer(self, turn: AnyTurn, k: int | None) -> Answered:
        """EndpointError: no answer in time; InputError: an answer of another shape."""
        asked, start = asked_of(turn, k), time.perf_counter()
        said = {name: asked[name] for name in ("query", "history", "k")}
        try:
            async with asyncio.timeout(self._seconds):
                given = await _called(self._call, said)
        except TimeoutError as error:
            raise EndpointError(
                f"{self.description} did not answer {turn.query_id!r} within {self._seconds:g} s; "
                "mend it, then give the same command again"
            ) from error
        taken = time.perf_counter() - start
        found = read_given(given, f"{self.name} for {turn.query_id!r}")
        return answered_of(self.name, turn, k, found, self._known, seconds=taken)


def _callable(place: str) -> Callable[..., Any]:
    """The function, the method `answer` of an object, or that of an instance where a class is named."""
    found = named_object(place)
    made = found() if inspect.isclass(found) else found
    call = getattr(made, "answer", made)
    if not callable(call):
        raise InputError(f"python:{place}: {type(made).__name__} cannot be called and has no method answer")
    try:
        inspect.signature(call).bind(query="", history=[], k=1)
    except TypeError as error:
        raise InputError(f"python:{place}: {error}; it is called as answer(query=…, history=…, k=…)") from error
    return call


async def _called(call: Callable[..., Any], said: Mapping[str, object]) -> object:
    """The result; a blocking call has a thread of its own, which does not keep the program alive."""
    if inspect.iscoroutinefunction(call):
        return await call(**said)
    result: Future[object] = Future()

    def work() -> None:
        with _HandedOn(result):
            result.set_result(call(**said))

    threading.Thread(target=work, daemon=True).start()
    found = await asyncio.wrap_future(result)
    return await found if isinstance(found, Awaitable) else found


class _HandedOn:
    """What the block raises goes to whoever waits for the result, as it is; nobody, after a time-out."""

    def __init__(self, result: "Future[object]") -> None:
        self._result = result

    def __enter__(self) -> None:
        self._result.set_running_or_notify_cancel()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if error is not None and not self._result.done():
            self._result.set_exception(error)
        return True
