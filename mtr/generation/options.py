"""What a user asks of `mtr generate`: the options that shape the conversations, and a model for each role."""

from typing import Literal

from pydantic import Field

from mtr.corpus_job import JobOptions

ROLES = (
    "user_simulator",
    "uniqueness_verifier",
    "answerer",
    "answer_verifier",
    "topic_planner",
    "contextualizer",
)

SWITCH_SHARE, FAR_REFERENCE_SHARE = 0.5, 0.1
FEWEST_TURNS = 3
"""A conversation shorter than this has no place for a hard switch or a far reference."""

Uniqueness = Literal["retry", "multi-gold"]


class GenerateOptions(JobOptions):
    """Everything a user chooses that shapes the conversations; `models` names one for each of ROLES."""

    conversations: int = Field(ge=1)
    turns: int = Field(ge=1)
    switch_share: float = Field(ge=0, le=1)
    far_reference_share: float = Field(ge=0, le=1)
    uniqueness: Uniqueness


def share(given: float | None, usual: float, turns: int) -> float:
    """The share as given; without it the usual one, or none where conversations are too short to hold any."""
    if given is not None:
        return given
    return usual if turns >= FEWEST_TURNS else 0.0
