"""What calls of models have used, by model and role, and how such parts add up."""

from collections.abc import Iterable

from mtr.records import Record

EMBEDDING = "embedding"
"""The role that embeddings are counted under."""


class Spent(Record):
    """What one role used of one model; tokens, seconds and usd are of the calls paid, not of those `replayed`.

    `unmeasured` paid calls came without usage, so their tokens are in no sum; `usd` is None where it is not known, and
    where no price is set.
    """

    model: str
    role: str
    calls: int
    replayed: int
    unmeasured: int
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    seconds: float
    usd: float | None


def merge_spent(parts: Iterable[Spent]) -> tuple[Spent, ...]:
    """One line a (model, role), sorted; a sum with an unknown part is unknown."""
    merged: dict[tuple[str, str], Spent] = {}
    for part in parts:
        key = (part.model, part.role)
        merged[key] = _sum(merged[key], part) if key in merged else part
    return tuple(merged[key] for key in sorted(merged))


def _sum(a: Spent, b: Spent) -> Spent:
    return Spent(
        model=a.model,
        role=a.role,
        calls=a.calls + b.calls,
        replayed=a.replayed + b.replayed,
        unmeasured=a.unmeasured + b.unmeasured,
        prompt_tokens=a.prompt_tokens + b.prompt_tokens,
        cached_tokens=a.cached_tokens + b.cached_tokens,
        completion_tokens=a.completion_tokens + b.completion_tokens,
        seconds=a.seconds + b.seconds,
        usd=None if a.usd is None or b.usd is None else a.usd + b.usd,
    )


def tokens_of(usage: Iterable[Spent]) -> int | None:
    """Tokens read and written, None when a call came without usage. Embeddings count where they are measured."""
    known = 0
    for spent in usage:
        if spent.unmeasured and spent.role != EMBEDDING:
            return None
        known += spent.prompt_tokens + spent.completion_tokens
    return known


def usd_of(usage: Iterable[Spent]) -> float | None:
    """US dollars, None when a part is not known."""
    prices = [spent.usd for spent in usage]
    known = [price for price in prices if price is not None]
    return sum(known) if len(known) == len(prices) else None
