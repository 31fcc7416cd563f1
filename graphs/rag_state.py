"""The state and the knobs of the rag graph, in the words a person reads in Studio."""

from pydantic import BaseModel, ConfigDict, Field

from graphs.casting import Casting, editor, role_model
from graphs.judging_state import JudgingContext
from mtr.datasets.records import AnyPassage, Said
from mtr.evaluation.rag_turns import RAG_CRITERIA
from mtr.judging.tallying import Rule
from mtr.verdicts import Judged, Tally, Unasked

QUERY = "Which arithmetic operators are not defined for complex numbers?"
REFERENCE = "Floor division, modulo and divmod() are not defined for complex numbers."


class RagContext(Casting):
    """How a turn is answered and judged. Every knob has a default, so an empty form runs on the demo corpus."""

    k: int = Field(default=5, ge=1, le=50, description="Passages retrieved and answered from.")
    judges: list[str] = Field(default_factory=list, description="Models, as endpoint/model; empty: that of every role.")
    criteria: list[str] = Field(default=list(RAG_CRITERIA), min_length=1, description="Files of the domain's judges/.")
    rule: Rule = Field(default="mean", description="How verdicts become a tally.")
    rag_answerer_model: str = role_model("answerer")
    rag_answerer_prompt: str = editor("rag_answerer", "write_answer")

    @property
    def judging(self) -> JudgingContext:
        """The knobs of the judging graph within."""
        return JudgingContext(
            domain=self.domain, judges=self.judges or [self.model], criteria=self.criteria, rule=self.rule
        )


class RagInput(BaseModel):
    """A query in its conversation, and what is known to be right; the empty form asks about the demo corpus."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(default=QUERY, min_length=1, description="As the user types it.")
    history: list[Said] = Field(default_factory=list, description="What was said before, oldest first.")
    reference: str = Field(default=REFERENCE, description="An answer known to be right; empty: completeness is null.")


class RagOutput(BaseModel):
    """The answer, what it was made from, and what the ensemble says of it."""

    retrieved: list[AnyPassage] = Field(default_factory=list, description="Best first.")
    answer: str = ""
    refused: bool | None = Field(default=None, description="Whether the answer only says that it cannot be given.")
    fault: str = Field(default="", description="Why there is no answer; empty when there is one.")
    verdicts: list[Judged] = Field(default_factory=list)
    tallies: list[Tally] = Field(default_factory=list)
    unasked: list[Unasked] = Field(default_factory=list, description="Criteria put to nobody, and why.")


class RagState(RagInput, RagOutput):
    """Everything a node may read."""

    tries: int = Field(default=0, description="Replies asked of the answerer.")
