"""The outline of a plain text: headings, paragraphs, list items, code, tables and signatures, with exact spans.

Reads what Markdown and reStructuredText leave in plain text; knows nothing of inline markup. A signature is a
line or more without a sentence end whose description follows indented, as in a reference manual.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from mtr.corpus.prose import ends_sentence, looks_like_code

BlockKind = Literal["heading", "paragraph", "item", "code", "table", "signature", "rule"]

_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})[^`]*$")
_ATX = re.compile(r"#{1,6}(?:[ \t]+\S|$)")
_UNDERLINE = re.compile(r"([=\-*^~\"+#.`:_])\1{2,}\s*$")
_ITEM = re.compile(r"\s*(?:[-*+•·‣◦▪–]|\(?(\d{1,3}|[a-zA-Z])[.)]|(\[\d{1,3}\]))[ \t　]+\S")
_GRID = re.compile(r"\s*(?:\|.*\|\s*$|\+[-=+]{2,}\+\s*$|={2,}(?:\s+={2,})+\s*$)")
_LEVELS = {"=": 1, "*": 1, "-": 2, "^": 3, "~": 3, '"': 4}
_CODE_INDENT = 3
_SIGNATURE_LINES = 12
_CAPTION = 80
_FULL_LINE = 60


@dataclass(frozen=True, slots=True)
class Block:
    """`text[start:end]` is the block without surrounding space; `level` (1–6) is that of a heading, else 0."""

    kind: BlockKind
    start: int
    end: int
    indent: int
    level: int = 0
    label: str = ""


class _Lines:
    """The lines of a text with their offsets and indents."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.stripped = [line.strip() for line in self.lines]

    def indent(self, number: int) -> int:
        """Columns before the line's text; the first line of a passage has lost its own and takes those of the next."""
        line = self.lines[number]
        bare = line.lstrip(" \t")
        if number == 0 and bare == line and len(self.lines) > 1 and self.stripped[1]:
            number, line = 1, self.lines[1]
            bare = line.lstrip(" \t")
        return len(line) - len(bare) + 3 * line.count("\t", 0, len(line) - len(bare))

    def block(self, kind: BlockKind, first: int, last: int, level: int = 0, label: str = "") -> Block:
        """The block of the lines first..last, both inside."""
        start = self.starts[first] + len(self.lines[first]) - len(self.lines[first].lstrip())
        end = self.starts[last] + len(self.lines[last].rstrip())
        return Block(kind, start, end, self.indent(first), level, label)


def outline(text: str) -> list[Block]:
    """The blocks of a text in order; together they hold every character that is not space."""
    lines = _Lines(text)
    found: list[Block] = []
    number = 0
    while number < len(lines.lines):
        if not lines.stripped[number]:
            number += 1
            continue
        block, number = _next_block(lines, number)
        found.append(block)
    return _signatures(text, _joined_code(text, found))


def _next_block(lines: _Lines, first: int) -> tuple[Block, int]:
    for read in (_fenced, _heading, _grid):
        result = read(lines, first)
        if result is not None:
            return result
    return _paragraph(lines, first)


def _fenced(lines: _Lines, first: int) -> tuple[Block, int] | None:
    match = _FENCE.match(lines.lines[first])
    if match is None:
        return None
    mark = match[1]
    for number in range(first + 1, len(lines.lines)):
        line = lines.stripped[number]
        if line.startswith(mark) and not line.strip(mark[0]):
            return lines.block("code", first, number), number + 1
    return None


def _heading(lines: _Lines, first: int) -> tuple[Block, int] | None:
    line = lines.stripped[first]
    if line[0] == "#" and _ATX.match(line):
        level = len(line) - len(line.lstrip("#"))
        return lines.block("heading", first, first, level, _label(line.lstrip("#"))), first + 1
    following = lines.stripped[first + 1] if first + 1 < len(lines.lines) else ""
    under = _UNDERLINE.match(line)
    if under is not None:
        closing = lines.stripped[first + 2] if first + 2 < len(lines.lines) else ""
        if following and closing == line and any(map(str.isalnum, following)):
            return lines.block("heading", first, first + 2, _LEVELS.get(line[0], 5), _label(following)), first + 3
        return lines.block("rule", first, first), first + 1
    under = _UNDERLINE.match(following) if following else None
    if under is None or not _can_be_title(line, following) or lines.indent(first) >= _CODE_INDENT:
        return None
    return lines.block("heading", first, first + 1, _LEVELS.get(following[0], 5), _label(line)), first + 2


def _label(title: str) -> str:
    """The title of a heading as it reads: without closing marks, an anchor, the addresses of links."""
    bare = re.sub(r"\s+#+\s*$|\s*\{[#:.][^{}]*\}\s*$", "", title)
    return re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", bare).strip().strip("*").strip()


def _can_be_title(line: str, underline: str) -> bool:
    wide = len(line) + sum(ord(letter) > 0x2E80 for letter in line)
    fits = underline[0] in "=-" or len(underline) >= 0.8 * wide
    return fits and any(map(str.isalnum, line)) and not _ITEM.match(line) and line[0] not in ">|"


def _grid(lines: _Lines, first: int) -> tuple[Block, int] | None:
    if not _GRID.match(lines.lines[first]):
        return None
    last = first
    ruled = lines.stripped[first][0] == "="
    while last + 1 < len(lines.lines) and lines.stripped[last + 1]:
        if not ruled and not _GRID.match(lines.lines[last + 1]):
            break
        last += 1
    return lines.block("table", first, last), last + 1


def _paragraph(lines: _Lines, first: int) -> tuple[Block, int]:
    is_item = _ITEM.match(lines.lines[first]) is not None
    last = first
    while last + 1 < len(lines.lines) and not _ends_paragraph(lines, first, last + 1, is_item):
        last += 1
    block = lines.block("item" if is_item else "paragraph", first, last)
    body = lines.lines[first : last + 1]
    if looks_like_code(body, indented=block.indent >= _CODE_INDENT and not is_item):
        block = replace(block, kind="code")
    return block, last + 1


def _ends_paragraph(lines: _Lines, first: int, number: int, is_item: bool) -> bool:
    """Whether line `number` can no longer belong to the paragraph that began at line `first`."""
    stripped = lines.stripped[number]
    if not stripped:
        return True
    if stripped[0] in "`~#|+" and (_FENCE.match(stripped) or _ATX.match(stripped) or _GRID.match(stripped)):
        return True
    item = _ITEM.match(lines.lines[number])
    if item is not None:
        numbered = item[1] or item[2]
        if is_item or numbered in (None, "1", "a") or ends_sentence(lines.stripped[number - 1], lead_in=True):
            return is_item or stripped[0] != "–"
    return (
        not is_item and number == first + 1 and lines.indent(number) >= lines.indent(first) + 2 and _hangs(lines, first)
    )


def _hangs(lines: _Lines, first: int) -> bool:
    """A term above its indented description, not the first line of a paragraph with hanging indent."""
    return not ends_sentence(lines.stripped[first]) and len(lines.stripped[first]) <= _CAPTION


def _joined_code(text: str, found: list[Block]) -> list[Block]:
    """Indented code with blank lines in it is one block."""
    joined: list[Block] = []
    for block in found:
        before = joined[-1] if joined else None
        if (
            before
            and before.kind == block.kind == "code"
            and not _is_fenced(text, before)
            and not _is_fenced(text, block)
        ):
            joined[-1] = replace(before, end=block.end)
        else:
            joined.append(block)
    return joined


def _is_fenced(text: str, block: Block) -> bool:
    return text.startswith(("```", "~~~"), block.start)


def _signatures(text: str, found: list[Block]) -> list[Block]:
    for place in range(len(found) - 1):
        block, following = found[place], found[place + 1]
        if block.kind not in ("paragraph", "code") or following.kind in ("heading", "rule"):
            continue
        body = text[block.start : block.end]
        if following.indent < block.indent + 2 or body.count("\n") >= _SIGNATURE_LINES or _is_fenced(text, block):
            continue
        if following.kind == "paragraph" and not ends_sentence(body, lead_in=True) and body[0] not in "<>":
            found[place] = replace(block, kind="signature", label=body.split("\n", 1)[0].strip())
    return found


def leads_on(text: str, block: Block, following: Block) -> bool:
    """Whether a block belongs to the one after it: a heading, a signature, a lead-in ending in a colon, a caption."""
    if block.kind in ("heading", "signature"):
        return True
    if following.kind in ("heading", "rule") or block.kind in ("code", "table", "rule"):
        return False
    body = text[block.start : block.end]
    if body.rstrip("\"'*_`»”’）)").endswith((":", "：")):
        return True
    return block.kind == "paragraph" and _is_caption(body) and not _is_caption(text[following.start : following.end])


def _is_caption(body: str) -> bool:
    return len(body) <= _CAPTION and "\n" not in body and not ends_sentence(body)
