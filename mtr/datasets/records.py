"""A data set as audits and benchmarks see it, whatever its source: turns (H, q, a, G) over passages."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from mtr.records import Evidence, Move, Record

Speaker = Literal["user", "assistant"]


class AnyPassage(Record):
    """A passage of any corpus; foreign ones may be blank, and their ids may hold anything but nothing."""

    passage_id: str = Field(min_length=1)
    title: str = ""
    heading: str = ""
    text: str
    document_id: str = ""
    subset: str = ""


class Said(Record):
    """One message of the history."""

    speaker: Speaker
    text: str


class Gold(Record):
    """A passage judged to answer; `grade` is the source's own, 1 where it only marks."""

    passage_id: str
    grade: int = 1


class AnyTurn(Record):
    """One turn of any data set. What the source does not say is None or empty, never made up.

    `query` is as typed; `history` is all that was said before it. `answerable` is False where the source says that
    the corpus holds no answer. `written_by` names the models that wrote it, where that is known.
    """

    query_id: str = Field(min_length=1)
    conversation_id: str
    turn: int = Field(ge=1)
    query: str
    history: tuple[Said, ...] = ()
    standalone_query: str | None = None
    answer: str | None = None
    other_answers: tuple[str, ...] = ()
    gold: tuple[Gold, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    hard_negatives: tuple[str, ...] = ()
    move: Move | None = None
    subset: str = ""
    answerable: bool | None = None
    written_by: tuple[str, ...] = ()


class Dataset(Record):
    """A data set in memory. `notes` state what the source lacks or what could not be matched, with counts."""

    name: str
    layout: str = Field(description="the adapter that read it")
    passages: Mapping[str, AnyPassage]
    turns: tuple[AnyTurn, ...]
    language: str | None = None
    licence: str | None = None
    notes: tuple[str, ...] = ()

    def gold_texts(self, turn: AnyTurn) -> tuple[AnyPassage, ...]:
        """The turn's gold passages that the corpus holds with a text, in the source's order."""
        found = (self.passages.get(gold.passage_id) for gold in turn.gold)
        return tuple(passage for passage in found if passage is not None and passage.text.strip())
