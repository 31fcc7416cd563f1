"""Questions whose answers people marked in a text (the layout of SQuAD), as turns over a corpus of the same texts."""

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mtr.errors import InputError
from mtr.records import Passage


class Marked(NamedTuple):
    """A question, what was marked, and the one passage that holds it."""

    query: str
    answer: str
    gold: Passage


def marked_questions(file: Path, passages: Collection[Passage]) -> list[Marked]:
    """The first question of each paragraph whose marked answer lies in one passage of the corpus.

    Raises:
        InputError: for a file of another layout, or one that shares no passage with the corpus.
    """
    try:
        articles = json.loads(file.read_text(encoding="utf-8"))["data"]
        paragraphs = [paragraph for article in articles for paragraph in article["paragraphs"]]
        found = [one for paragraph in paragraphs if (one := _first(paragraph, passages))]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise InputError(f"{file}: not a file in the layout of SQuAD: {error!r}") from error
    if not found:
        raise InputError(f"{file}: no marked answer lies in a passage of the corpus")
    return found


def _first(paragraph: dict[str, Any], passages: Collection[Passage]) -> Marked | None:
    text, questions = str(paragraph["context"]), paragraph["qas"]
    within = [passage for passage in passages if passage.text in text]
    return next(_held(questions, within), None) if within else None


def _held(questions: Any, within: list[Passage]) -> Iterator[Marked]:
    for question in questions:
        answer = str(question["answers"][0]["text"]) if question["answers"] else ""
        holding = [passage for passage in within if answer and answer in passage.text]
        if len(holding) == 1:
            yield Marked(str(question["question"]), answer, holding[0])
