"""Whether a judge that chooses among candidates chooses by their places.

A judge that reads may choose the gold or miss it; either way the place says nothing. So, given where the gold stood
and how often it was hit, the hits fall on any of the items alike, a hit on any gold passage of the item, a miss on any
other candidate. Choices are drawn from this many times, and a judge is flagged whose counts by place lie further from
the expected ones than nearly all draws: an exact multinomial test by Monte Carlo (Besag and Clifford 1989).
"""

from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from mtr.evaluation.resampling import Floats, Integers, generator
from mtr.records import Record

SIMULATIONS = 2000
LEVEL = 0.01
_BLOCK = 1_000_000


class Choice(Record):
    """One question put to a judge: places count from 0; `chosen` is None where the judge abstained."""

    candidates: int = Field(ge=1)
    gold: frozenset[int]
    chosen: int | None

    @model_validator(mode="after")
    def _in_range(self) -> Self:
        for place in (*self.gold, *(() if self.chosen is None else (self.chosen,))):
            if not 0 <= place < self.candidates:
                raise ValueError(f"place {place} is not one of {self.candidates} candidates, counted from 0")
        return self


class PositionTest(Record):
    """Choices by place beside the expected ones; `statistic` is Σ (counted − expected)² / expected.

    `p_value` is None where nothing was measured. `favoured` is the place furthest above its expected count, where the
    judge is flagged.
    """

    asked: int
    measured: int = 0
    hits: int = 0
    counts: tuple[int, ...] = ()
    expected: tuple[float, ...] = ()
    statistic: float | None = None
    p_value: float | None = None
    flagged: bool = False
    favoured: int | None = None


def position_test(choices: Sequence[Choice], *, seed: int, simulations: int = SIMULATIONS) -> PositionTest:
    """Test the choices of one judge; flagged below p = .01. The order of the choices does not matter."""
    measured = sorted(
        (choice for choice in choices if choice.chosen is not None),
        key=lambda choice: (choice.candidates, sorted(choice.gold), choice.chosen),
    )
    hits = sum(choice.chosen in choice.gold for choice in measured)
    if not measured:
        return PositionTest(asked=len(choices))
    null = _Null(measured)
    counts = np.bincount([choice.chosen or 0 for choice in measured], minlength=null.width).astype(np.float64)
    statistic = float(null.statistics(counts[None])[0])
    drawn = np.concatenate(list(null.draw(seed, simulations)))
    p_value = (1 + int(np.sum(drawn >= statistic - 1e-9))) / (simulations + 1)
    flagged = p_value < LEVEL
    excess = (counts - null.expected) / np.sqrt(np.maximum(null.expected, 1e-9))
    return PositionTest(
        asked=len(choices),
        measured=len(measured),
        hits=hits,
        counts=tuple(int(count) for count in counts),
        expected=tuple(float(count) for count in null.expected),
        statistic=statistic,
        p_value=p_value,
        flagged=flagged,
        favoured=int(np.argmax(excess)) if flagged else None,
    )


class _Null:
    """Choices that heed no place: as many hits as there were, on any of the items that can be hit or missed."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self.width = max(choice.candidates for choice in choices)
        self._golds = np.array([len(choice.gold) for choice in choices])
        self._others = np.array([choice.candidates for choice in choices]) - self._golds
        self._open = (self._golds > 0) & (self._others > 0)
        self._hits = np.array([choice.chosen in choice.gold for choice in choices])
        self._order: Integers = np.zeros((len(choices), self.width), dtype=np.int64)
        for row, choice in zip(self._order, choices, strict=True):
            places = sorted(range(choice.candidates), key=lambda place: (place not in choice.gold, place))
            row[: choice.candidates] = places
        self.expected = self._expected()

    def _expected(self) -> Floats:
        """The expected count of each place: the rate of hits spread over the gold, the rest over the others."""
        chance = np.where(self._open, self._hits[self._open].mean() if self._open.any() else 0, self._golds > 0)
        places = np.arange(self.width)[None]
        gold = places < self._golds[:, None]
        other = ~gold & (places < (self._golds + self._others)[:, None])
        each = gold * (chance / np.maximum(self._golds, 1))[:, None]
        each = each + other * ((1 - chance) / np.maximum(self._others, 1))[:, None]
        total = np.bincount(self._order.reshape(-1), weights=each.reshape(-1), minlength=self.width)
        return total.astype(np.float64)

    def statistics(self, counts: Floats) -> Floats:
        """(b,) chi-square of (b, places) counts; a place that nothing is expected at gets nothing."""
        safe = np.where(self.expected > 0, self.expected, 1)
        chi: Floats = ((counts - self.expected) ** 2 / safe).sum(axis=1)
        return chi

    def draw(self, seed: int, simulations: int) -> Iterator[Floats]:
        """The statistic of each simulated judge, in blocks."""
        random = generator(seed, "positions")
        rows = max(1, _BLOCK // self._hits.size)
        for start in range(0, simulations, rows):
            size = min(rows, simulations - start)
            hits: NDArray[np.bool_] = np.repeat(self._hits[None], size, axis=0)
            hits[:, self._open] = random.permuted(hits[:, self._open], axis=1)
            choose = random.random(hits.shape) * np.where(hits, self._golds, self._others)
            picked = choose.astype(np.int64) + np.where(hits, 0, self._golds)
            places = self._order[np.arange(self._hits.size), picked] + np.arange(size)[:, None] * self.width
            counts = np.bincount(places.reshape(-1), minlength=size * self.width)
            yield self.statistics(counts.reshape(size, self.width).astype(np.float64))
