"""The records of a question set: what the graph delivers, and the plain shape of questions.jsonl."""

from mtr.query_types import QueryType
from mtr.questions.tiers import Tier
from mtr.records import Conversation, Evidence, Record, Step


class Claimed(Record):
    """One claim of an answer and the spans that state it, in the order quoted."""

    claim: str
    evidence: tuple[Evidence, ...]


class Question(Record):
    """A single-turn conversation with what only a question set knows of it; `kind` is None where no rule reads it."""

    conversation: Conversation
    tier: Tier
    kind: QueryType | None
    claims: tuple[Claimed, ...]
    reasoning: str = ""


class Attempted(Record):
    """What one run of the graph gave: a question or none, and the steps either way."""

    question: Question | None = None
    steps: tuple[Step, ...] = ()


class Brief(Record):
    """What is remembered of each question while a set is put together; `anchor` is the passage it was drawn for."""

    item: str
    tier: Tier
    kind: QueryType | None
    style: str
    topic: str
    anchor: str
    query: str


class PlainEvidence(Record):
    """A claim and one verbatim span that states it; offsets count in the passage's text."""

    claim: str
    passage_id: str
    start: int
    end: int
    text: str


class PlainQuestion(Record):
    """A line of questions.jsonl."""

    id: str
    question: str
    answer: str
    difficulty: Tier
    type: QueryType | None
    evidence: tuple[PlainEvidence, ...]
    reasoning: str


def brief(item: str, question: Question) -> Brief:
    """The question in brief, by its standalone query."""
    (turn,) = question.conversation.turns
    return Brief(
        item=item,
        tier=question.tier,
        kind=question.kind,
        style=question.conversation.style,
        topic=question.conversation.clusters[0],
        anchor=turn.gold[0] if turn.gold else turn.hard_negatives[0].passage_id,
        query=turn.standalone_query,
    )


def plain(question: Question, query_id: str) -> PlainQuestion:
    """The question in the shape that any other tool reads; the standalone form of its query."""
    (turn,) = question.conversation.turns
    return PlainQuestion(
        id=query_id,
        question=turn.standalone_query,
        answer=turn.answer,
        difficulty=question.tier,
        type=question.kind,
        evidence=tuple(
            PlainEvidence(claim=claimed.claim, **one.model_dump())
            for claimed in question.claims
            for one in claimed.evidence
        ),
        reasoning=question.reasoning,
    )
