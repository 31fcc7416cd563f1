"""Yes or no: from the log probabilities of the first token where there are any, else from the written word."""

import math
import re

from mtr.llm.objects import without_reasoning
from mtr.llm.records import Chance
from mtr.llm.reply import RejectedReplyError

YES = frozenset({"yes", "是", "是的", "能", "对"})
NO = frozenset({"no", "否", "不", "不是", "不能", "不对"})
DECORATION = " \t\r\n*_`\"'“”#>.,:;!。，：；！▁Ġ"
FLOOR = 0.01
OTHER_WORD = re.compile(r"\b(?:yes|no)\b|[是否能对不]", re.IGNORECASE)


def read_yes_no(text: str, chances: tuple[Chance, ...] | None) -> tuple[bool, float | None, str]:
    """The verdict, P(yes) = p(yes) / (p(yes) + p(no)) over all spellings (None without log probabilities), and how."""
    if chances:
        probability = yes_probability(chances)
        return probability >= 0.5, probability, "log probabilities"
    return _written(without_reasoning(text)), None, "written word"


def yes_probability(chances: tuple[Chance, ...]) -> float:
    """`RejectedReplyError` when the model hardly thought of answering yes or no at all."""
    mass = {True: 0.0, False: 0.0}
    for chance in chances:
        verdict = _verdict(chance.token)
        if verdict is not None:
            mass[verdict] += math.exp(chance.logprob)
    total = mass[True] + mass[False]
    if total < FLOOR:
        raise RejectedReplyError("the reply does not begin with yes or no")
    return mass[True] / total


def _verdict(word: str) -> bool | None:
    bare = word.strip(DECORATION).casefold()
    return True if bare in YES else False if bare in NO else None


def _written(text: str) -> bool:
    first = re.split(r"[\s,.;:!。，；：！]", text.lstrip(DECORATION), maxsplit=1)[0]
    verdict = _verdict(first)
    if verdict is None:
        raise RejectedReplyError("the reply does not begin with yes or no")
    rest = text.lstrip(DECORATION)[len(first) :]
    if any(_verdict(word) is (not verdict) for word in OTHER_WORD.findall(rest)):
        raise RejectedReplyError("the reply says both yes and no")
    return verdict
