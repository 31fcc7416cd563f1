"""What a user asks of `mtr generate`: the options that shape the conversations, and a model for each role."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, ValidationError

from mtr.errors import InputError
from mtr.records import Record
from mtr.settings import Settings

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


class GenerateOptions(Record):
    """Everything a user chooses that shapes the conversations; `models` names one for each of ROLES."""

    corpus: str
    conversations: int = Field(ge=1)
    turns: int = Field(ge=1)
    domain: str
    seed: int
    models: dict[str, str]
    switch_share: float = Field(ge=0, le=1)
    far_reference_share: float = Field(ge=0, le=1)
    uniqueness: Uniqueness


def checked_options(**values: object) -> GenerateOptions:
    """The options, or an InputError that names the one out of its range."""
    try:
        return GenerateOptions.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = "--" + str(first["loc"][0]).replace("_", "-")
        raise InputError(f"{name} {first['input']}: {first['msg']}") from error


def share(given: float | None, usual: float, turns: int) -> float:
    """The share as given; without it the usual one, or none where conversations are too short to hold any."""
    if given is not None:
        return given
    return usual if turns >= FEWEST_TURNS else 0.0


def bind_models(settings: Settings, model: str, by_role: Mapping[str, str]) -> dict[str, str]:
    """A model for each role: the role's own, else `model`, else what the settings bind, else the embedded one."""
    return {role: by_role.get(role) or model or settings.model_for(role) for role in ROLES}
