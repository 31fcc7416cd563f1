"""Where in a reply its JSON objects are: past reasoning, prose, fences and brackets."""

import json
import re
from dataclasses import dataclass

from mtr.llm.json_text import NotJsonError, parse_at
from mtr.llm.reply import RejectedReplyError

REASONING = r"(?:think|thinking|thought|reasoning)"
OPENING, CLOSING = re.compile(rf"<{REASONING}>", re.I), re.compile(rf"</{REASONING}>", re.I)
LANDMARK = re.compile(rf"</?{REASONING}>|[{{｛]", re.I)
OBJECT_LIKE = re.compile(r"[{｛]\s*[\"'“”＂]")
FENCE = re.compile(r"\A```[\w-]*\s*|\s*```\Z")


@dataclass(frozen=True, slots=True)
class Found:
    """An object of the reply, and what it took to read it."""

    value: dict[str, object]
    repairs: tuple[str, ...]


def without_reasoning(text: str) -> str:
    """The text after its last closing reasoning tag; reasoning that never ends leaves what stood before it."""
    closed = text.rsplit(match.group(), 1)[-1] if (match := _last(CLOSING, text)) else text
    opened = OPENING.search(closed)
    return (closed[: opened.start()] if opened else closed).strip()


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    match = None
    for match in pattern.finditer(text):  # noqa: B007
        pass
    return match


def find_objects(text: str, *, may_close: bool) -> list[Found]:
    """Every object outside reasoning, in order; objects within objects are not looked for.

    A piece that begins like an object but cannot be read is stepped over, whole. When it has no end either, nothing
    after it can be told apart from its inside: `RejectedReplyError`.
    """
    decoded = _decoded(text)
    if decoded is not None:
        return [Found(item.value, ("encoded twice", *item.repairs)) for item in find_objects(decoded, may_close=False)]
    return _Walk(_unfenced(text), may_close).found()


def _decoded(text: str) -> str | None:
    """The text inside a reply that is a JSON string as a whole."""
    bare = _unfenced(text)
    if not bare.startswith('"'):
        return None
    try:
        inner = json.loads(bare, strict=False)
    except json.JSONDecodeError:
        return None
    return inner.strip() if isinstance(inner, str) else None


def _unfenced(text: str) -> str:
    return FENCE.sub("", text) if "```" in text else text


class _Walk:
    """One pass over the text; `broken` says why what follows cannot be trusted."""

    def __init__(self, text: str, may_close: bool) -> None:
        self.text, self.may_close = text, may_close
        self.objects: list[Found] = []
        self.broken: str | None = None

    def found(self) -> list[Found]:
        at: int | None = 0
        while at is not None and (mark := LANDMARK.search(self.text, at)):
            at = self._object(mark.start()) if mark.group() in "{｛" else self._tag(mark)
        if self.broken:
            raise RejectedReplyError(f"the JSON in the reply is broken: {self.broken}")
        return self.objects

    def _tag(self, mark: re.Match[str]) -> int | None:
        if mark.group().startswith("</"):
            self.objects.clear()
            self.broken = None
            return mark.end()
        if self.broken:
            return mark.end()
        closing = CLOSING.search(self.text, mark.end())
        return closing.end() if closing else None

    def _object(self, start: int) -> int:
        if self.broken:
            return start + 1
        try:
            value, end, repairs = parse_at(self.text, start, may_close=self.may_close)
        except NotJsonError as error:
            return self._step_over(start, str(error))
        if isinstance(value, dict):
            around = self.text[:start].strip() or self.text[end:].strip()
            self.objects.append(Found(value, (*repairs, "text around it") if around else repairs))
        return end

    def _step_over(self, start: int, why: str) -> int:
        if not OBJECT_LIKE.match(self.text, start):
            return start + 1
        end = _balanced(self.text, start)
        if end is None:
            self.broken = why
            return start + 1
        return end


def _balanced(text: str, start: int) -> int | None:
    """Past the bracket that closes the one at `start`, strings skipped; None when there is none."""
    depth, at, quoted = 0, start, False
    while at < len(text):
        char = text[at]
        if char == "\\" and quoted:
            at += 1
        elif char == '"':
            quoted = not quoted
        elif not quoted and char in "{｛}｝":
            depth += 1 if char in "{｛" else -1
            if depth == 0:
                return at + 1
        at += 1
    return None
