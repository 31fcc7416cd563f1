"""From a document to its passages: cuts at the strongest border near the wanted size, with exact spans.

A passage aims at `size` and may reach `STRETCH` times that, so that no short tail is left over. Borders, strongest
first: a heading, a paragraph, a list item, a sentence; then, only where none of these lies near, the inside of code, a
clause, a word. A word longer than a passage is the only thing that is torn.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Literal

from mtr.corpus.blocks import Block, outline
from mtr.corpus.borders import Border, Borders, Measure, Rank
from mtr.errors import InputError
from mtr.records import Document, Passage, Span

Unit = Literal["characters", "tokens"]

DEFAULT_SIZE = 800
STRETCH = 1.2
_LEAST: dict[Unit, int] = {"characters": 100, "tokens": 20}
_FAIR = 0.5
_SCANTY = 0.1
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
    labels = _Labels(blocks)
    places = [border.place for border in _cuts(Borders(document.text, blocks, _measure(unit)), size)]
    ends = [*places[1:], len(document.text)]
    spans = [span for span in zip(places, ends, strict=True) if document.text[slice(*span)].strip()]
    return [_passage(document, start, end, labels) for start, end in spans]


def _measure(unit: Unit) -> Measure | None:
    if unit == "characters":
        return None
    from mtr.llm.tokens import count_tokens  # noqa: PLC0415 - reading the vocabulary takes a second

    return count_tokens


def _cuts(borders: Borders, size: int) -> list[Border]:
    """The borders at which passages begin, the first one being that of the text."""
    chosen = [borders.first]
    while borders.whole - chosen[-1].measure > STRETCH * size:
        last = chosen[-1]
        highest = min(last.measure + STRETCH * size, borders.whole - _FAIR * size)
        best = _best(borders.within(last, highest), last, size)
        if best is None or best.rank > Rank.SENTENCE or best.measure > highest:
            borders.refine(last, highest, int(_FINE * size))
            best = _best(borders.within(last, highest), last, size)
        if best is None:
            break
        chosen.append(best)
    return chosen


def _best(window: Sequence[Border], begin: Border, size: int) -> Border | None:
    """The border at which the passage that begins at `begin` ends best; `window` holds those within reach."""
    fair = window[bisect_left(window, begin.measure + _FAIR * size, key=lambda border: border.measure) :]
    heading = next((border for border in fair if border.rank is Rank.HEADING), None)
    if heading is not None or not window:
        return heading
    target = begin.measure + size
    best = min(fair, key=lambda border: (border.rank, abs(border.measure - target)), default=window[-1])
    if best.rank <= Rank.SENTENCE:
        return best
    return _early(window[: len(window) - len(fair)], begin.measure, size, best) or best


def _early(window: Sequence[Border], begin: int, size: int, best: Border) -> Border | None:
    """The last good border before the passage has a fair size; a scanty passage is better than code torn apart."""
    inside_code = best.rank in (Rank.CODE_GAP, Rank.CODE_LINE)
    for border in reversed(window):
        scanty = border.measure - begin < _SCANTY * size
        if border.rank <= (Rank.ITEM if scanty else Rank.SENTENCE) and (inside_code or not scanty):
            return border
    return None


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
    piece = document.text[start:end]
    text = piece.strip()
    start += len(piece) - len(piece.lstrip())
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
