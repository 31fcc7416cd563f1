"""The places in a fault's text: `{word}` is replaced by a value, which is document text and is not looked into."""

import re
from collections.abc import Mapping

_PLACE = re.compile(r"'\{(?P<quoted>[a-z][a-z0-9_]*)\}'|\{(?P<plain>[a-z][a-z0-9_]*)\}")


def places(text: str) -> frozenset[str]:
    """The names of the places."""
    return frozenset(match["quoted"] or match["plain"] for match in _PLACE.finditer(text))


def has_stray_brace(text: str) -> bool:
    """Whether a brace belongs to no place."""
    return bool(set("{}") & set(_PLACE.sub("", text)))


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with its places filled, each value on one line.

    `'{word}'` is a quotation: it is written as Python writes a text, so that no quote in the value ends it.
    """
    return _PLACE.sub(lambda match: _value(match, values), text)


def _value(match: re.Match[str], values: Mapping[str, str]) -> str:
    if match["quoted"]:
        return repr(values[match["quoted"]])
    return " ".join(values[match["plain"]].split())
