"""The history of a turn, from what sources have: a flat list of texts, the turns before, or a growing conversation."""

from collections.abc import Iterable, Iterator, Sequence

from mtr.datasets.gathering import assistant, user
from mtr.datasets.records import Said

NO_ANSWER = frozenset(
    {"CANNOTANSWER", "UNANSWERABLE", "Sorry. I cannot find the answer based on the context."},
)
"""Texts that stand where an answer would: QuAC's, TopiOCQA's, ChatRAG-Bench's. They are no answers."""


def answer_of(text: str | None) -> str | None:
    """The text where it is an answer; None for a blank one and for one that says that there is none."""
    return None if text is None or not text.strip() or text.strip() in NO_ANSWER else text


def says_no_answer(text: str | None) -> bool:
    """Whether the text stands for "there is no answer"."""
    return text is not None and text.strip() in NO_ANSWER


def alternating(texts: Sequence[str]) -> tuple[Said, ...]:
    """A flat list of query, answer, query, answer …; a blank text was not said."""
    said = (user(text) if place % 2 == 0 else assistant(text) for place, text in enumerate(texts))
    return tuple(one for one in said if one.text.strip())


def with_history(exchanges: Iterable[tuple[str, str | None]]) -> Iterator[tuple[Said, ...]]:
    """For each (query, what the assistant said) in order, all that was said before it."""
    history: list[Said] = []
    for query, said in exchanges:
        yield tuple(history)
        history.append(user(query))
        if said is not None and said.strip():
            history.append(assistant(said))


def conversation_numbers(rows: Iterable[Sequence[Said]]) -> Iterator[int]:
    """Numbers from 1 for rows that each hold a conversation up to some turn: one that does not go on begins anew.

    Sources without conversation ids write the turns of a conversation one after another.
    """
    number, before = 0, None
    for said in rows:
        if before is None or len(said) <= len(before) or list(said[: len(before)]) != list(before):
            number += 1
        before = said
        yield number
