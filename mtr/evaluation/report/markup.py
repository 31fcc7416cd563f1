"""HTML from Python: the one place where text becomes HTML, and so the one place where it is escaped.

A child that is `Markup` was made here; any other text is escaped. There are no templates, and nothing is evaluated.
"""

import html
import re
from collections.abc import Iterable

from mtr.transcript import printable

Child = str | None
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
_VOID = frozenset({"meta", "br", "circle", "line"})
_NOT_MADE = frozenset({"script", "style", "iframe", "object", "embed", "link", "base", "form"})


class Markup(str):
    """HTML made by this module; never made of text from elsewhere."""

    __slots__ = ()


def text(value: str) -> Markup:
    """Text as HTML: control characters left out, everything with a meaning in HTML escaped."""
    return Markup(html.escape(printable(value), quote=True))


def join(parts: Iterable[Child]) -> Markup:
    """The parts one after the other; None is left out."""
    return Markup("".join(part if isinstance(part, Markup) else text(part) for part in parts if part is not None))


def tag(name: str, /, *children: Child, **attributes: str | int | None) -> Markup:
    """An element. `class_` is `class` and `aria_label` is `aria-label`; an attribute that is None is left out.

    ValueError: a name that is none, an element or attribute that could run or load something.
    """
    if not _NAME.fullmatch(name) or name.casefold() in _NOT_MADE:
        raise ValueError(f"no element is made of the name {name!r}")
    start = "".join(_attribute(key, str(value)) for key, value in attributes.items() if value is not None)
    if name in _VOID:
        return Markup(f"<{name}{start}>" if name in {"meta", "br"} else f"<{name}{start} />")
    return Markup(f"<{name}{start}>{join(children)}</{name}>")


def style_sheet(css: str) -> Markup:
    """A style element of CSS that is ours. ValueError: it holds an end tag or loads something."""
    if "<" in css or "url(" in css or "@import" in css:
        raise ValueError("a style sheet of a report may not end its element or load anything")
    return Markup(f"<style>\n{css}</style>")


def _attribute(key: str, value: str) -> str:
    name = key.rstrip("_").replace("_", "-")
    leads = name in {"href", "src", "action"} and not value.startswith("#")
    if not _NAME.fullmatch(name) or name.casefold().startswith("on") or name == "style" or leads:
        raise ValueError(f"no attribute is made of {name}={value!r}")
    return f' {name}="{text(value)}"'
