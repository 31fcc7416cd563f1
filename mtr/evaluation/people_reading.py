"""Reads sheets that people have filled in: each file is one person, or each name in a column `person`."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mtr.datasets.records import AnyPassage
from mtr.errors import InputError
from mtr.evaluation.marked import Item, MarkedAnswer, Scale
from mtr.evaluation.people import (
    ANSWER,
    CONVERSATION,
    HISTORY,
    ITEM,
    PASSAGE,
    PERSON,
    QUERY,
    TEXTS,
    read_heading,
    read_history,
)
from mtr.evaluation.sheets import Row, Sheet, read_sheet

_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
Marks = dict[str, float | None]


def read_people_sheets(paths: Sequence[Path], *, items: Sequence[Item] = ()) -> tuple[MarkedAnswer, ...]:
    """The items in the order they first appear, a place in each criterion's marks for every person.

    With `items` (what the sheets were written from) the texts are theirs. InputError names file, line and column: no
    item_id or an unknown one, an item twice for one person, a text that is another than in the first sheet or in
    `items` (single columns were sorted), a mark that is no number or off the scale, scales that differ.
    """
    reading = _Reading({item.item_id: item for item in items})
    for path in paths:
        reading.read(path)
    return reading.answers()


class _Reading:
    """The marks read so far, by item and person."""

    def __init__(self, given: Mapping[str, Item]) -> None:
        self._given = given
        self._items: dict[str, Item] = {}
        self._scales: dict[str, Scale] = {}
        self._marks: dict[str, dict[tuple[Path, str], Marks]] = {}
        self._people: dict[tuple[Path, str], None] = {}

    def read(self, path: Path) -> None:
        sheet = read_sheet(path)
        self._take_headings(path, sheet)
        for row in sheet.rows:
            where = f"{path}:{row.line}"
            item = self._item(row, where)
            person = (path, row.cells.get(PERSON, "").strip())
            if person in self._marks.setdefault(item.item_id, {}):
                raise InputError(f"{where}: {ITEM}: {item.item_id!r} stands twice for one person; keep one row")
            self._people[person] = None
            self._marks[item.item_id][person] = dict(_marks(row, where))

    def _take_headings(self, path: Path, sheet: Sheet) -> None:
        for name in (ITEM, QUERY):
            if name not in sheet.headings:
                raise InputError(f"{path}:1: column {name!r} is missing; keep the sheet's own headings")
        for text in filter(None, sheet.headings):
            found = read_heading(text)
            if found is None:
                if text not in TEXTS and not PASSAGE.fullmatch(text):
                    raise InputError(f"{path}:1: column {text!r} has no scale; head it as in `faithfulness (1-5)`")
                continue
            scale = self._scales.setdefault(*found)
            if scale != found[1]:
                low, high = f"{scale.low:g}", f"{scale.high:g}"
                raise InputError(f"{path}:1: column {text!r}: another sheet has it from {low} to {high}; use one scale")
        if not sheet.rows:
            raise InputError(f"{path}:1: the sheet has headings and no rows; is it the right file?")

    def _item(self, row: Row, where: str) -> Item:
        """The row's item, the same as in other sheets and as given."""
        item = _item_of(row, where)
        if self._given and item.item_id not in self._given:
            raise InputError(f"{where}: {ITEM}: {item.item_id!r} is none of the items given out; is it the right file?")
        known = self._given.get(item.item_id) or self._items.get(item.item_id, item)
        for column, here, there in ((QUERY, item.query, known.query), (ANSWER, item.answer, known.answer)):
            if column in row.cells and here.split() != there.split():
                raise InputError(f"{where}: {column}: another text than {item.item_id!r} had; was one column sorted?")
        return self._items.setdefault(item.item_id, known)

    def answers(self) -> tuple[MarkedAnswer, ...]:
        return tuple(
            MarkedAnswer(
                **{name: getattr(item, name) for name in Item.model_fields},
                marks={name: self._places(item.item_id, name) for name in self._scales},
                scales=self._scales,
            )
            for item in self._items.values()
        )

    def _places(self, item_id: str, criterion: str) -> tuple[float | None, ...]:
        given = self._marks[item_id]
        return tuple(given.get(person, {}).get(criterion) for person in self._people)


def _item_of(row: Row, where: str) -> Item:
    item_id = row.cells[ITEM].strip()
    if not item_id:
        raise InputError(f"{where}: {ITEM}: the cell is blank; copy the id from the sheet given out, or delete the row")
    passages = sorted((name for name in row.cells if PASSAGE.fullmatch(name)), key=lambda name: int(name[8:]))
    return Item(
        item_id=item_id,
        conversation_id=row.cells.get(CONVERSATION, ""),
        history=read_history(row.cells.get(HISTORY, "")),
        query=row.cells[QUERY],
        passages=tuple(AnyPassage(passage_id=p, text=row.cells[p]) for p in passages if row.cells[p].strip()),
        answer=row.cells.get(ANSWER, ""),
    )


def _marks(row: Row, where: str) -> Iterator[tuple[str, float | None]]:
    for column, cell in row.cells.items():
        found = read_heading(column)
        if found is not None:
            yield found[0], _mark(cell, found[1], f"{where}: {column}")


def _mark(cell: str, scale: Scale, where: str) -> float | None:
    """A number as people type it: full-width digits and a decimal comma are fine, blank is no mark."""
    text = unicodedata.normalize("NFKC", cell).strip()
    if not text:
        return None
    mark = float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None
    if mark is None or not scale.holds(mark):
        low, high = f"{scale.low:g}", f"{scale.high:g}"
        raise InputError(f"{where}: {cell!r} is no number from {low} to {high}; correct the cell or leave it blank")
    return mark
