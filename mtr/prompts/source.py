"""The text of a prompt file, taken apart: header, messages with their lines, and everything wrong with it."""

import re
import string
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from typing import Literal

from mtr.prompts.records import Fault, Message, PrefixHeader, PromptHeader, bytes_faults
from mtr.prompts.yaml_text import read_yaml

MessageRole = Literal["system", "user", "assistant"]
_NEVER = "|".join(f"(?P<{group}>(?!))" for group in ("escaped", "braced", "invalid"))
PLACEHOLDER = re.compile(rf"\{{\{{(?:(?P<named>[a-z][a-z0-9_]*)\}}\}}|{_NEVER})")
_BORDERS: dict[str, MessageRole] = {"# System": "system", "# User": "user", "# Assistant": "assistant"}
_ALMOST_BORDER = re.compile(r"\s*#+\s*(system|user|assistant)\s*:?\s*", re.IGNORECASE)
_ALMOST_PLACEHOLDER = re.compile(r"\{\{[ \t]*[\w.-]+(?:[ \t]+[\w.-]+)*[ \t]*\}\}")
_PREFIX_LINE = re.compile(r"^prefix:[ \t]*([a-z][a-z0-9_]*\.md)[ \t]*$", re.MULTILINE)


class PromptTemplate(string.Template):
    """`{{name}}` and nothing else: no escapes, no other braces, no second expansion of a value."""

    delimiter = "{{"
    pattern = PLACEHOLDER.pattern  # type: ignore[assignment]  # the base class compiles it


@dataclass(frozen=True, slots=True)
class Piece:
    """A message of a file: where its border and its text stand (lines from 1), and the placeholders in it."""

    role: MessageRole
    content: str
    path: str
    border: int
    line: int
    placeholders: tuple[tuple[str, int], ...]

    def message(self) -> Message:
        """The message with its placeholders still in it."""
        return Message(role=self.role, content=self.content)


@dataclass(frozen=True, slots=True)
class Source:
    """A file taken apart; `header` is None when it is faulty, `prefix` is known even then."""

    path: str
    sha256: str
    header: PromptHeader | PrefixHeader | None
    prefix: str | None
    pieces: tuple[Piece, ...]
    faults: tuple[Fault, ...]


@lru_cache(maxsize=512)
def parse(text: str, path: str, kind: type[PromptHeader] | type[PrefixHeader] = PromptHeader) -> Source:
    """Take a file's text apart. Pure; `path` only serves the faults."""
    lines = text.split("\n")
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    end = lines.index("---", 1) if lines[0] == "---" and "---" in lines[1:] else None
    if end is None:
        fault = Fault(path=path, line=1, message="must begin with a header between two `---` lines")
        return Source(path, digest, None, None, (), (fault,))
    head = "\n".join(lines[1:end])
    header, faults = read_yaml(head, kind, path, first_line=2)
    pieces, more = _pieces(lines, end + 1, path)
    return Source(path, digest, header, _prefix(head, header), pieces, tuple(faults + more + bytes_faults(text, path)))


def header_line(text: str, key: str) -> int:
    """The line (from 1) on which a key first stands, or 1."""
    return next((number for number, line in enumerate(text.split("\n"), 1) if line.lstrip().startswith(f"{key}:")), 1)


def _prefix(head: str, header: PromptHeader | PrefixHeader | None) -> str | None:
    if isinstance(header, PromptHeader):
        return header.prefix
    found = _PREFIX_LINE.search(head)
    return found[1] if found else None


def _pieces(lines: list[str], start: int, path: str) -> tuple[tuple[Piece, ...], list[Fault]]:
    borders = [number for number in range(start, len(lines)) if lines[number] in _BORDERS]
    pieces = tuple(_piece(lines, border, stop, path) for border, stop in pairwise([*borders, len(lines)]))
    faults = _border_faults(lines, start, borders[0] if borders else None, path)
    return pieces, faults + [fault for piece in pieces for fault in _text_faults(piece)]


def _border_faults(lines: list[str], start: int, first: int | None, path: str) -> list[Fault]:
    faults = []
    if first is None:
        faults.append(Fault(path=path, line=start + 1, message="holds no message; begin one with a line `# User`"))
    stray = [number for number in range(start, first or len(lines)) if lines[number].strip()]
    for number in stray[:1]:
        faults.append(Fault(path=path, line=number + 1, message="text before the first message's border"))
    for number in range(start, len(lines)):
        if lines[number] not in _BORDERS and _ALMOST_BORDER.fullmatch(lines[number]):
            message = "looks like a border, but is not exactly `# System`, `# User` or `# Assistant`"
            faults.append(Fault(path=path, line=number + 1, message=message))
    return faults


def _piece(lines: list[str], border: int, stop: int, path: str) -> Piece:
    body = "\n".join(lines[border + 1 : stop])
    content = body.strip()
    line = border + 2 + body[: len(body) - len(body.lstrip())].count("\n")
    found = ((match[1], line + content.count("\n", 0, match.start())) for match in PLACEHOLDER.finditer(content))
    return Piece(_BORDERS[lines[border]], content, path, border + 1, line, tuple(found))


def _text_faults(piece: Piece) -> list[Fault]:
    if not piece.content:
        return [Fault(path=piece.path, line=piece.border, message="an empty message")]
    return [
        Fault(
            path=piece.path,
            line=piece.line + piece.content.count("\n", 0, match.start()),
            message=f"{match[0]} is no placeholder; write {{{{name}}}} in small letters, digits and _",
        )
        for match in _ALMOST_PLACEHOLDER.finditer(piece.content)
        if not PLACEHOLDER.fullmatch(match[0])
    ]
