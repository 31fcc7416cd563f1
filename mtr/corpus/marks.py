"""The marks of a text: its numbers, names and negations, in order. Passages that differ in one do not say the same.

A *name* is a capitalised word, or an identifier (`snake_case`, `dotted.path`, `CamelCase`, `ALL_CAPS`). At the start of
a sentence a capital proves nothing: there a word is a name only if its small-letter form is used nowhere in the corpus.
What is taken for a mark without being one costs little (a pair is kept); names written without capitals, as in
Chinese, are not seen.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Container
from typing import NamedTuple

from mtr.corpus.mark_words import (
    CHINESE_DIGITS,
    CHINESE_MYRIADS,
    CHINESE_UNITS,
    NEGATION_CHARACTERS,
    NEGATIONS,
    NUMBERS,
)

_NEGATIONS = frozenset(" ".join(NEGATIONS.values()).split())
_NUMBERS = frozenset(" ".join(NUMBERS.values()).split())
_LETTER = r"[^\W\u3040-\u30ff\u3400-\u9fff]"
_NUMERAL = "".join([*CHINESE_DIGITS, *CHINESE_UNITS, *CHINESE_MYRIADS])
_TOKEN = re.compile(
    rf"(?P<number>(?:(?<![\w.])[-−])?\d+(?:[.,:/]\d+)*)|(?P<word>{_LETTER}+(?:[.'_-]{_LETTER}+)*)"
    rf"|(?P<numeral>[{_NUMERAL}]+)|(?P<negation>[{NEGATION_CHARACTERS}])"
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_IDENTIFIER = re.compile(r"[._\d]|[a-z][A-Z]")
_SENTENCE_BREAK = re.compile(r"[^\s,'-]|\n")
_SHOWN = 5


class Marks(NamedTuple):
    """Each kind in the order of the text."""

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    negations: tuple[str, ...]


def marks_of(text: str, small_words: Container[str]) -> Marks:
    """The marks of a text; `small_words` are the words that its corpus writes with a small letter."""
    text = unicodedata.normalize("NFKC", text).replace("’", "'")
    found: dict[str, list[str]] = {kind: [] for kind in Marks._fields}
    end = 0
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "number":
            found["numbers"].append(_THOUSANDS.sub("", token[0]).replace("−", "-"))
        elif token.lastgroup == "numeral":
            found["numbers"].append(str(chinese_number(token[0])))
        elif token.lastgroup == "negation":
            found["negations"].append(token[0])
        else:
            starts = end == 0 or _SENTENCE_BREAK.search(text, end, token.start()) is not None
            kind, value = _word_mark(token[0], starts, small_words)
            if kind:
                found[kind].append(value)
        end = token.end()
    return Marks(*(tuple(found[kind]) for kind in Marks._fields))


def _word_mark(word: str, starts_sentence: bool, small_words: Container[str]) -> tuple[str, str]:
    """The kind of mark a word is, and how it is written there; two empty strings for an ordinary word."""
    small = word.lower()
    if small in _NEGATIONS or small.endswith("n't") or small.startswith("n'"):
        return "negations", "not" if small == "cannot" or small.endswith("n't") else small
    if small in _NUMBERS:
        return "numbers", small
    word = word.removesuffix("'s")
    if _IDENTIFIER.search(word) or (len(word) > 1 and word.isupper()):
        return "names", word
    if word[0].isupper() and word != "I" and not (starts_sentence and small in small_words):
        return "names", word
    return "", ""


def chinese_number(numeral: str) -> int:
    """The value of a run of Chinese numerals: places named (三十五) or not (二〇二五)."""
    if all(character in CHINESE_DIGITS for character in numeral):
        return int("".join(str(CHINESE_DIGITS[character]) for character in numeral))
    total, section, digit = 0, 0, 0
    for character in numeral:
        if character in CHINESE_DIGITS:
            digit = CHINESE_DIGITS[character]
        elif character in CHINESE_UNITS:
            section += (digit or 1) * CHINESE_UNITS[character]
            digit = 0
        else:
            total += ((section + digit) or 1) * CHINESE_MYRIADS[character]
            section, digit = 0, 0
    return total + section + digit


def difference(first: Marks, second: Marks) -> str:
    """In words, what one has that the other has not; empty when the marks are equal."""
    return "; ".join(
        _kind_difference(kind, mine, yours)
        for kind, mine, yours in zip(Marks._fields, first, second, strict=True)
        if mine != yours
    )


def _kind_difference(kind: str, first: tuple[str, ...], second: tuple[str, ...]) -> str:
    ours, theirs = Counter(first), Counter(second)
    only_first, only_second = list((ours - theirs).elements()), list((theirs - ours).elements())
    if not only_first and not only_second:
        return f"{kind} in another order"
    return f"{kind}: {_some(only_first)} against {_some(only_second)}"


def _some(values: list[str]) -> str:
    if not values:
        return "none"
    more = f" and {len(values) - _SHOWN} more" if len(values) > _SHOWN else ""
    return ", ".join(values[:_SHOWN]) + more
