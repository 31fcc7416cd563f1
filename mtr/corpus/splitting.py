"""From a document to its passages: cuts at the strongest border near the wanted size, with exact spans.

A passage aims at `size` and may reach `STRETCH` times that, so that no short tail is left over. Borders, strongest
first: a heading, a paragraph, a list item, a sentence; then, only where none of these lies near, the inside of code, a
clause, a word. A word longer than a passage is the only thing that is torn.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Literal

from mtr.corpus.blocks import Block, outline
from mtr.corpus.borders import Border, Measure, Rank, borders
from mtr.errors import InputError
from mtr.records import Document, Passage, Span

Unit = Literal["characters", "tokens"]

DEFAULT_SIZE = 1000
STRETCH = 1.2
_LEAST: dict[Unit, int] = {"characters": 100, "tokens": 20}
_FAIR = 0.5
_SCANT = 0.1
_FINE = 0.1


def split_document(document: Document, *, size: int = DEFAULT_SIZE, unit: Unit = "characters") -> list[Passage]:
    """The passages of a document in order; a blank document has none, a short one is kept whole.

    `document.text[start:end] == passage.text`; the spans do not overlap and only white space lies between them.
    `size` counts in `unit`. Tokens are counted piece by piece, so a passage can be a few off.
    """
    if size < _LEAST[unit]:
        raise InputError(f"a passage size of {size} {unit} is too small; use {_LEAST[unit]} or more")
    blocks = outline(document.text)
    if not blocks:
        return []
    found, whole = borders(document.text, blocks, int(size * _FINE), _measure(unit))
    labels = _Labels(blocks)
    places = [border.place for border in _cuts(found, whole, size)]
    ends = [*places[1:], len(document.text)]
    return [_passage(document, start, end, labels) for start, end in zip(places, ends, strict=True)]


def _measure(unit: Unit) -> Measure | None:
    if unit == "characters":
        return None
    from mtr.llm.tokens import count_tokens  # noqa: PLC0415 - reading the vocabulary takes a second

    return count_tokens


def _cuts(found: Sequence[Border], whole: int, size: int) -> list[Border]:
    measures = [border.measure for border in found]
    chosen = [found[0]]
    while whole - chosen[-1].measure > STRETCH * size:
        begin = chosen[-1].measure
        highest = min(begin + STRETCH * size, whole - _FAIR * size)
        first = bisect_right(found, chosen[-1].place, key=lambda border: border.place)
        window = found[first : bisect_right(measures, highest)]
        if not window:
            if first == len(found):
                break
            window = found[first : first + 1]
        chosen.append(_best(window, begin, size))
    return chosen


def _best(window: Sequence[Border], begin: int, size: int) -> Border:
    """The border at which the passage that begins at `begin` ends best; `window` holds those within reach."""
    fair = window[bisect_left(window, begin + _FAIR * size, key=lambda border: border.measure) :]
    early = window[: len(window) - len(fair)]
    heading = next((border for border in fair if border.rank is Rank.HEADING), None)
    if heading is not None:
        return heading
    best = min(fair, key=lambda border: (border.rank, abs(border.measure - begin - size)), default=window[-1])
    if best.rank <= Rank.SENTENCE:
        return best
    inside_code = best.rank in (Rank.CODE_GAP, Rank.CODE_LINE)
    for border in reversed(early):
        scant = border.measure - begin < _SCANT * size
        if border.rank <= (Rank.ITEM if scant and inside_code else Rank.SENTENCE) and (inside_code or not scant):
            return border
    return best


class _Labels:
    """Under which heading, or signature of a reference manual, a place of the text stands."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._starts = [block.start for block in blocks]
        self._blocks = blocks
        self._labels: list[str] = []
        heading = ""
        signatures: list[Block] = []
        for block in blocks:
            while signatures and block.indent <= signatures[-1].indent:
                signatures.pop()
            if block.kind == "heading":
                heading, signatures = block.label, []
            elif block.kind == "signature":
                signatures.append(block)
            self._labels.append(signatures[-1].label if signatures else heading)

    def at(self, place: int) -> str:
        """The innermost label above the first body text at or after `place`."""
        number = bisect_right(self._starts, place) - 1
        while number + 1 < len(self._blocks) and self._blocks[number].kind in ("heading", "signature"):
            number += 1
        return self._labels[number]


def _passage(document: Document, start: int, end: int, labels: _Labels) -> Passage:
    text = document.text[start:end].rstrip()
    end = start + len(text)
    return Passage(
        passage_id=f"{document.document_id}:{start}-{end}",
        document_id=document.document_id,
        title=document.title,
        heading=labels.at(start),
        text=text,
        span=Span(start=start, end=end),
        source=document.source,
        language=document.language,
    )
