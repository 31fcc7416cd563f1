"""The records every layer speaks in: documents, passages, clusters, turns, conversations, steps."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Move = Literal["open", "follow_up", "shift", "switch", "return"]
MOVES: tuple[Move, ...] = ("open", "follow_up", "shift", "switch", "return")


class Record(BaseModel):
    """Frozen, and refusing fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Span(Record):
    """A half-open range of characters: `text[start:end]`."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.end < self.start:
            raise ValueError(f"a span ends at {self.end}, before its start {self.start}")
        return self


class Document(Record):
    """A source text. `text` is what spans count in; `source` is the file (and row) it came from."""

    document_id: str = Field(min_length=1, pattern=r"^\S+$")
    title: str = ""
    text: str
    source: str
    encoding: str | None = None
    language: str | None = None


class Passage(Record):
    """The retrievable piece of a document: `document.text[span.start:span.end] == text`."""

    passage_id: str = Field(min_length=1, pattern=r"^\S+$")
    document_id: str
    title: str = ""
    heading: str = ""
    text: str = Field(min_length=1)
    span: Span
    source: str
    language: str | None = None


class Cluster(Record):
    """A short walk of neighbouring passages, the pool a conversation draws on; in walking order."""

    cluster_id: str
    passage_ids: tuple[str, ...] = Field(min_length=1)


class Evidence(Record):
    """A verbatim span of a gold passage that carries the answer; offsets count in the passage's text."""

    passage_id: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    text: str = Field(min_length=1)


class Candidate(Record):
    """A passage put before the uniqueness verifier; `probability` of answering is None without logprobs.

    `answers` is the ruling under the model's cuts: a rival counts as answering when it comes within the margin.
    """

    passage_id: str
    rank: int = Field(ge=0, description="0 for the gold, then the place in the fused ranking")
    probability: float | None = None
    answers: bool


class Verdict(Record):
    """A judge's ruling on one criterion; what was not measured is None."""

    criterion: str
    judge: str
    passed: bool | None = None
    score: float | None = None
    probability: float | None = None
    reason: str = ""


class Turn(Record):
    """One query with its answer and gold. Where the corpus holds no answer, there is no gold and no evidence."""

    turn: int = Field(ge=1)
    move: Move
    refers_to: int | None = Field(default=None, description="the earlier turn its wording leans on")
    query: str = Field(min_length=1)
    standalone_query: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    gold: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    hard_negatives: tuple[Candidate, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    attempts: int = Field(ge=1)
    answerable: bool = True

    @model_validator(mode="after")
    def _answered(self) -> Self:
        if {bool(self.gold), bool(self.evidence)} != {self.answerable}:
            raise ValueError("an answerable turn has gold and evidence, one that is not has neither")
        return self


class Conversation(Record):
    """An ordered list of turns over one corpus."""

    conversation_id: str = Field(min_length=1, pattern=r"^[^\s:]+$")
    domain: str
    language: str | None = None
    style: str = "plain"
    persona: str = ""
    subset: str = Field(default="", description="a named part of the data set, as the tier of a question set")
    clusters: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = Field(min_length=1)


class Step(Record):
    """What one node of a graph did: the line of a trace. `calls` are ledger keys, in order."""

    step_id: str
    turn: int
    attempt: int
    node: str
    outcome: str
    calls: tuple[str, ...] = ()
