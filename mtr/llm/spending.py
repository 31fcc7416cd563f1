"""Sending with the budget held: reserve before, settle after, whatever happens in between."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import openai

from mtr.llm.budget import Budget
from mtr.llm.records import Usage
from mtr.llm.retry import paused
from mtr.settings import Price

OVERHEAD = 8
NOT_SENT = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout"})


class Counted:
    """What the endpoint counted, filled in by whoever sent the request."""

    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What decides the most a request can cost; `model` is `endpoint/model`.

    `texts` include the reply's schema, which endpoints count as part of the prompt.
    """

    model: str
    texts: Sequence[str]
    max_tokens: int
    price: Price | None


@asynccontextmanager
async def spending(budget: Budget, cost: Cost, limit: asyncio.Timeout) -> AsyncIterator[Counted]:
    """Hold what a request could cost while the block sends it. Waiting for the budget does not use up the deadline.

    A request the endpoint refused costs nothing; one that broke off may have been charged, so its reservation is spent.
    """
    counted = Counted()
    if not budget.limited:
        yield counted
        return
    async with paused(limit):
        estimate = await asyncio.to_thread(estimate_tokens, cost.texts, cost.model)
        held = await budget.reserve(cost.model, estimate, cost.max_tokens, cost.price)
    free = False
    try:
        yield counted
    except openai.APIConnectionError as error:
        free = type(error.__cause__).__name__ in NOT_SENT
        raise
    except openai.APIStatusError:
        free = True
        raise
    finally:
        if free:
            budget.give_back(held)
        else:
            budget.settle(held, counted.usage)


def estimate_tokens(texts: Sequence[str], model: str) -> int:
    """Tokens of the texts as messages of a request, the frame around each included; blocks the first time."""
    from mtr.llm.tokens import count_tokens  # noqa: PLC0415

    return sum(count_tokens(text, model) + OVERHEAD for text in texts)
