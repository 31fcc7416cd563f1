"""What calls may cost and what they did cost: caps that are never passed, and totals by model and role."""

import asyncio
from dataclasses import dataclass, field

from mtr.errors import BudgetError, InputError
from mtr.llm.records import Usage
from mtr.settings import Price
from mtr.spent import Spent


@dataclass(slots=True)
class _Sum:
    calls: int = 0
    replayed: int = 0
    unmeasured: int = 0
    usage: Usage = field(default_factory=lambda: Usage(prompt_tokens=0, cached_tokens=0, completion_tokens=0))
    usd: float | None = None
    seconds: float = 0.0


class Meter:
    """Counts calls by (model, role)."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], _Sum] = {}

    def paid(self, model: str, role: str, usage: Usage | None, seconds: float, price: Price | None) -> None:
        """A request that was answered, whether or not the reply could be read."""
        total = self._sums.setdefault((model, role), _Sum())
        total.calls += 1
        total.seconds += seconds
        if usage is None:
            total.unmeasured += 1
            return
        total.usage += usage
        if price is not None:
            total.usd = (total.usd or 0.0) + _usd(price, usage)

    def replayed(self, model: str, role: str) -> None:
        """A call answered by the ledger, or by an identical call in flight."""
        self._sums.setdefault((model, role), _Sum()).replayed += 1

    def totals(self) -> list[Spent]:
        """By model, then role; `usd` is None where no price is set."""
        return [
            Spent(
                model=model,
                role=role,
                calls=total.calls,
                replayed=total.replayed,
                unmeasured=total.unmeasured,
                usd=total.usd,
                seconds=total.seconds,
                **total.usage.model_dump(),
            )
            for (model, role), total in sorted(self._sums.items())
        ]


def _usd(price: Price, usage: Usage) -> float:
    return price.usd(usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens)


@dataclass(frozen=True, slots=True)
class Reservation:
    """What one request could cost at most; `estimate` is the prompt's part of `tokens` before it was scaled."""

    model: str
    price: Price | None
    estimate: int
    tokens: int
    usd: float


class Budget:
    """Caps on tokens (prompt and completion together) and US dollars; None is no cap.

    Before a request is sent its prompt and `max_tokens` are reserved. What does not fit waits while others are in
    flight, for they mostly need less than they reserved; when none is, it is refused. Estimates of prompts are scaled
    by the worst ratio of counted to estimated tokens seen of a model, and its first request is sent alone to learn it.
    """

    def __init__(self, tokens: int | None = None, usd: float | None = None) -> None:
        for name, cap in (("tokens", tokens), ("usd", usd)):
            if cap is not None and cap < 0:
                raise InputError(f"a budget of {cap} {name} is below zero")
        self.tokens, self.usd = tokens, usd
        self.spent_tokens, self.spent_usd = 0, 0.0
        self._held: dict[int, Reservation] = {}
        self._ratio: dict[str, float] = {}
        self._changed = asyncio.Event()

    @property
    def limited(self) -> bool:
        """Whether there is any cap, and so anything to estimate."""
        return self.tokens is not None or self.usd is not None

    async def reserve(self, model: str, prompt_tokens: int, max_tokens: int, price: Price | None) -> Reservation:
        """Hold what a request could cost; `BudgetError` when that could pass a cap."""
        if self.usd is not None and price is None:
            raise InputError(
                f"a budget in dollars needs the price of '{model}': set it in mtr.toml (see mtr.example.toml)"
            )
        while True:
            wanted = self._wanted(model, prompt_tokens, max_tokens, price)
            learning = model not in self._ratio and any(held.model == model for held in self._held.values())
            passed = self._passed(wanted)
            if not passed and not learning:
                self._held[id(wanted)] = wanted
                return wanted
            if passed and not self._held:
                raise BudgetError(f"{passed}: nothing was sent; raise the budget and run the same command again")
            await self._changed.wait()

    def settle(self, held: Reservation, usage: Usage | None) -> None:
        """Replace what was held by what was used; all of it where the endpoint does not say."""
        self._release(held)
        if usage is None:
            self._ratio.setdefault(held.model, 1.0)
            self.spent_tokens += held.tokens
            self.spent_usd += held.usd
            return
        seen = usage.prompt_tokens / max(1, held.estimate)
        self._ratio[held.model] = max(self._ratio.get(held.model, 1.0), seen)
        self.spent_tokens += usage.prompt_tokens + usage.completion_tokens
        self.spent_usd += _usd(held.price, usage) if held.price else 0.0

    def give_back(self, held: Reservation) -> None:
        """The endpoint did not take the request, so it costs nothing."""
        self._release(held)

    def _release(self, held: Reservation) -> None:
        del self._held[id(held)]
        self._changed.set()
        self._changed = asyncio.Event()

    def _wanted(self, model: str, prompt_tokens: int, max_tokens: int, price: Price | None) -> Reservation:
        scaled = int(prompt_tokens * self._ratio.get(model, 1.0)) + 1
        usd = price.usd(scaled, 0, max_tokens) if price else 0.0
        return Reservation(model, price, prompt_tokens, scaled + max_tokens, usd)

    def _passed(self, wanted: Reservation) -> str | None:
        """Which cap it could pass, in words."""
        tokens = self.spent_tokens + sum(held.tokens for held in self._held.values()) + wanted.tokens
        usd = self.spent_usd + sum(held.usd for held in self._held.values()) + wanted.usd
        if self.tokens is not None and tokens > self.tokens:
            return f"the next call could use {wanted.tokens} tokens, {self.spent_tokens} of {self.tokens} are spent"
        if self.usd is not None and usd > self.usd:
            return f"the next call could cost ${wanted.usd:.4f}, ${self.spent_usd:.4f} of ${self.usd:.2f} are spent"
        return None
