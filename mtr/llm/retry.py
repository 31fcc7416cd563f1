"""The one retry loop: patient with what passes, quick with what does not, never past the deadline."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TypeVar

import openai

from mtr.errors import EndpointError, FatalEndpointError, MtrError
from mtr.llm.faults import MALFORMED, Fault, Way, fault_of

T = TypeVar("T")
TRIES, MALFORMED_TRIES = 12, 5
FIRST_WAIT, LONGEST_WAIT = 0.25, 20.0
Parameters = Mapping[str, tuple[str, ...]]


@asynccontextmanager
async def deadline(seconds: float, who: str) -> AsyncIterator[asyncio.Timeout]:
    """A time limit whose passing is an `EndpointError`."""
    timeout = asyncio.timeout(seconds)
    try:
        async with timeout:
            yield timeout
    except TimeoutError as error:
        if not timeout.expired():
            raise
        raise EndpointError(f"{who}: no answer within the deadline of {seconds:g} s; try again, or raise it") from error


@asynccontextmanager
async def paused(limit: asyncio.Timeout) -> AsyncIterator[None]:
    """Time spent in the block does not count against the limit: it is our waiting, not the endpoint's."""
    clock, end = asyncio.get_running_loop().time, limit.when()
    before = clock()
    limit.reschedule(None)
    try:
        yield
    finally:
        if end is not None and not limit.expired():
            limit.reschedule(end + clock() - before)


async def persist(
    send: Callable[[], Awaitable[T]],
    limit: asyncio.Timeout,
    who: str,
    refused: set[str],
    sent: Callable[[], Parameters],
) -> T:
    """Send until it succeeds; `EndpointError` for this item, `FatalEndpointError` when no other call can succeed.

    `sent` tells the parameters the next request carries, each with the words by which an error would name it; the
    endpoint's refusal of one is remembered in `refused` and is no failure.
    """
    tries = 0
    while True:
        carried = sent()
        try:
            return await send()
        except MtrError:
            raise
        except (openai.OpenAIError, *MALFORMED) as error:
            fault = fault_of(error, carried)
            if fault.way is Way.LEAVE_OUT and fault.parameter is not None:
                refused.add(fault.parameter)
                continue
            tries += 1
            wait = _wait(who, fault, tries, limit, error)
        await asyncio.sleep(wait)


def _wait(who: str, fault: Fault, tries: int, limit: asyncio.Timeout, error: Exception) -> float:
    """Seconds until the next try; raises when there is none."""
    if fault.way is Way.STOP:
        raise FatalEndpointError(f"{who}: {fault.words}") from error
    if fault.way is Way.GIVE_UP:
        raise EndpointError(f"{who}: {fault.words}") from error
    if tries >= (MALFORMED_TRIES if fault.malformed else TRIES):
        raise EndpointError(f"{who}: {fault.words}; tried {tries} times") from error
    grown = min(FIRST_WAIT * 2.0 ** (tries - 1), LONGEST_WAIT)
    wait = max(fault.after or 0.0, grown * random.uniform(0.5, 1.0))
    left = (limit.when() or 0.0) - asyncio.get_running_loop().time()
    if wait >= left:
        asked = f"; it asks to wait {fault.after:.0f} s" if fault.after is not None else ""
        raise EndpointError(f"{who}: {fault.words}{asked}; tried {tries} times, the deadline is too near") from error
    return wait
