"""QuAC: a student asks about a section of Wikipedia that only the teacher sees. CC BY-SA 4.0.

*.json  {"data": [{"title", "section_title", "paragraphs": [{"id", "context", "qas": [{"id", "question",
        "orig_answer": {"text", "answer_start"}, "answers": [the same, by more people], "yesno", "followup"}]}]}]}

A paragraph is a conversation, and its context the section; the context ends in CANNOTANSWER, the span of unanswerable
turns, which is cut off. The section is split into passages by MTR: gold is every passage that an answer's span touches,
evidence the spans. The answer is `orig_answer`, other people's differing answers are other answers. A turn is
unanswerable when all say so; when the first says so and another one answers, `answerable` is None. The histories hold
what the teacher said, CANNOTANSWER too. A span that is not found at its place is an error of the file: it is counted
and is no gold.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from mtr.datasets.foreign import Foreign, find_files, need_file, read_json
from mtr.datasets.gathering import Passages, gather
from mtr.datasets.records import AnyTurn, Dataset, Gold, Said
from mtr.datasets.said_before import answer_of, says_no_answer, with_history
from mtr.datasets.sections import Sections
from mtr.records import Evidence, Span

LAYOUT = "quac"
LICENCE = "CC BY-SA 4.0"
NO_ANSWER = "CANNOTANSWER"


class _Answer(Foreign):
    text: str
    answer_start: int


class _Asked(Foreign):
    id: str = Field(min_length=1)
    question: str
    orig_answer: _Answer | None = None
    answers: tuple[_Answer, ...] = ()

    def given(self) -> tuple[_Answer, ...]:
        """All answers, that of the conversation first."""
        first = (self.orig_answer,) if self.orig_answer else ()
        return tuple(dict.fromkeys((*first, *self.answers)))


class _Paragraph(Foreign):
    id: str = Field(min_length=1)
    context: str
    qas: tuple[_Asked, ...]


class _Article(Foreign):
    title: str = ""
    section_title: str = ""
    paragraphs: tuple[_Paragraph, ...]


class _File(Foreign):
    data: tuple[_Article, ...]


@dataclass
class _Reading:
    """What is built while the articles go by."""

    sections: Sections
    passages: Passages
    lost: int = 0
    split: int = 0


def load(path: Path) -> Dataset:
    """The data set in the file `path`, or in all JSON files of the folder `path`."""
    files = [path] if path.is_file() else find_files(path, "*.json") or [need_file(path, "*.json")]
    reading = _Reading(Sections(), Passages())
    turns = [
        turn
        for file in files
        for article in read_json(file, _File).data
        for paragraph in article.paragraphs
        for turn in _turns(article, paragraph, reading)
    ]
    notes = ["gold is the section of each conversation, split by MTR; the source marks spans, not passages"]
    if reading.lost:
        notes.append(f"{reading.lost} answers do not stand where the file says; they are no gold")
    if reading.split:
        notes.append(f"{reading.split} turns are answered by some people and unanswerable to others")
    return gather(path, LAYOUT, reading.passages, turns, notes=notes, licence=LICENCE, language="en")


def _turns(article: _Article, paragraph: _Paragraph, reading: _Reading) -> Iterator[AnyTurn]:
    section = paragraph.context.rstrip().removesuffix(NO_ANSWER).rstrip()
    title = ", ".join(part for part in (article.title, article.section_title) if part)
    document_id = reading.sections.add(paragraph.id, title, section, reading.passages)
    said = ((one.question, one.given()[0].text if one.given() else None) for one in paragraph.qas)
    for place, (asked, history) in enumerate(zip(paragraph.qas, with_history(said), strict=True), 1):
        evidence = [piece for answer in asked.given() for piece in _pieces(answer, section, document_id, reading)]
        yield _turn(paragraph.id, place, asked, history, evidence, reading)


def _pieces(answer: _Answer, section: str, document_id: str, reading: _Reading) -> Iterator[Evidence]:
    start, end = answer.answer_start, answer.answer_start + len(answer.text)
    if answer_of(answer.text) is None:
        return
    if start < 0 or section[start:end] != answer.text:
        reading.lost += 1
        return
    yield from reading.sections.evidence(document_id, Span(start=start, end=end))


def _turn(
    conversation_id: str,
    place: int,
    asked: _Asked,
    history: tuple[Said, ...],
    evidence: list[Evidence],
    reading: _Reading,
) -> AnyTurn:
    given = asked.given()
    real = list(dict.fromkeys(answer.text for answer in given if answer_of(answer.text) is not None))
    first = answer_of(given[0].text) if given else None
    disputed = bool(real) and any(says_no_answer(answer.text) for answer in given)
    reading.split += disputed
    unsaid = first is None and bool(real)
    return AnyTurn(
        query_id=asked.id,
        conversation_id=conversation_id,
        turn=place,
        query=asked.question,
        history=history,
        answer=first,
        other_answers=tuple(text for text in real if text != first),
        gold=tuple(Gold(passage_id=one) for one in dict.fromkeys(piece.passage_id for piece in evidence)),
        evidence=tuple(dict.fromkeys(evidence)),
        answerable=None if unsaid or not given else first is not None,
    )
