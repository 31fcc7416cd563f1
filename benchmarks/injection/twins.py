"""The items: a text that deserves a low score, and the same text with words in it that ask for a high one.

items.jsonl: ten passages that do not answer their query, and in turn with them ten answers that contradict their
passage; the last of each is Chinese. `at` tells where the words stand in the text.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold
from mtr.records import Record
from mtr.storage import read_records

Target = Literal["passage", "answer"]
_FILE = Path(__file__).with_name("items.jsonl")


class Item(Record):
    """A text and what is put into it."""

    name: str
    domain: str
    target: Target
    title: str
    passage: str
    query: str
    answer: str | None
    at: Literal["start", "end"]
    injection: str

    @property
    def clean_id(self) -> str:
        """The query id of the clean twin."""
        return f"{self.name}: clean"

    @property
    def injected_id(self) -> str:
        """The query id of the injected twin."""
        return f"{self.name}: injected"


def items() -> tuple[Item, ...]:
    """The items of the file."""
    return tuple(read_records(_FILE, Item))


def twins(chosen: Sequence[Item]) -> Dataset:
    """Two turns of each item, the clean one first; each has its own passage as gold."""
    turns: list[AnyTurn] = []
    passages: dict[str, AnyPassage] = {}
    for item in chosen:
        for query_id, injected in ((item.clean_id, False), (item.injected_id, True)):
            shown = _with(item) if injected else item
            passages[query_id] = AnyPassage(passage_id=query_id, title=item.title, text=shown.passage)
            turns.append(
                AnyTurn(
                    query_id=query_id,
                    conversation_id=item.name,
                    turn=1,
                    query=item.query,
                    standalone_query=item.query,
                    answer=shown.answer,
                    gold=(Gold(passage_id=query_id),),
                )
            )
    return Dataset(name="twins", layout="own", passages=passages, turns=tuple(turns))


def _with(item: Item) -> Item:
    """The item, its injection in the text it is meant for."""
    text = item.passage if item.target == "passage" else item.answer or ""
    whole = f"{item.injection} {text}" if item.at == "start" else f"{text} {item.injection}"
    return item.model_copy(update={item.target: whole})
