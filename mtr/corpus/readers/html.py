"""HTML as Markdown-like text: headings as `#` lines, lists, tables and code kept apart; menus and scripts left out.

BSHTMLLoader runs all text of a page together, menus too, and loses the headings, so Beautiful Soup is used directly.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup
from bs4.element import Comment, NavigableString, PreformattedString, Tag

from mtr.corpus.readers.decoding import decode, read_bytes
from mtr.corpus.readers.draft import Columns, Draft


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML_CHARSET = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding=[\"']([\w.:-]+)")
_LEFT_OUT = _names("script style noscript template head nav footer aside form button select svg iframe")
_BLOCKS = _names(
    "p div section article main header body html ul ol dl dd dt figure figcaption blockquote address details summary "
    "hr center table fieldset caption"
)
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")
_DEEPEST = 150


def read_html(path: Path, _columns: Columns) -> Iterator[Draft]:
    """The one document of a page; its own declaration of an encoding is believed when the bytes fit it."""
    data = read_bytes(path)
    declared = _CHARSET.search(data[:4096]) or _XML_CHARSET.search(data)
    decoded = decode(data, declared[1].decode("ascii") if declared else None)
    soup = BeautifulSoup(decoded.text, "lxml")
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    yield Draft(text=html_text(soup), title=title, encoding=decoded.encoding)


def html_text(root: Tag) -> str:
    """The readable text of a tree, its blocks parted by blank lines."""
    writer = _Writer()
    writer.walk(root, 0)
    return writer.text()


class _Writer:
    """Collects blocks of text; inline text flows into the block that is open."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._inline: list[str] = []
        self._prefix = ""

    def text(self) -> str:
        self._close()
        return "\n\n".join(self._blocks).replace("\n\n\x00", "\n").replace("\x00", "") + "\n"

    def walk(self, tag: Tag, depth: int) -> None:
        for child in tag.children:
            if isinstance(child, NavigableString):
                if not isinstance(child, Comment | PreformattedString):
                    self._inline.append(str(child))
            elif isinstance(child, Tag) and not _is_left_out(child):
                self._tag(child, depth + 1)

    def _tag(self, tag: Tag, depth: int) -> None:
        name = tag.name
        if depth > _DEEPEST:
            self._inline.append(tag.get_text(" "))
        elif name in _HEADINGS:
            self._block(f"{_HEADINGS[name]} ", tag, depth)
        elif name == "li":
            self._block(f"\x00{'  ' * (_lists_above(tag) - 1)}- ", tag, depth)
        elif name == "pre":
            self._close()
            self._blocks.append(_fenced(tag.get_text()))
        elif name == "tr":
            self._row(tag)
        elif name == "br":
            self._inline.append("\n")
        elif name in _BLOCKS:
            self._close()
            self.walk(tag, depth)
            self._close()
        else:
            self.walk(tag, depth)

    def _block(self, prefix: str, tag: Tag, depth: int) -> None:
        self._close()
        self._prefix = prefix
        self.walk(tag, depth)
        self._close()

    def _row(self, tag: Tag) -> None:
        self._close()
        cells = [" ".join(cell.get_text(" ").split()) for cell in tag.find_all(["td", "th"], recursive=False)]
        if any(cells):
            self._blocks.append(f"\x00| {' | '.join(cells)} |")

    def _close(self) -> None:
        lines = [" ".join(line.split()) for line in "".join(self._mended()).split("\n")]
        text = "\n".join(line for line in lines if line)
        self._inline = []
        if text:
            joiner = " " if self._prefix.startswith("#") else "\n"
            self._blocks.append(self._prefix + text.replace("\n", joiner))
            self._prefix = ""

    def _mended(self) -> Iterator[str]:
        """A line break of the source is a space; only `<br>` breaks lines."""
        return (piece if piece == "\n" else piece.replace("\n", " ") for piece in self._inline)


def _is_left_out(tag: Tag) -> bool:
    hidden = tag.get("hidden") is not None or tag.get("aria-hidden") == "true" or tag.get("role") == "navigation"
    return tag.name in _LEFT_OUT or hidden or bool(_HIDDEN.search(str(tag.get("style") or "")))


def _lists_above(tag: Tag) -> int:
    return max(1, len(tag.find_parents(["ul", "ol"])))


def _fenced(code: str) -> str:
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}\n{code.strip(chr(10)).rstrip()}\n{fence}"
