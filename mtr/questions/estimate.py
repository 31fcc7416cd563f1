"""What a question set will take, from stated averages: nothing is called.

Easy and medium questions: 19 and 12 of them made by the embedded model over a handbook of 2,247 passages
(docs/measurements/questions.md); a stronger model needs fewer drafts. The others are reckoned, not measured: two drafts
a question, prompts of 1,500 tokens that read two passages.
"""

from collections.abc import Mapping

from mtr.generation.estimate import RoleEstimate, TurnAverage
from mtr.questions.options import ROLES, QuestionOptions
from mtr.questions.tiers import Tier
from mtr.settings import Settings

PER_QUESTION: Mapping[Tier, Mapping[str, TurnAverage]] = {
    "easy": {
        "user_simulator": TurnAverage(calls=4.9, prompt_tokens=3370, completion_tokens=111),
        "uniqueness_verifier": TurnAverage(calls=6.7, prompt_tokens=5070, completion_tokens=6.7),
        "answerer": TurnAverage(calls=1.6, prompt_tokens=1160, completion_tokens=36),
        "evidence_verifier": TurnAverage(calls=1, prompt_tokens=670, completion_tokens=1),
        "contextualizer": TurnAverage(calls=1, prompt_tokens=690, completion_tokens=24),
    },
    "medium": {
        "query_writer": TurnAverage(calls=2.7, prompt_tokens=1870, completion_tokens=84),
        "user_simulator": TurnAverage(calls=7.6, prompt_tokens=5120, completion_tokens=168),
        "need_verifier": TurnAverage(calls=11.2, prompt_tokens=14_200, completion_tokens=11.2),
        "answerer": TurnAverage(calls=3.1, prompt_tokens=2950, completion_tokens=188),
        "evidence_verifier": TurnAverage(calls=2.7, prompt_tokens=1810, completion_tokens=2.7),
        "contextualizer": TurnAverage(calls=0.9, prompt_tokens=640, completion_tokens=39),
    },
    "hard": {
        "query_writer": TurnAverage(calls=2, prompt_tokens=1700, completion_tokens=80),
        "need_verifier": TurnAverage(calls=8, prompt_tokens=10_000, completion_tokens=8),
        "answer_writer": TurnAverage(calls=2, prompt_tokens=3800, completion_tokens=600),
        "evidence_verifier": TurnAverage(calls=9, prompt_tokens=6800, completion_tokens=9),
        "contextualizer": TurnAverage(calls=0.9, prompt_tokens=600, completion_tokens=24),
    },
    "unanswerable": {
        "query_writer": TurnAverage(calls=2, prompt_tokens=1400, completion_tokens=50),
        "uniqueness_verifier": TurnAverage(calls=11, prompt_tokens=9000, completion_tokens=11),
        "contextualizer": TurnAverage(calls=0.9, prompt_tokens=600, completion_tokens=18),
    },
}
"""Averages of one kept question, what was thrown away included."""


def estimate(options: QuestionOptions, settings: Settings) -> tuple[RoleEstimate, ...]:
    """The estimate by role for the whole set, as if nothing were on the ledger yet."""
    return tuple(_role(role, options, settings) for role in ROLES)


def _role(role: str, options: QuestionOptions, settings: Settings) -> RoleEstimate:
    model = options.models[role]
    price = settings.price_of(model)
    parts = [(PER_QUESTION[tier].get(role), count) for tier, count in options.counts.items()]
    read = sum(one.prompt_tokens * count for one, count in parts if one)
    written = sum(one.completion_tokens * count for one, count in parts if one)
    return RoleEstimate(
        role=role,
        model=model,
        calls=sum(one.calls * count for one, count in parts if one),
        prompt_tokens=read,
        completion_tokens=written,
        usd=None if price is None else price.usd(round(read), 0, round(written)),
    )
