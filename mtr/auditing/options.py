"""What a user asks of `mtr audit`: everything that shapes the verdicts."""

from pydantic import Field

from mtr.judging.tallying import SPLIT_BEYOND, Rule
from mtr.options import Options

SAMPLE = 300


class AuditOptions(Options):
    """Everything a user chooses that shapes an audit's result."""

    domain: str
    judges: tuple[str, ...] = Field(min_length=1)
    criteria: tuple[str, ...] = Field(min_length=1)
    sample: int = Field(ge=1)
    seed: int
    rule: Rule = "mean"
    split_beyond: float = Field(default=SPLIT_BEYOND, ge=0, le=1)
    adjudicator: str = ""
    exclude_self: bool = False
    cuts: dict[str, float] = Field(default_factory=dict, description="calibrated cuts of P(yes), by `cut_name`")

    @property
    def models(self) -> tuple[str, ...]:
        """Every model that may be asked, each once."""
        return tuple(dict.fromkeys((*self.judges, *([self.adjudicator] if self.adjudicator else []))))
