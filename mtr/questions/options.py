"""What a user asks of `mtr questions`: the options that shape the set, and a model for each role."""

from pydantic import Field

from mtr.corpus_job import JobOptions
from mtr.questions.tiers import Tier, tier_counts

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


class QuestionOptions(JobOptions):
    """Everything a user chooses that shapes the set; `models` names one for each of ROLES.

    `easy`, `medium` and `hard` are shares of their own sum; `unanswerable` questions come on top of `count`.
    """

    count: int = Field(ge=1)
    easy: float = Field(ge=0, allow_inf_nan=False)
    medium: float = Field(ge=0, allow_inf_nan=False)
    hard: float = Field(ge=0, allow_inf_nan=False)
    unanswerable: int = Field(ge=0)

    @property
    def counts(self) -> dict[Tier, int]:
        """Questions of each tier, exactly."""
        return tier_counts(self.count, {"easy": self.easy, "medium": self.medium, "hard": self.hard}, self.unanswerable)
