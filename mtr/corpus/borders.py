"""The places where a passage may begin, each with the rank of its border and the size of the text before it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from mtr.corpus.blocks import Block, leads_on
from mtr.corpus.sentences import split_prose

Measure = Callable[[str], int]

_LINE = re.compile(r"\n(\s*\n)?[ \t]*(?=\S)")
_WORD = re.compile(r"(?<=\s)(?=\S)|(?<=[，、；：…])(?=[^\s，、；：…])")
_CLAUSE_ENDS = (",", ";", ":", "—", "，", "、", "；", "：", "…")
_NO_TEAR_BEFORE = re.compile(
    "[\u0300-\u036f\u200c\u200d\ufe00-\ufe0f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e4e\U0001f3fb-\U0001f3ff]"
)
_TEARS = 4
_place = attrgetter("place")
_measure = attrgetter("measure")


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


class Border(NamedTuple):
    """A passage may begin at `text[place]`; `measure` is the size of the text before, in the unit chosen."""

    place: int
    rank: Rank
    measure: int


class Borders:
    """The borders of a text in order, and the size of the `whole`; finer ones are found where they are asked for.

    `count` gives the size of a piece of text; None counts characters, which needs no counting.
    """

    def __init__(self, text: str, blocks: Sequence[Block], count: Measure | None) -> None:
        self._text, self._count = text, count
        self._found: list[Border] = []
        self.whole = 0
        for (place, rank), (stop, _) in pairwise([*_structure(text, blocks), (len(text), Rank.TEAR)]):
            self._found.append(Border(place, rank, self.whole))
            self.whole += self._size(place, stop)

    @property
    def first(self) -> Border:
        """Where the text begins."""
        return self._found[0]

    def within(self, after: Border, highest: float) -> list[Border]:
        """The borders behind `after` with at most `highest` of text before them; else the one that follows, if any."""
        begin = bisect_right(self._found, after.place, key=_place)
        return self._found[begin : max(begin + 1, bisect_right(self._found, highest, key=_measure))]

    def refine(self, after: Border, highest: float, fine: int) -> None:
        """Add borders inside each piece above `fine` between `after` and `highest`: its words, or parts of a word."""
        first = bisect_left(self._found, after.place, key=_place)
        for number in range(bisect_right(self._found, highest, key=_measure) - 1, first - 1, -1):
            end = Border(len(self._text), Rank.TEAR, self.whole)
            follows = self._found[number + 1] if number + 1 < len(self._found) else end
            if follows.measure - self._found[number].measure > fine:
                self._found[number : number + 1] = self._inside(self._found[number], follows, fine)

    def _inside(self, border: Border, follows: Border, fine: int) -> Iterator[Border]:
        inner = (match.start() for match in _WORD.finditer(self._text, border.place + 1, follows.place))
        words = [border.place, *(word for word in inner if word < follows.place), follows.place]
        measure = border.measure
        for word, word_stop in pairwise(words):
            rank = border.rank if word == border.place else self._word_rank(word)
            parts = [word, *self._tears(word, word_stop, fine), word_stop]
            for place, stop in pairwise(parts):
                yield Border(place, rank if place == word else Rank.TEAR, min(measure, follows.measure))
                measure += self._size(place, stop)

    def _word_rank(self, place: int) -> Rank:
        return Rank.CLAUSE if self._text[max(0, place - 2) : place].rstrip().endswith(_CLAUSE_ENDS) else Rank.WORD

    def _tears(self, start: int, stop: int, fine: int) -> Iterator[int]:
        """Where a word above `fine` may be torn: never between a letter and its marks."""
        if stop - start <= fine or self._size(start, stop) <= fine:
            return
        place = start + max(1, fine // _TEARS)
        while place < stop:
            if not _NO_TEAR_BEFORE.match(self._text, place):
                yield place
                place += max(1, fine // _TEARS) - 1
            place += 1

    def _size(self, start: int, stop: int) -> int:
        if self._count is None:
            return stop - start
        piece = self._text[start:stop].rstrip()
        return self._count(f" {piece}") if piece else 0


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
