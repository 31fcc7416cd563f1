"""When two texts or two ids count as the same: keys that leave out what a reader cannot see."""

import re
import unicodedata
from hashlib import blake2b

_WHOLE_FLOAT = re.compile(r"(-?\d+)\.0+")
_UNLIKE_SEEN = re.compile(r" |\.0")
_INVISIBLE = ("Cc", "Cf", "Zs", "Zl", "Zp")
_SELECTORS = re.compile("[\ufe00-\ufe0f\u034f\u115f\u1160\u3164\uffa0]")


def text_key(text: str) -> bytes | None:
    """A 16-byte key of the text, the same for texts that differ in blanks and case only; None for a blank text."""
    words = " ".join(text.split()).casefold()
    return None if is_blank(words) else blake2b(words.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def is_blank(text: str) -> bool:
    """Whether nothing in the text can be seen: blanks, control and format characters."""
    return all(character.isspace() or not visible_id(character) for character in text)


def visible_id(identifier: str) -> str:
    """The id in NFKC without blanks and invisible characters, a whole float as an integer ("7.0" is "7")."""
    if identifier.isascii() and identifier.isprintable() and not _UNLIKE_SEEN.search(identifier):
        return identifier
    shown = _SELECTORS.sub("", unicodedata.normalize("NFKC", identifier))
    shown = "".join(c for c in shown if unicodedata.category(c) not in _INVISIBLE)
    whole = _WHOLE_FLOAT.fullmatch(shown)
    return whole[1] if whole else shown


def difference(written: str, meant: str) -> str:
    """In words, what `visible_id` left out between two ids that it takes for one."""
    if "".join(written.split()) == "".join(meant.split()):
        return "blanks"
    if unicodedata.normalize("NFC", written) == unicodedata.normalize("NFC", meant):
        return "Unicode form (NFC or NFD)"
    if unicodedata.normalize("NFKC", written) == unicodedata.normalize("NFKC", meant):
        return "Unicode form (compatibility letters)"
    if _WHOLE_FLOAT.fullmatch(written.strip()) or _WHOLE_FLOAT.fullmatch(meant.strip()):
        return "type (a number written as a float)"
    return "invisible characters"
