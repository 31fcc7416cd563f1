"""Is this prose or code, and does it end like a sentence? Small tests on plain text, for any script."""

import re
from collections.abc import Sequence

SENTENCE_ENDS = ".!?…。！？．｡؟۔।॥։።፧។៕။๚๛"
CLOSERS = "\"'”’»›)]}）】》」』〉〕*_`＂＇"

_QUOTED = re.compile(r'"[^"\n]{1,80}"|`[^`\n]{1,80}`|“[^”\n]{1,80}”|‘[^’\n]{1,80}’|\*[\w.]{1,40}\*')
_PROMPT = re.compile(r"\s*(?:>>> |\.\.\. |\$ |In \[\d+\]: )")
_CODE_LINE = re.compile(
    r"\s*(?:(?:def|class|import|from|return|if|elif|else|for|while|try|except|with|raise|async|function|var|let|const|"
    r"public|static|void)\b.*[:{;(=]\s*(?:#.*)?$|(?:import|from|return|raise|yield|del|pass)\b|@\w|#include|<[/!?\w][^>]*>\s*$)"
)
_UNSPACED = re.compile(r"[\u0e00-\u10ff\u2e80-\U0003ffff]")
_PLAIN = re.compile(r"[^\W\d_]|[\s,.'’-]")
_FOOTNOTES = re.compile(r"(?<=[^\w\s(])\s*(?:\[\d{1,3}\]\s*)+$")
_ENDS = tuple(SENTENCE_ENDS)
_ENDS_OR_LEAD_IN = (*_ENDS, ":", "：")
_TITLE_WORDS = 4
_PROSE_SHARE = 0.88
_DENSE_SHARE = 0.8


def ends_sentence(text: str, *, lead_in: bool = False) -> bool:
    """Whether the text ends with a full stop of its script; with `lead_in` a colon counts too."""
    whole = _FOOTNOTES.sub("", text.rstrip())
    bare = whole.rstrip(CLOSERS)
    if bare.endswith("...") and whole[len(bare) :].startswith(("]", ")")):
        return False
    return bare.endswith(_ENDS_OR_LEAD_IN if lead_in else _ENDS)


def looks_like_code(lines: Sequence[str], *, indented: bool) -> bool:
    """Whether a paragraph is code: a prompt or a grammar rule anywhere, and if indented whatever is not prose."""
    if _PROMPT.match(lines[0]) or "::=" in lines[0]:
        return True
    if not indented:
        return False
    text = "\n".join(lines)
    if sum(bool(_CODE_LINE.match(line)) for line in lines) * 2 > len(lines):
        return True
    return not _is_prose(text)


def _is_prose(text: str) -> bool:
    bare = _QUOTED.sub("x", text).strip()
    if not bare.isascii() and len(_UNSPACED.findall(bare)) * 2 > len(bare):
        return True
    plain = len(_PLAIN.findall(bare)) / max(1, len(bare))
    words = len(bare.split())
    if ends_sentence(bare, lead_in=True):
        return plain >= _PROSE_SHARE or (plain >= _DENSE_SHARE and words > _TITLE_WORDS)
    return plain >= _PROSE_SHARE and words >= _TITLE_WORDS and not bare[:1].islower()
