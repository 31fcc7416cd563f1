"""Where sentences end: the spans of the sentences of a text, for scripts with and without spaces.

A blank line, a heading and a list bullet end a sentence, a single line break inside a paragraph does not. Headings,
code blocks and tables are one span each, so that the spans hold every character of the text that is not space.
"""

import re
from collections.abc import Iterator

from mtr.corpus.abbreviations import MAY_END, NEVER_END, ORDINAL_NOUNS, STARTERS
from mtr.corpus.blocks import outline
from mtr.records import Span

_CLOSING = r"[\"'”’»›)\]}）】》」』〉〕*_`＂＇]*"
_END = re.compile(
    rf"[。！？｡][。！？｡!?…]*{_CLOSING}"
    rf"|[؟۔।॥։።፧។៕၊။๚๛]+{_CLOSING}"
    rf"|(?:[!?]+|\.+|…+|．)[!?.…]*{_CLOSING}(?:\s?\[\d{{1,3}}\])*(?=\s|$|[^\x00-\u2e7f])"
)
_OPENING = "\"'“‘«‹([{（【《「『〈〔*_`¿¡"
_CONTINUES_QUOTE = re.compile(r"[」』”’][とというやがをにはもの、，]|[」』）】》][，、；：]")
_IDENTIFIER = re.compile(r"[a-z]\w*(?:[_.(]\w|\()|[a-z]+[A-Z_]")
_LAST_WORD = re.compile(r"[^\s(\[\"“‘'«]*$")
_THAI_GAP = re.compile(r"[\u0e00-\u0e7f](\s+)(?=[\u0e00-\u0e7f])")
_THAI_SENTENCE = 60


def sentence_spans(text: str, *, prose_only: bool = False) -> list[Span]:
    """The sentences of a text in order, as exact spans without surrounding space.

    With `prose_only` headings, signatures, code, tables and rules are left out.
    """
    spans = []
    for block in outline(text):
        if block.kind in ("paragraph", "item"):
            spans += [Span(start=start, end=end) for start, end in split_prose(text, block.start, block.end)]
        elif not prose_only:
            spans.append(Span(start=block.start, end=block.end))
    return spans


def split_prose(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentences of one paragraph or list item that fills `text[start:end]`."""
    spans = []
    for stop in _ends(text, start, end):
        spans.append((start, stop))
        start = stop
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        spans.append((start, end))
    return spans


def _ends(text: str, start: int, end: int) -> Iterator[int]:
    gaps = _thai_gaps(text, start, end)
    begin = start
    for match in _END.finditer(text, start, end):
        while gaps and gaps[0] < match.start():
            begin = gaps.pop(0)
            yield begin
        if match.end() < end and _is_end(text, begin, match, end):
            begin = match.end()
            yield begin
    yield from gaps


def _thai_gaps(text: str, start: int, end: int) -> list[int]:
    """Thai writes no full stop: a space between Thai letters ends what has grown as long as a sentence."""
    gaps = []
    for match in _THAI_GAP.finditer(text, start, end):
        if match.start(1) - start >= _THAI_SENTENCE:
            gaps.append(match.start(1))
            start = match.end()
    return gaps


def _is_end(text: str, begin: int, match: "re.Match[str]", end: int) -> bool:
    mark = match[0][0]
    if mark in "。！？｡":
        return not _CONTINUES_QUOTE.match(text, match.end() - 1, end)
    if mark not in ".!?…．":
        return True
    place = match.end()
    while place < end and text[place].isspace():
        place += 1
    opened = place
    while opened < end and text[opened] in _OPENING:
        opened += 1
    if opened < end and text[opened].islower() and opened == place and not _IDENTIFIER.match(text, place, end):
        return False
    if mark == "．" or (mark == "…" and place == match.end()):
        return mark == "．" and not text[place].isdigit()
    if match[0].rstrip("\"'”’»)]*_`") != ".":
        return True
    return _full_stop(text, begin, match.start(), text[opened : opened + 24])


def _full_stop(text: str, begin: int, dot: int, following: str) -> bool:
    """Whether the single dot at `dot` ends the sentence that began at `begin`, and not only an abbreviation."""
    found = _LAST_WORD.search(text, max(begin, dot - 30), dot)
    word = found[0] if found else ""
    lowered = word.lower()
    next_word = re.split(r"[^\w]", following, maxsplit=1)[0]
    if dot - len(word) <= begin and (word.isdigit() or len(word) == 1):
        return False
    if lowered in NEVER_END or (lowered in ("no", "nr", "art") and next_word[:1].isdigit()):
        return False
    if lowered in MAY_END or (len(word) == 1 and word.isalpha() and word.isupper()):
        return next_word in STARTERS
    if word.isdigit() and len(word) <= 2:
        return next_word not in ORDINAL_NOUNS
    return True
