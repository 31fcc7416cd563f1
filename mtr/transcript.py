"""A conversation as text to read: each query, answer, and gold passage with its evidence marked."""

import textwrap
import unicodedata
from collections.abc import Mapping

from mtr.records import Conversation, Evidence, Passage, Turn

OPENS, CLOSES = "⟦", "⟧"
WIDTH = 100


def transcript(conversation: Conversation, passages: Mapping[str, Passage]) -> str:
    """The whole conversation; evidence stands between ⟦ and ⟧. Ends with a line end."""
    parts = [f"conversation {conversation.conversation_id}", f"style {conversation.style}"]
    if conversation.persona:
        parts.append(conversation.persona)
    if conversation.language:
        parts.append(conversation.language)
    head = printable(" · ".join(parts))
    turns = "\n".join(_turn(turn, passages) for turn in conversation.turns)
    return f"{head}\n{'═' * min(len(head), WIDTH)}\n{turns}"


def _turn(turn: Turn, passages: Mapping[str, Passage]) -> str:
    refers = f", refers to turn {turn.refers_to}" if turn.refers_to is not None else ""
    lines = [f"turn {turn.turn} · {turn.move}{refers}", field("query", turn.query)]
    if turn.standalone_query == turn.query:
        lines.append(field("standalone", "(the same)"))
    else:
        lines.append(field("standalone", turn.standalone_query))
    lines.append(field("answer", turn.answer))
    lines.extend(_gold(gold, turn.evidence, passages) for gold in turn.gold)
    also = sum(candidate.answers for candidate in turn.hard_negatives)
    lines.append(field("checked", f"{len(turn.hard_negatives)} nearest other passages, {also} of them also answer"))
    return "\n".join(lines) + "\n"


def _gold(passage_id: str, evidence: tuple[Evidence, ...], passages: Mapping[str, Passage]) -> str:
    passage = passages.get(passage_id)
    if passage is None:
        return field("gold", f"{passage_id} (not in this corpus)")
    title = " › ".join(part for part in (passage.title, passage.heading) if part)
    marked = mark_evidence(passage.text, tuple(one for one in evidence if one.passage_id == passage_id))
    return field("gold", f"{passage_id}  {title}".rstrip()) + "\n" + wrapped(marked, "      │ ")


def mark_evidence(text: str, evidence: tuple[Evidence, ...]) -> str:
    """The passage's text with every span of evidence between ⟦ and ⟧; overlapping spans become one."""
    pieces: list[str] = []
    end = 0
    for start, stop in _merged(evidence):
        pieces += [text[end:start], OPENS, text[start:stop], CLOSES]
        end = stop
    return "".join(pieces) + text[end:]


def _merged(evidence: tuple[Evidence, ...]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for one in sorted(evidence, key=lambda one: (one.start, one.end)):
        if merged and one.start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], one.end))
        else:
            merged.append((one.start, one.end))
    return merged


def printable(text: str) -> str:
    """Text without control and format characters: a document must not steer the reader's terminal."""
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf"))


def field(name: str, text: str) -> str:
    """A named line of a turn, wrapped under itself."""
    return wrapped(text, " " * 15, f"  {name:<13}")


def wrapped(text: str, indent: str, first: str | None = None) -> str:
    """The text without control characters, each of its lines wrapped and indented."""
    lines: list[str] = []
    for line in printable(text).expandtabs(4).split("\n"):
        lead = first if first is not None and not lines else indent
        lines += textwrap.wrap(line, WIDTH, initial_indent=lead, subsequent_indent=indent) or [lead.rstrip()]
    return "\n".join(lines)
