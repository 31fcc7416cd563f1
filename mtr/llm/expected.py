"""The expected score: what a judge's log probabilities say between the steps of a scale."""

import math

from mtr.llm.records import Chance

_STEPS = range(1, 6)
_LEAST_MASS = 0.5


def expected_score(chances: tuple[Chance, ...]) -> float | None:
    """The mean of the steps 1 to 5 under their probabilities at the place of the score, normalised over the steps.

    None when the steps hold less than half of the probability: then the token was not the score. (G-Eval, Liu et al.
    2023, weighs scores the same way.)
    """
    mass = dict.fromkeys(_STEPS, 0.0)
    for chance in chances:
        written = chance.token.strip()
        if written.isdecimal() and int(written) in mass:
            mass[int(written)] += math.exp(chance.logprob)
    total = sum(mass.values())
    return sum(step * share for step, share in mass.items()) / total if total >= _LEAST_MASS else None
