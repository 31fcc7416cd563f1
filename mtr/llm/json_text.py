"""A parser for the JSON that models write: it forgives what stands between strings, and never edits one."""

import json
import math
import re
from collections.abc import Sequence
from typing import NoReturn

BLANK = re.compile(r"(?:\s|//[^\n]*|#[^\n]*|/\*.*?\*/)*", re.DOTALL)
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?(?![\w.])")
WORD = re.compile(r"[A-Za-z]+")
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
QUOTES = {'"': '"', "'": "'", "“": "”", "”": "”", "＂": "＂"}
OBJECT, ARRAY, COMMA, COLON = ("{｛", "}｝"), ("[［", "]］"), ",，", ":："
ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"', "'": "'"}
DEPTH = 64


class NotJsonError(ValueError):
    """The text from there on is no JSON, however kindly read."""


def whole_number(text: str) -> int | float:
    """JSON knows one kind of number: 4.0 is the whole number 4."""
    value = float(text)
    if not math.isfinite(value):
        raise NotJsonError("a number is too large")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """An object whose keys are each given once, or twice alike."""
    value: dict[str, object] = {}
    for key, item in pairs:
        if key in value and value[key] != item:
            raise NotJsonError(f"the key '{key}' is given twice with different values")
        value[key] = item
    return value


def _refuse(word: str) -> NoReturn:
    raise NotJsonError(f"{word} is not JSON")


STRICT = json.JSONDecoder(
    parse_float=whole_number, parse_int=whole_number, object_pairs_hook=once, parse_constant=_refuse
)


def parse_at(text: str, start: int, *, may_close: bool) -> tuple[object, int, tuple[str, ...]]:
    """The value that starts at `start`, where it ends, and the repairs it took; `NotJsonError` when there is none.

    `may_close`: brackets missing at the very end of the text are supplied.
    """
    try:
        value, end = STRICT.raw_decode(text, start)
    except RecursionError as error:
        raise NotJsonError("it is nested too deeply") from error
    except json.JSONDecodeError:
        parser = _Parser(text, start, may_close)
        value = parser.value(0)
        return value, parser.at, tuple(parser.repairs)
    return value, end, ()


class _Parser:
    """Recursive descent over `text` from `at`; `repairs` names each forgiven fault once."""

    def __init__(self, text: str, at: int, may_close: bool) -> None:
        self.text, self.at, self.may_close = text, at, may_close
        self.repairs: dict[str, None] = {}

    def value(self, depth: int) -> object:
        self.blank()
        char = self.text[self.at : self.at + 1]
        if depth > DEPTH or not char:
            raise NotJsonError("it ends before it is complete" if not char else "it is nested too deeply")
        if char in OBJECT[0]:
            return once([(str(key), item) for key, item in self.items(OBJECT[1], depth, keyed=True)])
        if char in ARRAY[0]:
            return [item for _, item in self.items(ARRAY[1], depth, keyed=False)]
        return self.string() if char in QUOTES else self.plain()

    def blank(self) -> None:
        match = BLANK.match(self.text, self.at)
        if match and match.group().strip():
            self.repairs["comment"] = None
        self.at = match.end() if match else self.at

    def sign(self, signs: str) -> bool:
        """Step over one of the signs, the first of them being the ASCII one."""
        self.blank()
        char = self.text[self.at : self.at + 1]
        if not char or char not in signs:
            return False
        if char != signs[0]:
            self.repairs["full-width punctuation"] = None
        self.at += 1
        return True

    def items(self, closing: str, depth: int, *, keyed: bool) -> list[tuple[object, object]]:
        self.sign(OBJECT[0] if keyed else ARRAY[0])
        found: list[tuple[object, object]] = []
        while not self.sign(closing):
            if found and not self.sign(COMMA):
                if self.at == len(self.text) and self.may_close:
                    self.repairs["closing brackets supplied"] = None
                    return found
                raise NotJsonError("a comma or a closing bracket is missing")
            if found and self.sign(closing):
                self.repairs["trailing comma"] = None
                return found
            found.append((self.key() if keyed else None, self.value(depth + 1)))
        return found

    def key(self) -> str:
        self.blank()
        if self.text[self.at : self.at + 1] not in (*QUOTES,):
            raise NotJsonError("a key in quotes is missing")
        key = self.string()
        if not self.sign(COLON):
            raise NotJsonError(f"the key '{key}' has no colon")
        return key

    def string(self) -> str:
        opening = self.text[self.at]
        end = self.at + 1
        while self.text[end : end + 1] != QUOTES[opening]:
            if end >= len(self.text):
                raise NotJsonError("a string is not closed")
            end += 2 if self.text[end] == "\\" else 1
        inner = self.text[self.at + 1 : end]
        self.at = end + 1
        if opening != '"':
            self.repairs["single quotes" if opening == "'" else "full-width punctuation"] = None
        if any(char < " " for char in inner):
            self.repairs["raw line breaks"] = None
        return _unescaped(inner)

    def plain(self) -> object:
        number = NUMBER.match(self.text, self.at)
        if number:
            self.at = number.end()
            return whole_number(number.group())
        word = WORD.match(self.text, self.at)
        if word is None or word.group() not in WORDS:
            raise NotJsonError("a value is missing or not JSON")
        if word.group()[0].isupper():
            self.repairs["Python literal"] = None
        self.at = word.end()
        return WORDS[word.group()]


def _unescaped(inner: str) -> str:
    """Escapes replaced by what they stand for; `NotJsonError` for one JSON does not know or half a character."""

    def letter(match: re.Match[str]) -> str:
        code = match.group(1)
        if len(code) == 5:
            return chr(int(code[1:], 16))
        if code not in ESCAPED:
            raise NotJsonError(f"the escape \\{code} is not JSON")
        return ESCAPED[code]

    try:
        return ESCAPE.sub(letter, inner).encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError as error:
        raise NotJsonError("an escape stands for half a character") from error
