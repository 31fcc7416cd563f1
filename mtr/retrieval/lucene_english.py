"""The analyzer of Lucene's EnglishAnalyzer, which published BM25 baselines (Anserini, Pyserini) are made with.

Words by the Unicode rules (UAX #29), a possessive 's taken off, lower case, Lucene's 33 stop words left out, Porter's
stems. A Chinese character is a word of its own here: use the other analyzer for such texts.
"""

import re
from functools import lru_cache
from unicodedata import normalize

from mtr.retrieval.porter import porter_stem

_ALONE = "\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_PART = rf"[^\W{_ALONE}]+"
_INSIDE = r"(?<=[^\W\d_])[.'‘’＇:·‧](?=[^\W\d_])|(?<=\d)[.,;'‘’](?=\d)"
_WORD = re.compile(rf"[{_ALONE}]|{_PART}(?:(?:{_INSIDE}){_PART})*")
_POSSESSIVE = re.compile(r"['’＇][sS]$")
_LONGEST = 255

_STOPWORDS = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they "
    "this to was will with"
)
STOPWORDS = frozenset(_STOPWORDS.split())


def english_terms(text: str) -> list[str]:
    """The index terms of a text, in order, repeats included."""
    terms: list[str] = []
    for word in _WORD.findall(text if text.isascii() else normalize("NFC", text)):
        terms.extend(_terms_of_word(word))
    return terms


@lru_cache(maxsize=200_000)
def _terms_of_word(word: str) -> tuple[str, ...]:
    pieces = [word[start : start + _LONGEST] for start in range(0, len(word), _LONGEST)]
    bare = (_POSSESSIVE.sub("", piece).lower() for piece in pieces if piece.strip("_"))
    return tuple(porter_stem(one) for one in bare if one not in STOPWORDS)
