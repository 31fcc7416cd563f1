"""What people are shown, and the marks they gave it."""

import math
from collections.abc import Mapping
from typing import Self

from pydantic import Field, model_validator

from mtr.datasets.records import AnyPassage, Said
from mtr.records import Record


class Scale(Record):
    """The lowest and the highest mark of a criterion; yes and no are 1 and 0."""

    low: float
    high: float

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not -math.inf < self.low < self.high < math.inf:
            raise ValueError(f"a scale goes from a lower to a higher number, not from {self.low:g} to {self.high:g}")
        return self

    @property
    def middle(self) -> float:
        """Half-way between the ends: 3 on a scale of 1 to 5."""
        return (self.low + self.high) / 2

    def holds(self, mark: float) -> bool:
        """Whether the mark lies on the scale, its ends included."""
        return self.low <= mark <= self.high


class Item(Record):
    """One thing to mark: a query after its history, the passages shown with it, and the answer where there is one.

    Items of one conversation stand or fall together in every interval.
    """

    item_id: str = Field(min_length=1)
    conversation_id: str = ""
    history: tuple[Said, ...] = ()
    query: str
    passages: tuple[AnyPassage, ...] = ()
    answer: str = ""

    @property
    def cluster(self) -> str:
        """The conversation, or the item itself where none is known."""
        return self.conversation_id or self.item_id


class MarkedAnswer(Item):
    """An item with marks by criterion, one place for each person; None where that person gave none.

    `scales` names every criterion of `marks`. `written_by` names the models that wrote the answer, where known.
    """

    marks: Mapping[str, tuple[float | None, ...]]
    scales: Mapping[str, Scale]
    written_by: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _on_the_scales(self) -> Self:
        for criterion, marks in self.marks.items():
            if criterion not in self.scales:
                raise ValueError(f"criterion {criterion!r} has no scale")
            scale = self.scales[criterion]
            for mark in marks:
                if mark is not None and not scale.holds(mark):
                    raise ValueError(f"{criterion}: {mark:g} is not on the scale of {scale.low:g} to {scale.high:g}")
        return self

    def mean(self, criterion: str) -> float | None:
        """The mean of the marks given; None of none."""
        given = [mark for mark in self.marks.get(criterion, ()) if mark is not None]
        return math.fsum(given) / len(given) if given else None
