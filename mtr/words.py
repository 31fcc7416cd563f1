"""Words as the checks count them: units of length, content words, names and numbers, in any script.

This is not a retrieval analyzer (that is `mtr.retrieval`): it answers "do these two texts speak of the same things?".
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

_DENSE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f"
_SPACED = rf"[^\W_{_DENSE}]"
_TOKEN = re.compile(rf"[{_DENSE}]+|{_SPACED}+(?:[._'’-]?{_SPACED}+|__)*|_+{_SPACED}(?:{_SPACED}|_)*", re.UNICODE)
_DENSE_RUN = re.compile(rf"[{_DENSE}]")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_W = rf"[^\W{_DENSE}]"
_IDENTIFIER = re.compile(rf"`([^`\n]{{1,60}})`|(?<!{_W})({_W}+(?:\.{_W}+)+|{_W}*_{_W}+|[a-z]+[A-Z]{_W}*|{_W}+\(\))")
_SUFFIXES = (("ing", ""), ("edly", ""), ("ed", ""), ("ies", "y"), ("es", ""), ("ss", "ss"), ("s", ""), ("ly", ""))
_SHORTEST_STEM = 3
_UNITS_PER_DENSE_CHARACTER = 0.6
_CONTRACTED = re.compile(r"(n['’]t)$|['’](?:s|re|ll|ve|d|m)$")


def is_dense(text: str) -> bool:
    """Whether the text is mostly in a script written without spaces."""
    dense = 0 if text.isascii() else len(_DENSE_RUN.findall(text))
    letters = sum(map(str.isalpha, text)) if dense else 0
    return letters > 0 and dense >= 0.3 * letters


def tokens(text: str) -> list[str]:
    """Words in order, lower-cased; a run of a script without spaces stays one token."""
    return [match.group().casefold() for match in _TOKEN.finditer(text)]


def length(text: str) -> float:
    """Length in words; a character of a script without spaces counts 0.6."""
    return sum(len(t) * _UNITS_PER_DENSE_CHARACTER if _DENSE_RUN.match(t) else 1.0 for t in tokens(text))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A crude English stem: enough to match "raises" with "raised" and "files" with "file"."""
    if word.endswith("'s") or word.endswith("’s"):
        word = word[:-2]
    for suffix, instead in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            word = word.removesuffix(suffix) + instead
            break
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word


def content_words(text: str, stopwords: Collection[str]) -> set[str]:
    """Stems of the words that carry content; scripts without spaces give bigrams cut at stopwords."""
    return set(_content_words(text, frozenset(stopwords)))


@lru_cache(maxsize=4096)
def _content_words(text: str, stopwords: frozenset[str]) -> frozenset[str]:
    """Kept for the last texts: the checks of a draft ask for the words of the same few again and again."""
    found: set[str] = set()
    for token in tokens(text):
        if _DENSE_RUN.match(token):
            found.update(_bigrams(token, _dense_words(stopwords)))
        elif not _is_empty(token, stopwords) and (len(token) > 1 or token.isdigit()):
            found.add(stem(token))
    return frozenset(found)


def _is_empty(token: str, stopwords: frozenset[str]) -> bool:
    """A stopword, also in a contraction: "what's", "doesn't"."""
    if token in stopwords:
        return True
    match = _CONTRACTED.search(token)
    return match is not None and (bool(match[1]) or token[: match.start()] in stopwords)


@lru_cache(maxsize=64)
def _dense_words(words: frozenset[str]) -> tuple[str, ...]:
    """Those of scripts without spaces, the longest first."""
    return tuple(sorted(filter(_DENSE_RUN.match, words), key=lambda word: (-len(word), word)))


def _bigrams(run: str, stopwords: Sequence[str]) -> set[str]:
    pieces = [run]
    for word in stopwords:
        pieces = [part for piece in pieces for part in piece.split(word)]
    return {piece[i : i + 2] for piece in pieces for i in range(max(len(piece) - 1, 0))}


def overlap(part: Collection[str], whole: Collection[str]) -> float:
    """Share of `part` that occurs in `whole`; 1.0 for an empty `part`."""
    part = set(part)
    return len(part & set(whole)) / len(part) if part else 1.0


def jaccard(first: Collection[str], second: Collection[str]) -> float:
    """Intersection over union; 0.0 when both are empty."""
    first, second = set(first), set(second)
    return len(first & second) / len(first | second) if first or second else 0.0


def numbers(text: str) -> set[str]:
    """Numbers written in digits, as written (full-width digits included)."""
    return set(_NUMBER.findall(text))


def identifiers(text: str) -> set[str]:
    """Names of code: between backticks, dotted, with underscores, camelCase or called."""
    return {next(g for g in match.groups() if g).removesuffix("()").casefold() for match in _IDENTIFIER.finditer(text)}


def contains(text: str, phrase: str) -> bool:
    """Whether the phrase stands in the text as whole words (anywhere, for scripts without spaces)."""
    if _is_dense_phrase(phrase):
        return phrase in text
    if text.isascii() and phrase.isascii() and phrase.strip().lower() not in text.lower():
        return False  # found in a tenth of the time that the pattern takes; beyond ASCII case is not that simple
    return _whole(phrase).search(text) is not None


def place_of_phrase(text: str, phrase: str) -> int | None:
    """Where the phrase first stands in the text as whole words, None for nowhere."""
    match = _whole(phrase).search(text)
    return match.start() if match else None


@lru_cache(maxsize=10_000)
def _is_dense_phrase(phrase: str) -> bool:
    return _DENSE_RUN.search(phrase) is not None


@lru_cache(maxsize=10_000)
def _whole(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(phrase.strip())}(?!\w)", re.IGNORECASE)


def any_of(text: str, phrases: Collection[str]) -> str:
    """The first phrase that the text contains, or an empty string."""
    return next((phrase for phrase in phrases if contains(text, phrase)), "")
