"""Porter's stemmer, the first of 1980 and not its revision: what Lucene's English analyzer cuts words back with.

M. F. Porter (1980), "An algorithm for suffix stripping". The measure of a stem is how often a run of vowels is
followed by a run of consonants in it; a rule takes its suffix off only where enough is left.
"""

import re
from functools import lru_cache

_MEASURE = re.compile(r"v+c+")
_DOUBLE = re.compile(r"([^aeiou])\1$")
_TURNED = str.maketrans(dict.fromkeys("aeiou", "v") | dict.fromkeys("bcdfghjklmnpqrstvwxz", "c"))

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip
_BY_LENGTH = tuple(sorted(_STEP_4, key=len, reverse=True))


@lru_cache(maxsize=200_000)
def porter_stem(word: str) -> str:
    """The stem of a lower-case word; words of up to two letters, and what is not English letters, stay as they are."""
    if len(word) <= 2 or not (word.isascii() and word.isalpha()):
        return word
    word = _past(_plural(word))
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = f"{word[:-1]}i"
    word = _replaced(_replaced(word, _STEP_2), _STEP_3)
    return _tidied(_stripped(word))


def _shape(stem: str) -> str:
    """Each letter as v or c; y is a vowel after a consonant."""
    kinds: list[str] = []
    for letter in stem.translate(_TURNED):
        kinds.append(letter if letter != "y" else "v" if kinds and kinds[-1] == "c" else "c")
    return "".join(kinds)


def _measure(stem: str) -> int:
    return len(_MEASURE.findall(_shape(stem)))


def _has_vowel(stem: str) -> bool:
    return "v" in _shape(stem)


def _ends_short(stem: str) -> bool:
    """Consonant, vowel, consonant, the last of them not w, x or y."""
    return _shape(stem).endswith("cvc") and stem[-1] not in "wxy"


def _doubled(stem: str) -> bool:
    return _DOUBLE.search(stem) is not None and _shape(stem).endswith("c")


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    suffix = next((one for one in ("ed", "ing") if word.endswith(one)), None)
    if suffix is None or not _has_vowel(word.removesuffix(suffix)):
        return word
    stem = word.removesuffix(suffix)
    if stem.endswith(("at", "bl", "iz")):
        return f"{stem}e"
    if _doubled(stem) and stem[-1] not in "lsz":
        return stem[:-1]
    return f"{stem}e" if _measure(stem) == 1 and _ends_short(stem) else stem


def _replaced(word: str, rules: dict[str, str]) -> str:
    suffix = max((one for one in rules if word.endswith(one)), key=len, default=None)
    if suffix is None:
        return word
    stem = word.removesuffix(suffix)
    return stem + rules[suffix] if _measure(stem) else word


def _stripped(word: str) -> str:
    suffix = next((one for one in _BY_LENGTH if word.endswith(one)), None)
    if suffix is None:
        return word
    stem = word.removesuffix(suffix)
    kept = _measure(stem) <= 1 or (suffix == "ion" and not stem.endswith(("s", "t")))
    return word if kept else stem


def _tidied(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _ends_short(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
