"""Tells on stderr how a batch of conversations goes: done, rate, time left, tokens, money; also while one is long."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TextIO

from mtr.spent import Spent, tokens_of, usd_of
from mtr.steps import heard_steps

LIVE_SECONDS, PLAIN_SECONDS = 1.0, 30.0


@dataclass
class Standing:
    """How far a batch is; what is `kept` came from earlier runs and does not count for the rate.

    Things have `turns_each` turns; `under_way` are the turns kept so far of those that are not whole.
    """

    asked: int
    kept: int
    kept_turns: int
    done: int = 0
    turns: int = 0
    things: str = "conversations"
    turns_each: int = 1
    under_way: dict[str, int] = field(default_factory=dict)

    def so_far(self) -> str:
        """What is whole, in words."""
        return f"{self.kept + self.done} of {self.asked} {self.things} are kept"

    def text(self, seconds: float, usage: tuple[Spent, ...]) -> str:
        """One line."""
        parts = [f"{self.kept + self.done} of {self.asked} {self.things}"]
        begun = sum(self.under_way.values())
        if self.things == "conversations":
            parts.append(f"{self.kept_turns + self.turns} turns kept" + (f", {begun} under way" if begun else ""))
        if made := self.turns + begun:
            left = (self.asked * self.turns_each - self.kept_turns - made) * seconds / made
            unit = "turns" if self.things == "conversations" else self.things
            parts += [f"{60 * made / seconds:.1f} {unit}/min", f"{duration(max(left, 0.0))} left"]
        else:
            parts.append(duration(seconds))
        return " · ".join([*parts, *spending(usage)])


def spending(usage: tuple[Spent, ...]) -> list[str]:
    """Calls, tokens and money in words; what is not known is left out."""
    parts = [f"{sum(one.calls for one in usage):,} calls"]
    if replayed := sum(one.replayed for one in usage):
        parts.append(f"{replayed:,} replayed")
    tokens, usd = tokens_of(usage), usd_of(usage)
    if tokens is not None:
        parts.append(f"{tokens:,} tokens")
    if usd is not None:
        parts.append(f"${usd:,.4f}")
    return parts


def duration(seconds: float) -> str:
    """`42 s`, `3 min 05 s`, `2 h 10 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


class Progress:
    """One line: rewritten in place on a terminal, printed anew now and then elsewhere."""

    def __init__(self, standing: Standing, meter: Callable[[], tuple[Spent, ...]], stream: TextIO) -> None:
        self.standing, self._meter, self._stream = standing, meter, stream
        self._live = stream.isatty()
        self._begun = time.monotonic()
        self._last = ""

    @property
    def seconds(self) -> float:
        """Since it was made."""
        return time.monotonic() - self._begun

    def turn(self, item: str, turns: int) -> None:
        """Note how many turns a conversation has so far; none when it begins anew."""
        self.standing.under_way[item] = turns

    def whole(self, turns: int, item: str = "") -> None:
        """Count one more conversation."""
        self.standing.under_way.pop(item, None)
        self.standing.done += 1
        self.standing.turns += turns
        self.show()

    def steps(self, count: int) -> None:
        """Count so many more, small things of which a line is shown now and then only."""
        self.standing.done += count
        self.standing.turns += count

    def show(self) -> None:
        """Print where the batch stands."""
        line = self.standing.text(max(self.seconds, 1e-3), self._meter())
        if line != self._last:
            self._stream.write(f"\r\x1b[K{line}" if self._live else f"{line}\n")
            self._stream.flush()
        self._last = line

    def clear(self) -> None:
        """Leave the line free for other output."""
        if self._live and self._last:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
        self._last = ""

    @asynccontextmanager
    async def shown(self) -> AsyncIterator[None]:
        """Show the line now and then while the body runs."""
        ticker = asyncio.create_task(self._tick())
        try:
            yield
        finally:
            ticker.cancel()
            with suppress(asyncio.CancelledError):
                await ticker
            self.clear()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(LIVE_SECONDS if self._live else PLAIN_SECONDS)
            self.show()


@asynccontextmanager
async def watched(
    things: str, asked: int, meter: Callable[[], tuple[Spent, ...]], stream: TextIO
) -> AsyncIterator[None]:
    """Show how many of these things the body has done, told by `mtr.steps.count_done`; nothing where it is quick."""
    progress = Progress(Standing(asked=asked, kept=0, kept_turns=0, things=things), meter, stream)
    with heard_steps(progress.steps):
        async with progress.shown():
            yield
