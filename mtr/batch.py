"""A batch: many items made with bounded concurrency, each result durable when finished, resumed by running again."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from mtr.batch_store import BatchStore, Outcome, Tried
from mtr.errors import BudgetError, EndpointError, FatalEndpointError, MtrError
from mtr.garbage import collected_seldom
from mtr.locks import locked
from mtr.records import Record
from mtr.storage import home

R = TypeVar("R", bound=BaseModel)

SILENT_ENDPOINT = 5
"""So many items in a row (or `concurrency`, if more) failed by their endpoint end the batch."""

OnWhole = Callable[[str, R], Awaitable[None]]
"""Told of each item as soon as it is whole and on disk."""


class Make(Protocol[R]):
    """Makes one item: its name and the attempt's number (from 0) → an outcome that depends on these two alone."""

    async def __call__(self, item: str, attempt: int, /) -> Outcome[R]:
        """One attempt; raises MtrError when it cannot."""


class Abandoned(Record):
    """An attempt that gave nothing whole."""

    item: str
    attempt: int
    reason: str


class Failed(Record):
    """An item an endpoint's failure left unfinished; running the batch again tries it again."""

    item: str
    reason: str


class BatchReport(Record):
    """How a batch stands: `kept` of the `delivered` items were finished by earlier runs."""

    asked: int
    delivered: int
    kept: int
    abandoned: tuple[Abandoned, ...] = ()
    failed: tuple[Failed, ...] = ()

    @property
    def short(self) -> int:
        """How many items are missing."""
        return self.asked - self.delivered


@dataclass(kw_only=True)
class _Run(Generic[R]):
    """One run of a batch: workers draw items from one iterator, so that no task waits for its turn."""

    batch: str
    items: Iterator[str]
    make: Make[R]
    store: BatchStore
    tried: dict[str, Tried]
    on_whole: OnWhole[R] | None
    failed: dict[str, EndpointError] = field(default_factory=dict)
    in_a_row: int = 0
    out_of_budget: BudgetError | None = None

    async def work(self, attempts: int, patience: int) -> None:
        """Finish items until none is left. Out of budget: others finish what fits the cap, and start nothing."""
        for item in self.items:
            try:
                await self.finish(item, attempts)
            except BudgetError as error:
                self.out_of_budget = error
            except FatalEndpointError:
                raise
            except EndpointError as error:
                self.failed[item] = error
                self.in_a_row += 1
                if self.in_a_row >= patience:
                    raise EndpointError(f"{self.in_a_row} items in a row failed, the last one: {error}") from error
            if self.out_of_budget:
                return

    async def finish(self, item: str, attempts: int) -> None:
        """Attempt the item until it is whole or its attempts are spent; each outcome is on disk before the next."""
        before = self.tried.get(item, Tried())
        for attempt in range(len(before.reasons), attempts):
            if self.out_of_budget:
                return
            outcome = await self.attempt(item, attempt)
            await self.store.put(self.batch, item, attempt, outcome)
            reasons = self.tried.get(item, Tried()).reasons
            if outcome.reason:
                self.tried[item] = Tried(reasons=(*reasons, outcome.reason))
                continue
            self.tried[item] = Tried(reasons=reasons, whole=True)
            self.in_a_row = 0
            if self.on_whole and outcome.value is not None:
                await self.on_whole(item, outcome.value)
            return

    async def attempt(self, item: str, attempt: int) -> Outcome[R]:
        """One attempt. What an endpoint or a cap stopped is not the item's doing, so it stays unrecorded."""
        try:
            return await self.make(item, attempt)
        except (EndpointError, BudgetError):
            raise
        except MtrError as error:
            return Outcome(reason=str(error))


async def run_batch(
    batch: str,
    items: tuple[str, ...],
    make: Make[R],
    *,
    store: BatchStore,
    attempts: int = 5,
    concurrency: int = 8,
    on_whole: OnWhole[R] | None = None,
) -> BatchReport:
    """Make each item once, at most `concurrency` at a time; items finished by an earlier run are skipped.

    An attempt that gives a reason, or raises an MtrError of its own, is recorded and the next one is made.
    An EndpointError leaves the item for another run. FatalEndpointError stops the batch at once; BudgetError
    stops it when the calls under way are stored. Both are raised, and what is finished is kept.
    InputError: another process runs this batch.
    """
    busy = f"another process is running batch {batch[:12]}; wait for it, or stop it and run the same command again"
    with locked(home() / "locks" / f"batch-{batch}.lock", busy):
        tried = await store.tried(batch)
        kept = sum(item in tried and tried[item].whole for item in items)
        open_items = (i for i in items if i not in tried or not (tried[i].whole or len(tried[i].reasons) >= attempts))
        run = _Run(batch=batch, items=open_items, make=make, store=store, tried=tried, on_whole=on_whole)
        with collected_seldom():
            await _work(run, attempts, concurrency)
        if run.out_of_budget:
            raise run.out_of_budget
    return BatchReport(
        asked=len(items),
        delivered=sum(item in tried and tried[item].whole for item in items),
        kept=kept,
        abandoned=tuple(
            Abandoned(item=item, attempt=attempt, reason=reason)
            for item in items
            for attempt, reason in enumerate(tried.get(item, Tried()).reasons)
        ),
        failed=tuple(Failed(item=i, reason=str(run.failed[i])) for i in items if i in run.failed),
    )


async def _work(run: _Run[R], attempts: int, concurrency: int) -> None:
    try:
        async with asyncio.TaskGroup() as workers:
            for _ in range(concurrency):
                workers.create_task(run.work(attempts, max(SILENT_ENDPOINT, concurrency)))
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None
