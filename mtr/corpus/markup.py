"""A text as a model reads it best: what Markdown and templates put around its words is left out."""

import re

_TARGET = r"(?:[a-z]+:|[/#.]|\{[%{]|[\w/-]+\.(?:md|html?|pdf|png|jpe?g|svg|gif)\b)"
_LINK = re.compile(rf"!?(?<![\w\])])\[([^\[\]]*)\]\({_TARGET}[^()]*(?:\([^()]*\)[^()]*)*\)")
_CODE_OR_TAG = re.compile(r"```.*?```|`[^`\n]*`|\{%[^{}]{0,300}?%\}|\{:[^{}\n]*\}|<br ?/?>", re.DOTALL)
_QUOTED = re.compile(r"""(["'])([^"'\n/]+)\1""")
_BOLD = re.compile(r"(?<![\w`*(])\*\*(?=[^\s*])([^*]+?)(?<=\S)\*\*(?![\w*])")
_CODE_QUOTE = re.compile(r'"([^"\n]{1,60})"')


def shown(text: str) -> str:
    """The text with links as their words, without bold, template tags and breaks, and with code between backticks.

    Addresses tell a model nothing and cost it a third of such a passage; straight double quotes around code become
    backticks because small models garble escaped quotes in JSON.
    """
    plain = _BOLD.sub(r"\1", _CODE_OR_TAG.sub(_last_words, _LINK.sub(r"\1", text)))
    return _CODE_QUOTE.sub(r"`\1`", plain)


def _last_words(tag: re.Match[str]) -> str:
    """What a tag says to a reader, as far as one can tell: its last words between quotes. Code stays."""
    if tag.group().startswith("`"):
        return tag.group()
    if tag.group().startswith("<"):
        return " "
    quoted = _QUOTED.findall(tag.group())
    return quoted[-1][1] if quoted else ""
