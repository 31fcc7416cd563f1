"""What a job will take, from stated averages: nothing is called."""

from mtr.generation.options import GenerateOptions
from mtr.records import Record
from mtr.settings import Settings


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
    "user_simulator": TurnAverage(calls=3.1, prompt_tokens=2080, completion_tokens=67),
    "uniqueness_verifier": TurnAverage(calls=6.3, prompt_tokens=4830, completion_tokens=6.3),
    "answerer": TurnAverage(calls=1.6, prompt_tokens=1270, completion_tokens=41),
    "answer_verifier": TurnAverage(calls=1.3, prompt_tokens=1000, completion_tokens=1.3),
    "topic_planner": TurnAverage(calls=0.13, prompt_tokens=67, completion_tokens=2.8),
    "contextualizer": TurnAverage(calls=0.9, prompt_tokens=600, completion_tokens=18),
}
"""Averages of eight kept turns on the demo corpus with the embedded model (docs/measurements.md)."""


def estimate(options: GenerateOptions, settings: Settings) -> tuple[RoleEstimate, ...]:
    """The estimate by role for the whole job, as if nothing were on the ledger yet."""
    turns = options.conversations * options.turns
    return tuple(_role(role, average, turns, options, settings) for role, average in PER_KEPT_TURN.items())


def _role(role: str, average: TurnAverage, turns: int, options: GenerateOptions, settings: Settings) -> RoleEstimate:
    model = options.models[role]
    price = settings.price_of(model)
    read, written = average.prompt_tokens * turns, average.completion_tokens * turns
    return RoleEstimate(
        role=role,
        model=model,
        calls=average.calls * turns,
        prompt_tokens=read,
        completion_tokens=written,
        usd=None if price is None else price.usd(round(read), 0, round(written)),
    )
