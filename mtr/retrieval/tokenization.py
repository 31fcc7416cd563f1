"""The analyzer of our BM25: text in any script to index terms, one fixed way, named and numbered.

Words are casefolded and kept whole, and an identifier also gives its parts (`os.path_exists`: the whole, `os`,
`path`, `exists`). Scripts written without spaces become overlapping pairs of characters.
"""

from functools import lru_cache
from unicodedata import normalize

import regex

ANALYZER = "mtr-words-and-bigrams/1"
"""Name and version: an index made by another one must be built again."""

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\u30fc\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_LETTER = rf"[[\w\p{{M}}]--[{_UNSPACED}]]"
_RUN = regex.compile(rf"(?V1)([{_UNSPACED}]+)|({_LETTER}+(?:[.'’\-]{_LETTER}+)*)")
_PART = regex.compile(r"(?V1)[\p{Lu}\p{Lt}]+(?![\p{Ll}\p{M}])|[\p{Lu}\p{Lt}]?[\p{L}\p{M}--\p{Lu}\p{Lt}]+|\p{N}+")
_JOINT = regex.compile(r"[._\-]|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}")


def terms_of_text(text: str) -> list[str]:
    """The index terms of a text, in order, repeats included."""
    terms: list[str] = []
    for unspaced, word in _RUN.findall(text if text.isascii() else normalize("NFKC", text)):
        if unspaced:
            terms.extend([unspaced[i : i + 2] for i in range(len(unspaced) - 1)] or [unspaced])
        else:
            terms.extend(_word_terms(word))
    return terms


@lru_cache(maxsize=100_000)
def _word_terms(word: str) -> tuple[str, ...]:
    word = word.replace("’", "'")
    whole = word.removesuffix("'s").casefold()
    if not _JOINT.search(word):
        return (whole,)
    parts = [part.casefold() for part in _PART.findall(word)]
    return (whole,) if parts == [whole] else (whole, *parts)
