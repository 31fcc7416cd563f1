"""Tiers of difficulty, and how a count is split by shares to the last query."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

from mtr.errors import InputError
from mtr.seeding import seeded

Tier = Literal["easy", "medium", "hard", "unanswerable"]
TIERS: tuple[Tier, ...] = ("easy", "medium", "hard")
SHARES: Mapping[str, float] = {"easy": 40.0, "medium": 35.0, "hard": 25.0}


def apportion(count: int, weights: Sequence[float]) -> list[int]:
    """`count` split in proportion to the weights by largest remainder: it adds up, and no part is off by one or more.

    Ties go to the earlier part. Method of Hamilton; computed in fractions, so that no rounding decides.
    """
    shares = [Fraction(weight) for weight in weights]
    whole = sum(shares)
    if not whole:
        return [0] * len(shares)
    exact = [count * share / whole for share in shares]
    parts = [int(one) for one in exact]
    order = sorted(range(len(parts)), key=lambda place: (parts[place] - exact[place], place))
    for place in order[: count - sum(parts)]:
        parts[place] += 1
    return parts


def tier_counts(count: int, shares: Mapping[str, float], unanswerable: int = 0) -> dict[Tier, int]:
    """Queries of each tier; the shares are taken of their own sum, `unanswerable` ones come on top.

    Raises:
        InputError: when all shares are 0.
    """
    weights = [shares[tier] for tier in TIERS]
    if not any(weights):
        raise InputError("--easy, --medium and --hard are all 0; give one of them a share")
    counts = dict(zip(TIERS, apportion(count, weights), strict=True))
    return {**counts, "unanswerable": unanswerable}


def slot_tiers(counts: Mapping[Tier, int], seed: int) -> tuple[Tier, ...]:
    """The tier of each slot, mixed by seed: a set that is cut short holds some of all."""
    tiers: list[Tier] = [tier for tier, count in counts.items() for _ in range(count)]
    seeded(seed, "tiers").shuffle(tiers)
    return tuple(tiers)
