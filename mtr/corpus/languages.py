"""The language of a text, as ISO 639-1: by its script where that decides, else by py3langid over all its languages."""

import re
import threading
from collections.abc import Iterator
from typing import NamedTuple

from mtr.corpus.blocks import outline

_FEWEST_LETTERS = 20
_FEWEST_UNSPACED = 6
_ENOUGH = 3_000
_CHINESE = {"wuu": "zh", "yue": "zh"}
_LOCK = threading.Lock()
_URL = re.compile(r"[!-~]*(?:[_/\\<>={}]|@\w)[!-~]*")


class _Script(NamedTuple):
    language: str
    letters: "re.Pattern[str]"
    share: float


_SCRIPTS = (
    _Script("ja", re.compile(r"[\u3041-\u30ff\uff66-\uff9f]"), 0.1),
    _Script("ko", re.compile(r"[\uac00-\ud7af\u1100-\u11ff]"), 0.3),
    _Script("th", re.compile(r"[\u0e00-\u0e7f]"), 0.3),
    _Script("el", re.compile(r"[\u0370-\u03ff]"), 0.5),
    _Script("he", re.compile(r"[\u0590-\u05ff]"), 0.5),
    _Script("zh", re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"), 0.3),
)


def detect_language(text: str) -> str | None:
    """The language that most of the text's prose is in; None for too little text to tell (under 20 letters, 6 of CJK).

    Code blocks, addresses and identifiers do not count where there is prose beside them.
    """
    prose = _sample(_prose(text)) or _sample(iter((text,)))
    letters = "".join(filter(str.isalpha, prose))
    for script in _SCRIPTS:
        if letters and len(script.letters.findall(letters)) >= script.share * len(letters):
            return script.language if len(letters) >= _FEWEST_UNSPACED else None
    return _classified(prose) if len(letters) >= _FEWEST_LETTERS else None


def _prose(text: str) -> Iterator[str]:
    blocks = outline(text[: 4 * _ENOUGH])
    return (text[block.start : block.end] for block in blocks if block.kind in ("paragraph", "item"))


def _sample(parts: Iterator[str]) -> str:
    sample = ""
    for part in parts:
        sample += _URL.sub(" ", part) + "\n"
        if len(sample) >= _ENOUGH:
            break
    return sample[:_ENOUGH] if sum(map(str.isalpha, sample)) >= _FEWEST_UNSPACED else ""


def _classified(text: str) -> str:
    import py3langid  # noqa: PLC0415 - loads its model on import

    with _LOCK:
        language, _ = py3langid.classify(text)
    return _CHINESE.get(str(language), str(language))
