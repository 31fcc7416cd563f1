"""The places where a passage may begin, each with the rank of its border and the size of the text before it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

from mtr.corpus.blocks import Block, leads_on
from mtr.corpus.sentences import split_prose

Measure = Callable[[str], int]

_LINE = re.compile(r"\n(\s*\n)?[ \t]*(?=\S)")
_WORD = re.compile(r"(?<=\s)(?=\S)|(?<=[，、；：…])(?=[^\s，、；：…])")
_CLAUSE_ENDS = (",", ";", ":", "—", "，", "、", "；", "：", "…")
_NO_TEAR_BEFORE = re.compile(
    "[\u0300-\u036f\u200c\u200d\ufe00-\ufe0f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e4e\U0001f3fb-\U0001f3ff]"
)
_TEARS = 8


class Rank(IntEnum):
    """What kind of border it is, the strongest first."""

    HEADING = 0
    SIGNATURE = 1
    PARAGRAPH = 2
    ITEM = 3
    SENTENCE = 4
    GLUED = 5
    CODE_GAP = 6
    CODE_LINE = 7
    CLAUSE = 8
    WORD = 9
    TEAR = 10


@dataclass(frozen=True, slots=True)
class Border:
    """A passage may begin at `text[place]`; `measure` is the size of the text before, in the unit chosen."""

    place: int
    rank: Rank
    measure: int


def borders(text: str, blocks: Sequence[Block], fine: int, count: Measure | None) -> tuple[list[Border], int]:
    """The borders of a text in order, and the size of the whole; pieces above `fine` get borders inside.

    `count` gives the size of a piece; None counts characters, which needs no counting.
    """
    pieces = _Pieces(text, fine, count)
    found: list[Border] = []
    measure = 0
    for (place, rank), (stop, _) in pairwise([*_structure(text, blocks), (len(text), Rank.TEAR)]):
        for inner, inner_rank, size in pieces.of(place, stop, rank):
            found.append(Border(inner, inner_rank, measure))
            measure += size
    return found, measure


def _structure(text: str, blocks: Sequence[Block]) -> Iterator[tuple[int, Rank]]:
    before: Block | None = None
    for block in blocks:
        yield block.start, _rank(text, before, block)
        if block.kind in ("paragraph", "item"):
            for start, _ in split_prose(text, block.start, block.end)[1:]:
                yield start, Rank.SENTENCE
        elif block.kind in ("code", "table"):
            yield from _code_lines(text, block)
        before = block


def _rank(text: str, before: Block | None, block: Block) -> Rank:
    if before is not None and leads_on(text, before, block):
        return Rank.GLUED
    if block.kind == "heading":
        return Rank.HEADING
    if block.kind == "signature":
        return Rank.SIGNATURE
    apart = before is None or text.count("\n", before.end, block.start) > 1
    return Rank.PARAGRAPH if apart else Rank.ITEM


def _code_lines(text: str, block: Block) -> Iterator[tuple[int, Rank]]:
    for match in _LINE.finditer(text, block.start + 1, block.end):
        yield match.end(), Rank.CODE_GAP if match[1] else Rank.CODE_LINE


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Cuts what is larger than `fine` at its words, and words as large as that anywhere."""

    text: str
    fine: int
    count: Measure | None

    def of(self, start: int, stop: int, rank: Rank) -> Iterator[tuple[int, Rank, int]]:
        size = self._size(start, stop)
        if size <= self.fine:
            yield start, rank, size
            return
        inner = (match.start() for match in _WORD.finditer(self.text, start + 1, stop))
        for place, following in pairwise([start, *(word for word in inner if word < stop), stop]):
            size = self._size(place, following)
            own = rank if place == start else self._word_rank(place)
            if size <= self.fine:
                yield place, own, size
            else:
                yield from self._torn(place, following, own)

    def _word_rank(self, place: int) -> Rank:
        return Rank.CLAUSE if self.text[max(0, place - 2) : place].rstrip().endswith(_CLAUSE_ENDS) else Rank.WORD

    def _torn(self, start: int, stop: int, rank: Rank) -> Iterator[tuple[int, Rank, int]]:
        step = max(1, self.fine // (_TEARS if self.count is None else 2 * _TEARS))
        place = start
        while place < stop:
            following = min(stop, place + step)
            while following < stop and _NO_TEAR_BEFORE.match(self.text, following):
                following += 1
            yield place, rank if place == start else Rank.TEAR, self._size(place, following)
            place = following

    def _size(self, start: int, stop: int) -> int:
        if self.count is None:
            return stop - start
        piece = self.text[start:stop].rstrip()
        return self.count(f" {piece}") if piece else 0
