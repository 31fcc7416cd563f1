"""The state of the judging graph, in the words a person reads in Studio."""

from collections.abc import Mapping
from typing import Annotated, Self

from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict, Field

from mtr.binding import Binding
from mtr.judging.asking import Docket
from mtr.judging.sample import sample_docket
from mtr.judging.tallying import SPLIT_BEYOND, Rule
from mtr.verdicts import CRITERIA, Ask, Judged, Tally, Unasked

_EMBEDDED = "local/qwen2.5-coder-1.5b"


class JudgingContext(BaseModel):
    """How a turn is judged. Every knob has a default, so an empty form judges the sample turn."""

    model_config = ConfigDict(extra="forbid")

    domain: str = Field(default="general", description="Folder of prompts; see `mtr prompts list`.")
    judges: list[str] = Field(default=[_EMBEDDED], min_length=1, description="Models, as endpoint/model.")
    criteria: list[str] = Field(default=list(CRITERIA), min_length=1, description="Files of the domain's judges/.")
    rule: Rule = Field(default="mean", description="How verdicts become a tally.")
    split_beyond: float = Field(
        default=SPLIT_BEYOND, ge=0, le=1, description="Verdicts further apart than this share of the scale are split."
    )
    adjudicator: str = Field(default="", description="Model that decides what is split; empty: nobody does.")
    confirm_at: float = Field(
        default=4.0, ge=1, le=5, description="Alignment that makes a passage chosen in every order a missing gold."
    )
    tries: int = Field(default=3, ge=1, le=5, description="Replies asked of a judge before it abstains.")
    exclude_self: bool = Field(default=False, description="Judges of the family that wrote a turn do not judge it.")
    cuts: dict[str, float] = Field(
        default_factory=dict, description="Calibrated cuts of P(yes), by `judge on criterion`; 0.5 without."
    )
    seed: int = Field(default=7, description="Enters every order of candidates.")

    @classmethod
    def of(cls, runtime: Runtime[Self]) -> Self:
        """The context of a run; the defaults for a caller that passed none."""
        return runtime.context or cls()

    def binding(self, criterion_role: str, judge: str) -> Binding:
        """A judge bound to a criterion's prompt."""
        return Binding(role=criterion_role, domain=self.domain, model=judge)


def merged_verdicts(before: Mapping[str, Judged], new: Mapping[str, Judged]) -> dict[str, Judged]:
    """Verdicts by judge and ask; a later one replaces an earlier one."""
    return {**before, **new}


class JudgingInput(BaseModel):
    """The turn to judge, with its passages; the empty form brings a sample."""

    model_config = ConfigDict(extra="forbid")

    docket: Docket = Field(default_factory=sample_docket)


class JudgingOutput(BaseModel):
    """Every verdict, its tally, what was not asked and why, and gold that is missing."""

    asks: list[Ask] = Field(default_factory=list)
    unasked: list[Unasked] = Field(default_factory=list)
    verdicts: Annotated[dict[str, Judged], merged_verdicts] = Field(default_factory=dict)
    tallies: list[Tally] = Field(default_factory=list)
    suspected: list[str] = Field(default_factory=list, description="Passages chosen over the gold in every order.")
    missing: list[str] = Field(default_factory=list, description="Those of them that the judges confirm as gold.")


class JudgingState(JudgingInput, JudgingOutput):
    """Everything a node may read."""

    adjudicated: list[str] = Field(default_factory=list, description="Asks handed to the adjudicator.")


class Summons(BaseModel):
    """What one judge is given: an ask, and how often it was asked already."""

    docket: Docket
    ask: Ask
    judge: str
    tried: int = 0
    adjudicator: bool = False
