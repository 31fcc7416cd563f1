"""What runs of a batch have used: kept on disk while a run goes on, so that the cost of a killed one is not lost."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from mtr.batch_store import BatchStore
from mtr.records import Record
from mtr.spent import Spent


class Account(Record):
    """What one run of a batch has used so far."""

    begun: str
    seconds: float
    usage: tuple[Spent, ...]


class Clock:
    """Keeps this run's account on disk; a run that asked no model anything is none."""

    def __init__(self, store: BatchStore, batch: str, meter: Callable[[], tuple[Spent, ...]]) -> None:
        self._store, self._batch, self._meter = store, batch, meter
        self._begun = datetime.now(UTC).isoformat(timespec="microseconds")
        self._start = time.monotonic()

    async def write(self) -> None:
        """Put what was used so far on record."""
        usage = self._meter()
        if not usage:
            return
        account = Account(begun=self._begun, seconds=time.monotonic() - self._start, usage=usage)
        await self._store.put_run(self._batch, self._begun, account)
