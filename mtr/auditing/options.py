"""What a user asks of `mtr audit`: everything that shapes the verdicts."""

from pydantic import Field, ValidationError

from mtr.errors import InputError
from mtr.judging.tallying import SPLIT_BEYOND, Rule
from mtr.records import Record

SAMPLE = 300


class AuditOptions(Record):
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


def checked_options(**values: object) -> AuditOptions:
    """The options, or an InputError that names the one out of its range."""
    try:
        return AuditOptions.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = "--" + str(first["loc"][0]).replace("_", "-")
        raise InputError(f"{name} {first['input']}: {first['msg']}") from error
