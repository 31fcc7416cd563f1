"""Finding a quote in a text: white space, Unicode form, quotation marks and case may differ; the span is the text's."""

import re
import unicodedata
from functools import lru_cache

from mtr.records import Span

_CLUSTER = re.compile(r"\S[\u0300-\u036f\u1ab0-\u1aff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f]*")
_MARKS = str.maketrans(dict.fromkeys("|\"`'´‘’‚‛“”„‟«»‹›「」『』＂＇", "") | dict.fromkeys("‐‑‒–—―−", "-"))
_TRIMMED = ".,;:…。，；："
FEWEST = 8
_FEWEST_DENSE = 4
_DENSE = 0x2E80


def find_quote(quote: str, text: str, shortest: int = FEWEST) -> Span | None:
    """Where the quote stands in the text, None for nowhere or for a quote too short to be one.

    Too short is one of fewer than `shortest` characters, in a dense script of fewer than four.

    Punctuation at its end may be missing from the text. A quote that begins or ends inside a word of the text is none.
    """
    whole = _normal(quote)[0]
    bare = whole.strip(_TRIMMED)
    dense = any(ord(character) >= _DENSE for character in bare)
    if len(bare) < (min(shortest, _FEWEST_DENSE) if dense else shortest) or not bare:
        return None
    return _found(whole, text) or _found(bare, text)


def _found(wanted: str, text: str) -> Span | None:
    normal, places = _normal(text)
    start = normal.find(wanted)
    while start >= 0:
        span = Span(start=places[start][0], end=places[start + len(wanted) - 1][1])
        if not _splits_a_word(text, span):
            return span
        start = normal.find(wanted, start + 1)
    return None


@lru_cache(maxsize=256)
def _normal(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text without white space in one form, and for each of its characters where it came from."""
    pieces: list[str] = []
    places: list[tuple[int, int]] = []
    for match in _CLUSTER.finditer(text):
        piece = "".join(unicodedata.normalize("NFKC", match.group()).casefold().translate(_MARKS).split())
        pieces.append(piece)
        places += [match.span()] * len(piece)
    return "".join(pieces), tuple(places)


def _splits_a_word(text: str, span: Span) -> bool:
    return any(
        0 < place < len(text) and _spaced(text[place - 1]) and _spaced(text[place]) for place in (span.start, span.end)
    )


def _spaced(character: str) -> bool:
    """A letter or digit of a script that puts spaces between words."""
    return character.isalnum() and ord(character) < _DENSE
