"""Asking together: fewer calls, the same answers, shared errors, cancellation, more than one event loop."""

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from mtr.retrieval.together import Together


class Work:
    """Squares, slowly enough to be asked again meanwhile: the first call waits for `go`."""

    def __init__(self) -> None:
        self.calls: list[list[int]] = []
        self.go = threading.Event()

    def __call__(self, numbers: Sequence[int]) -> list[int]:
        self.calls.append(list(numbers))
        assert self.go.wait(10)
        if 13 in numbers:
            raise ValueError("unlucky")
        return [number * number for number in numbers]


@pytest.fixture(name="work")
def _work() -> Work:
    return Work()


def _asked(work: Work, most: int = 64) -> Together[int, int]:
    return Together(work, ThreadPoolExecutor(2), most)


async def test_what_comes_during_a_call_shares_the_next(work: Work) -> None:
    together = _asked(work)
    tasks = [asyncio.create_task(together.ask(number)) for number in range(10)]
    await asyncio.sleep(0)
    late = [asyncio.create_task(together.ask(number)) for number in range(10, 13)]
    await asyncio.sleep(0)
    work.go.set()
    assert await asyncio.gather(*tasks, *late) == [number * number for number in range(13)]
    assert len(work.calls) <= 3
    assert await together.ask(20) == 400


async def test_a_call_takes_no_more_than_it_may(work: Work) -> None:
    work.go.set()
    together = _asked(work, most=4)
    assert await asyncio.gather(*map(together.ask, range(10))) == [number * number for number in range(10)]
    assert max(map(len, work.calls)) == 4


async def test_an_error_goes_to_those_who_shared_the_call_only(work: Work) -> None:
    work.go.set()
    together = _asked(work, most=2)
    found = await asyncio.gather(*map(together.ask, (12, 13, 14, 15)), return_exceptions=True)
    assert [str(one) for one in found] == ["unlucky", "unlucky", "196", "225"]
    assert await together.ask(3) == 9


async def test_who_gives_up_disturbs_nobody(work: Work) -> None:
    together = _asked(work)
    tasks = [asyncio.create_task(together.ask(number)) for number in range(4)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    work.go.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(found[1]), *found[:1], *found[2:]] == [asyncio.CancelledError, 0, 4, 9]


def test_each_event_loop_is_served(work: Work) -> None:
    work.go.set()
    together = _asked(work)
    assert asyncio.run(together.ask(2)) == 4
    assert asyncio.run(together.ask(3)) == 9
