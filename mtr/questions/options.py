"""What a user asks of `mtr questions`: the options that shape the set, and a model for each role."""

from collections.abc import Mapping

from pydantic import Field, ValidationError

from mtr.errors import InputError
from mtr.questions.tiers import Tier, tier_counts
from mtr.records import Record
from mtr.settings import Settings

ROLES = (
    "user_simulator",
    "query_writer",
    "uniqueness_verifier",
    "need_verifier",
    "answerer",
    "answer_writer",
    "evidence_verifier",
    "contextualizer",
)


class QuestionOptions(Record):
    """Everything a user chooses that shapes the set; `models` names one for each of ROLES.

    `easy`, `medium` and `hard` are shares of their own sum; `unanswerable` questions come on top of `count`.
    """

    corpus: str
    count: int = Field(ge=1)
    easy: float = Field(ge=0, allow_inf_nan=False)
    medium: float = Field(ge=0, allow_inf_nan=False)
    hard: float = Field(ge=0, allow_inf_nan=False)
    unanswerable: int = Field(ge=0)
    domain: str
    seed: int
    models: dict[str, str]

    @property
    def counts(self) -> dict[Tier, int]:
        """Questions of each tier, exactly."""
        return tier_counts(self.count, {"easy": self.easy, "medium": self.medium, "hard": self.hard}, self.unanswerable)


def checked_options(**values: object) -> QuestionOptions:
    """The options, or an InputError that names the one out of its range."""
    try:
        return QuestionOptions.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = "--" + str(first["loc"][0]).replace("_", "-")
        raise InputError(f"{name} {first['input']}: {first['msg']}") from error


def bind_models(settings: Settings, model: str, by_role: Mapping[str, str]) -> dict[str, str]:
    """A model for each role: the role's own, else `model`, else what the settings bind, else the embedded one."""
    return {role: by_role.get(role) or model or settings.model_for(role) for role in ROLES}
