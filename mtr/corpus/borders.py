"""The places where a passage may begin, each with the rank of its border and the size of the text before it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

from mtr.corpus.blocks import Block, leads_on
from mtr.corpus.sentences import split_prose

Measure = Callable[[str], int]

_LINE = re.compile(r"^[ \t]*(?=\S)", re.MULTILINE)
_WORD = re.compile(r"(?<=\s)(?=\S)|(?<=[，、；：…])(?=[^\s，、；：…])")
_NO_TEAR_BEFORE = re.compile(
    r"[\u0300-\u036f\u200c\u200d\ufe00-\ufe0f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e4e\U0001f3fb-\U0001f3ff]"
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
    rough = [*_structure(text, blocks), (len(text), Rank.TEAR)]
    found: list[Border] = []
    measure = 0
    for (place, rank), (stop, _) in pairwise(rough):
        for inner, inner_rank, size in _fine(text, place, stop, rank, fine, count):
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
        place = match.end()
        if text[match.start() - 1] == "\n":
            gap = text[: match.start() - 1].endswith("\n") if match.start() > 1 else False
            yield place, Rank.CODE_GAP if gap else Rank.CODE_LINE


def _fine(
    text: str, start: int, stop: int, rank: Rank, fine: int, count: Measure | None
) -> Iterator[tuple[int, Rank, int]]:
    """The piece itself, or when it is larger than `fine` its words, or the parts of a word as large as that."""
    size = _size(text, start, stop, count)
    if size <= fine:
        yield start, rank, size
        return
    words = [start, *(match.start() for match in _WORD.finditer(text, start + 1, stop) if match.start() < stop), stop]
    for place, following in pairwise(words):
        size = _size(text, place, following, count)
        own = rank if place == start else _word_rank(text, place)
        if size <= fine:
            yield place, own, size
        else:
            yield from _torn(text, place, following, own, fine, count)


def _word_rank(text: str, place: int) -> Rank:
    return (
        Rank.CLAUSE
        if text[:place][-2:].rstrip().endswith((",", ";", ":", "—", "，", "、", "；", "：", "…"))
        else Rank.WORD
    )


def _torn(
    text: str, start: int, stop: int, rank: Rank, fine: int, count: Measure | None
) -> Iterator[tuple[int, Rank, int]]:
    step = max(1, fine // _TEARS) if count is None else max(1, fine // _TEARS // 2)
    place = start
    while place < stop:
        following = min(stop, place + step)
        while following < stop and _NO_TEAR_BEFORE.match(text, following):
            following += 1
        yield place, rank if place == start else Rank.TEAR, _size(text, place, following, count)
        place = following


def _size(text: str, start: int, stop: int, count: Measure | None) -> int:
    if count is None:
        return stop - start
    piece = text[start:stop].rstrip()
    return count(f" {piece}") if piece else 0
