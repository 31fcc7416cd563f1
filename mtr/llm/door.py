"""The door to models as a whole: settings, ledger, vectors, budget, connections; and which door is open here."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from mtr.llm.budget import Budget, Meter
from mtr.llm.flights import Flights
from mtr.llm.ledger import Ledger
from mtr.llm.vectors import VectorFile
from mtr.settings import Endpoint, Settings, load_settings
from mtr.spent import Spent
from mtr.storage import home

if TYPE_CHECKING:
    from mtr.llm.endpoints import Connection


class Door:
    """What `complete` and `embed` work with. Made off the event loop: it opens files."""

    def __init__(self, settings: Settings | None, budget: Budget | None, ledger: Path | None) -> None:
        self.settings = settings or load_settings()
        self.budget = budget or Budget()
        self.meter = Meter()
        path = ledger or home() / "ledger.sqlite"
        self.ledger = Ledger(path)
        self.vectors = VectorFile(path.with_suffix(".vectors.sqlite"))
        self._flights: WeakKeyDictionary[asyncio.AbstractEventLoop, Flights] = WeakKeyDictionary()
        self._connections: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Connection]] = WeakKeyDictionary()

    def usage(self) -> list[Spent]:
        """What was paid for and replayed through this door, by model and role."""
        return self.meter.totals()

    def flights(self) -> Flights:
        """Calls under way in this event loop."""
        return self._flights.setdefault(asyncio.get_running_loop(), Flights())

    async def connection(self, endpoint: Endpoint) -> "Connection":
        """The endpoint's clients of this event loop."""
        here = self._connections.setdefault(asyncio.get_running_loop(), {})
        if endpoint.name not in here:
            made = await asyncio.to_thread(_connect, endpoint, self.budget)
            here.setdefault(endpoint.name, made)
        return here[endpoint.name]

    async def close(self) -> None:
        """Close this event loop's clients and the files, after everything handed in is written."""
        for connection in self._connections.pop(asyncio.get_running_loop(), {}).values():
            await connection.close()
        await asyncio.to_thread(self.ledger.close)
        await asyncio.to_thread(self.vectors.close)


def _connect(endpoint: Endpoint, budget: Budget) -> "Connection":
    from mtr.llm.endpoints import Connection  # noqa: PLC0415

    return Connection(endpoint, budget)


_OPEN: ContextVar[Door | None] = ContextVar("mtr_door", default=None)
_DEFAULT: list[Door] = []
_MAKING = threading.Lock()


@asynccontextmanager
async def open_door(
    settings: Settings | None = None, *, budget: Budget | None = None, ledger: Path | None = None
) -> AsyncIterator[Door]:
    """A door for everything awaited inside the block; by default with `mtr.toml`, no caps, and the ledger at home."""
    door = await asyncio.to_thread(Door, settings, budget, ledger)
    token = _OPEN.set(door)
    try:
        yield door
    finally:
        _OPEN.reset(token)
        await door.close()


async def current_door() -> Door:
    """The door of the block around, else one for the whole process, made when first needed."""
    door = _OPEN.get()
    if door is not None:
        return door
    return _DEFAULT[0] if _DEFAULT else await asyncio.to_thread(_default)


def _default() -> Door:
    with _MAKING:
        if not _DEFAULT:
            _DEFAULT.append(Door(None, None, None))
    return _DEFAULT[0]
