"""What a job will take, from stated averages: nothing is called."""

from mtr.generation.options import GenerateOptions
from mtr.records import Record
from mtr.settings import Settings, split_model


class RoleEstimate(Record):
    """Calls and tokens of one role; `usd` is None where its model has no price."""

    role: str
    model: str
    calls: float
    prompt_tokens: float
    completion_tokens: float
    usd: float | None


class TurnAverage(Record):
    """Per kept turn, what was thrown away included."""

    calls: float
    prompt_tokens: float
    completion_tokens: float


PER_KEPT_TURN = {
    "user_simulator": TurnAverage(calls=3.0, prompt_tokens=1350, completion_tokens=70),
    "uniqueness_verifier": TurnAverage(calls=9.0, prompt_tokens=3150, completion_tokens=9),
    "answerer": TurnAverage(calls=1.2, prompt_tokens=500, completion_tokens=35),
    "answer_verifier": TurnAverage(calls=1.4, prompt_tokens=600, completion_tokens=1.4),
    "topic_planner": TurnAverage(calls=0.4, prompt_tokens=300, completion_tokens=4),
    "contextualizer": TurnAverage(calls=1.0, prompt_tokens=400, completion_tokens=20),
}
"""Averages of the measured loop on the demo corpus with the embedded model (16 calls a kept turn)."""


def estimate(options: GenerateOptions, settings: Settings) -> tuple[RoleEstimate, ...]:
    """The estimate by role for the whole job, as if nothing were on the ledger yet."""
    turns = options.conversations * options.turns
    return tuple(_role(role, average, turns, options, settings) for role, average in PER_KEPT_TURN.items())


def _role(role: str, average: TurnAverage, turns: int, options: GenerateOptions, settings: Settings) -> RoleEstimate:
    model = options.models[role]
    price = settings.endpoint_of(model).prices.get(split_model(model)[1])
    read, written = average.prompt_tokens * turns, average.completion_tokens * turns
    return RoleEstimate(
        role=role,
        model=model,
        calls=average.calls * turns,
        prompt_tokens=read,
        completion_tokens=written,
        usd=None if price is None else price.usd(round(read), 0, round(written)),
    )
