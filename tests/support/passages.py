"""Passages for tests, made from texts."""

from collections.abc import Iterable

from mtr.records import Passage, Span


def passage(passage_id: str, text: str, *, title: str = "", heading: str = "") -> Passage:
    """A passage that is its whole document."""
    return Passage(
        passage_id=passage_id,
        document_id=passage_id,
        title=title,
        heading=heading,
        text=text,
        span=Span(start=0, end=len(text)),
        source=f"{passage_id}.txt",
    )


def passages(texts: Iterable[str]) -> list[Passage]:
    """A passage `p0`, `p1` … for each text."""
    return [passage(f"p{number}", text) for number, text in enumerate(texts)]
