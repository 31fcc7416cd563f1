"""Rows with `Conversation_no` and `Turn_no`, as QReCC and TopiOCQA write them: put in order, with their histories."""

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from pydantic import Field

from mtr.datasets.foreign import Foreign
from mtr.datasets.records import Said
from mtr.datasets.said_before import alternating, with_history


class NumberedRow(Foreign):
    """The fields that both have. `context` is a flat list of all that was said before."""

    conversation: str = Field(alias="Conversation_no", min_length=1)
    turn: int = Field(alias="Turn_no", ge=1)
    query: str | None = Field(alias="Question", default=None)
    context: tuple[str, ...] | None = Field(alias="Context", default=None)

    @property
    def query_id(self) -> str:
        """`<conversation>_<turn>`, as the runs and qrels of both sets have it."""
        return f"{self.conversation}_{self.turn}"

    def said(self) -> str | None:
        """What the assistant said in this turn."""
        raise NotImplementedError


Row = TypeVar("Row", bound=NumberedRow)


class Numbered(Generic[Row]):
    """Rows by conversation and turn. `gaps` counts conversations whose turns are not 1, 2, 3 …"""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._conversations: dict[str, dict[int, Row]] = {}
        for row in rows:
            self._conversations.setdefault(row.conversation, {}).setdefault(row.turn, row)
        self.gaps = sum(sorted(turns) != list(range(1, len(turns) + 1)) for turns in self._conversations.values())

    def rows(self) -> Iterator[tuple[Row, tuple[Said, ...]]]:
        """Each row with its history: its own `Context` where it has one, otherwise the turns before it."""
        for turns in self._conversations.values():
            ordered = [turns[number] for number in sorted(turns)]
            before = with_history((row.query or "", row.said()) for row in ordered)
            for row, history in zip(ordered, before, strict=True):
                yield row, history if row.context is None else alternating(row.context)

    def notes(self) -> Iterator[str]:
        """What the numbers tell."""
        if self.gaps:
            yield f"{self.gaps} of {len(self._conversations)} conversations lack turns; what was said there is unknown"
