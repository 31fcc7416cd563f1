"""A role's file joined with its prefix: the messages as sent, and the faults that show only in the whole."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from mtr.errors import InputError
from mtr.prompts.records import Fault, Message, PrefixHeader, PromptHeader, refuse
from mtr.prompts.source import Piece, PromptTemplate, Source, header_line, parse


@dataclass(frozen=True, slots=True)
class Expansion:
    """`parts` are messages without placeholders, or pieces with the template to fill, in the order sent.

    `header` is None when it is faulty; `path` and `text` are those of the role's own file.
    """

    path: str
    text: str
    header: PromptHeader | None
    sha256: str
    pieces: tuple[Piece, ...]
    parts: tuple[Message | tuple[Piece, PromptTemplate], ...]
    faults: tuple[Fault, ...]

    def sound_header(self) -> PromptHeader:
        """The header of a prompt without faults; InputError with all faults otherwise."""
        refuse(self.faults)
        if self.header is None:
            raise InputError(f"{self.path}: has no header")
        return self.header

    def line_of(self, key: str) -> int:
        """The line (from 1) of a header's key, or 1."""
        return header_line(self.text, key)


@lru_cache(maxsize=512)
def expand(text: str, path: str, prefix: str | None, prefix_path: str | None) -> Expansion:
    """Join a role's text with the text of its prefix (None without one). Pure."""
    own = parse(text, path)
    shared = None if prefix is None or prefix_path is None else parse(prefix, prefix_path, PrefixHeader)
    lost = prefix_path is not None and prefix is None
    header = own.header if isinstance(own.header, PromptHeader) else None
    pieces = (shared.pieces if shared else ()) + own.pieces
    faults = [*(shared.faults if shared else ()), *own.faults, *_order_faults(pieces, own)]
    faults += [] if header is None else _input_faults(header, own, shared, header_line(text, "inputs"))
    if lost:
        faults.append(Fault(path=path, line=header_line(text, "prefix"), message=f"no prefix file {prefix_path}"))
    digest = own.sha256 if shared is None else sha256(f"{shared.sha256} {own.sha256}".encode()).hexdigest()
    parts = tuple((piece, PromptTemplate(piece.content)) if piece.placeholders else piece.message() for piece in pieces)
    return Expansion(path, text, header, digest, pieces, parts, tuple(faults))


def _order_faults(pieces: Sequence[Piece], own: Source) -> Iterator[Fault]:
    if not own.pieces:
        return
    before = None
    for piece in pieces:
        if piece.role == "system" and before is not None:
            yield Fault(path=piece.path, line=piece.border, message="`# System` may stand only once, and first")
            continue
        if piece.role == "assistant" and before != "user":
            yield Fault(path=piece.path, line=piece.border, message="`# Assistant` without a `# User` before it")
        if piece.role == "user" and before == "user":
            yield Fault(path=piece.path, line=piece.border, message="`# User` twice, without `# Assistant` between")
        before = piece.role
    if own.pieces[-1].role != "user":
        yield Fault(path=own.path, line=own.pieces[-1].border, message="the last message must be a `# User`")


def _input_faults(header: PromptHeader, own: Source, shared: Source | None, line_of_inputs: int) -> list[Fault]:
    faults = []
    for piece in shared.pieces if shared else ():
        for name, line in piece.placeholders:
            message = f"a prefix holds no placeholders; {{{{{name}}}}} belongs into the roles' files"
            faults.append(Fault(path=piece.path, line=line, message=message))
    used = [found for piece in own.pieces for found in piece.placeholders]
    for name, line in used:
        if name not in header.inputs:
            faults.append(Fault(path=own.path, line=line, message=f"{{{{{name}}}}} is not among the declared inputs"))
    for name in header.inputs:
        if name not in {found for found, _ in used}:
            faults.append(
                Fault(path=own.path, line=line_of_inputs, message=f"the input `{name}` is declared but not used")
            )
    return faults
