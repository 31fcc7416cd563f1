"""From bytes to text: which encoding, by byte order mark, then UTF-8, then a declaration, then by likelihood.

Text stays as it is written, no normal form is applied, because spans count in it; only line ends become `\n`.
"""

import codecs
import re
from pathlib import Path
from typing import NamedTuple

from mtr.corpus.readers.draft import NotReadError

LARGEST_FILE = 256 * 1024 * 1024
_SAMPLE = 200_000
_FITTING = 10
_RARE = 50
_WITH_ESCAPES = ("iso2022_jp_2", "iso2022_jp_ext", "iso2022_kr")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Decoded(NamedTuple):
    """A text and the name of the encoding it was read in."""

    text: str
    encoding: str


def read_bytes(path: Path) -> bytes:
    """The content of a file that is read whole; files above 256 MiB are not (rows of JSON lines are streamed)."""
    size = path.stat().st_size
    if size > LARGEST_FILE:
        raise NotReadError(f"{size} bytes are more than the {LARGEST_FILE} of the largest file that is read whole")
    data = path.read_bytes()
    if not data:
        raise NotReadError("empty file")
    return data


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """The text of `data`; `declared` is what the file itself says about its encoding. Binary data is refused.

    A few bytes that break UTF-8 become U+FFFD, and their number is stated with the encoding.
    """
    encoding = detect_encoding(data, declared)
    try:
        text = data.decode(encoding, "replace" if encoding == "utf-8" else "strict")
    except (UnicodeDecodeError, LookupError) as error:
        raise NotReadError(f"cannot be read as {encoding}: {error}") from error
    if "\0" in text:
        raise NotReadError("binary data, not text")
    broken = text.count("\ufffd") if encoding == "utf-8" and not _reads(data, "utf-8") else 0
    return Decoded(unix_lines(text), f"utf-8, {broken} broken" if broken else encoding)


def detect_encoding(data: bytes, declared: str | None = None) -> str:
    """A codec name for `data`, which may be the beginning of a file."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return encoding
    for encoding in _WITH_ESCAPES if b"\x1b$" in data else ():
        if _reads(data, encoding):
            return encoding
    if _reads(data, "utf-8"):
        return _without_mark(data) or "utf-8"
    if declared and _reads(data, declared):
        return codecs.lookup(declared).name
    return _without_mark(data) or ("utf-8" if _is_broken_utf8(data) else _likely(data))


def _is_broken_utf8(data: bytes) -> bool:
    """A cut or mixed-up UTF-8 file: far more letters that fit than bytes that do not."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    beyond_ascii = len(re.sub(r"[\x00-\x7f\ufffd]+", "", text))
    return beyond_ascii >= _FITTING * broken and broken * _RARE <= len(text)


def _reads(data: bytes, encoding: str) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(data)
    except (UnicodeDecodeError, LookupError):
        return False
    return True


def _without_mark(data: bytes) -> str | None:
    """UTF-16 without a byte order mark: every other byte is mostly zero."""
    sample = data[:_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if half and max(even, odd) > 0.4 * half and min(even, odd) < 0.05 * half:
        return "utf-16-be" if even > odd else "utf-16-le"
    return None


def _likely(data: bytes) -> str:
    """charset-normalizer's best guess, but Western European where that fits as well as a rarer encoding."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 - only files that are not UTF-8 pay for it

    whole_lines = data[:_SAMPLE].rfind(b"\n") + 1 or len(data)
    guesses = from_bytes(data[: whole_lines if len(data) > _SAMPLE else len(data)])
    best = guesses.best()
    if best is None:
        raise NotReadError("binary data, or text in an encoding that could not be told")
    for guess in guesses:
        as_good = guess.chaos <= best.chaos and guess.coherence >= best.coherence
        if as_good and "cp1252" in guess.could_be_from_charset:
            return "cp1252"
    return codecs.lookup(best.encoding).name


def unix_lines(text: str) -> str:
    """The text with `\r\n` and lone `\r` as `\n`."""
    return re.sub(r"\r\n?", "\n", text) if "\r" in text else text
