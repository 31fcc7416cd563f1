"""What judges are asked and what they say: criteria, asks, verdicts, tallies. Pure records, no rule of tallying."""

from typing import Literal

from pydantic import Field

from mtr.prompts import PromptHeader, prompt_header
from mtr.records import Move, Record, Verdict

JudgedBy = Literal["scale", "yes_no", "choice", "claims"]
ALIGNMENT, COMPLETENESS = "query_evidence_alignment", "evidence_completeness"
FAITHFULNESS, QUALITY = "answer_faithfulness", "answer_quality"
CRITERIA = (ALIGNMENT, COMPLETENESS, FAITHFULNESS, QUALITY, "atomic", "no_document_reference")
"""The criteria of an audit, in the order they are reported."""


class Criterion(Record):
    """A prompt file of `judges/`: its header names the inputs and the kind of reply; a new one needs no code."""

    name: str
    description: str
    reply: JudgedBy
    inputs: tuple[str, ...]

    @property
    def role(self) -> str:
        """The role of the prompt library that holds it."""
        return f"judges/{self.name}"

    @classmethod
    def of(cls, name: str, header: PromptHeader) -> "Criterion":
        """The criterion a header describes."""
        return cls.model_validate(
            {"name": name, "description": header.description, "reply": header.reply, "inputs": header.inputs}
        )


def criterion(domain: str, name: str) -> Criterion:
    """The criterion of that name in a domain. InputError: there is none, or its header is wrong."""
    return Criterion.of(name, prompt_header(domain, f"judges/{name}"))


class Ask(Record):
    """One thing put before every judge: a criterion on a turn, the passages shown with it, in the order shown.

    `subject` is the passage judged, where one is; `order` counts the orders in which candidates are shown, from 1.
    """

    query_id: str
    criterion: str
    subject: str = ""
    order: int = 1
    shown: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name within the turn: the same ask has the same one."""
        return "/".join((self.criterion, self.subject, str(self.order)))


class Unasked(Record):
    """A criterion that was not put to anybody, and why."""

    query_id: str
    criterion: str
    reason: str


class Claim(Record):
    """A claim of an answer. `quote` stands verbatim at `start:end` of its passage, or all three are None."""

    text: str
    supported: bool
    passage_id: str | None = None
    quote: str | None = None
    start: int | None = Field(default=None, ge=0)
    end: int | None = Field(default=None, ge=0)


class Judged(Verdict):
    """A verdict with all that led to it. `score` is what counts: the expected score where log probabilities were given,
    else `written`; for a choice 1 when a gold passage was chosen, else 0. `abstained` says why there is no verdict,
    `unreadable` how many replies could not be read, `failed` that the endpoint gave none, which another run may mend.
    """

    query_id: str
    subject: str = ""
    order: int = 1
    shown: tuple[str, ...] = ()
    written: float | None = None
    choice: str | None = None
    claims: tuple[Claim, ...] = ()
    tries: int = 1
    unreadable: int = 0
    abstained: str = ""
    failed: Literal["", "passing", "fatal"] = ""
    adjudicator: bool = False
    wrote_it: bool = False
    calls: tuple[str, ...] = ()

    @property
    def ask_name(self) -> str:
        """The name of the ask it belongs to."""
        return "/".join((self.criterion, self.subject, str(self.order)))

    @property
    def measured(self) -> bool:
        """Whether the judge came to a verdict."""
        return not self.abstained and not self.failed


class Tally(Record):
    """The ensemble's result on one ask; `score` None when it has none: all abstained, or an unbroken tie.

    `spread` is the distance between the furthest verdicts as a share of the scale, or the share outside the majority;
    a result is `split` when that is wide, or when there is none for a tie.
    """

    query_id: str
    criterion: str
    subject: str = ""
    order: int = 1
    score: float | None = None
    choice: str | None = None
    judges: int
    measured: int
    spread: float | None = None
    tie: bool = False
    split: bool = False
    adjudicated: bool = False

    @property
    def ask_name(self) -> str:
        """The name of the ask it belongs to."""
        return "/".join((self.criterion, self.subject, str(self.order)))


class JudgedTurn(Record):
    """All that the ensemble said of one turn. `suspected` passages were chosen over the gold in every order, `missing`
    ones are those that the alignment judges confirmed.
    """

    query_id: str
    conversation_id: str
    turn: int
    query: str
    move: Move | None = None
    subset: str = ""
    gold: tuple[str, ...] = ()
    unasked: tuple[Unasked, ...] = ()
    verdicts: tuple[Judged, ...] = ()
    tallies: tuple[Tally, ...] = ()
    suspected: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
