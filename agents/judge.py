"""The judge rules on one ask: a criterion on a turn, read off a scale, a word, a choice or a list of claims."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Literal

from pydantic import Field

from mtr.binding import Binding
from mtr.datasets.records import AnyPassage
from mtr.errors import ReplyError
from mtr.judging.claims import found_claim
from mtr.judging.showing import LETTERS
from mtr.llm import Reply, Scored, YesNo
from mtr.records import Record
from mtr.verdicts import Ask, Claim, Criterion, JudgedBy

_MOST_CLAIMS = 12


class ChoiceReply(Reply):
    """The letter of a candidate."""

    reason: str
    choice: Literal["A", "B", "C", "D", "E", "F", "G", "H"]


class ClaimReply(Reply):
    """A claim of the answer and the words that state it, empty for none."""

    claim: str
    quote: str
    supported: bool


class ClaimsReply(Reply):
    """The claims of an answer and the score of the whole."""

    claims: list[ClaimReply] = Field(max_length=_MOST_CLAIMS)
    reason: str
    score: int = Field(ge=1, le=5)


class Opinion(Record):
    """What a judge says of an ask. All but `call` may be None or empty, by the kind of reply."""

    score: float | None = None
    written: float | None = None
    probability: float | None = None
    choice: str | None = None
    claims: tuple[Claim, ...] = ()
    reason: str = ""
    call: str


_Judge = Callable[[Binding, Ask, Mapping[str, str], Sequence[AnyPassage], int], Awaitable[Opinion]]


async def judge(
    binding: Binding,
    one: Criterion,
    ask: Ask,
    values: Mapping[str, str],
    passages: Sequence[AnyPassage],
    *,
    sample: int = 0,
) -> Opinion:
    """Put an ask before a judge; `values` are the criterion's inputs, `passages` those shown, in the order shown.

    Raises:
        ReplyError: when the reply could not be read, or names a candidate that was not shown.
    """
    return await _KINDS[one.reply](binding, ask, values, passages, sample)


async def _scale(
    binding: Binding, ask: Ask, values: Mapping[str, str], passages: Sequence[AnyPassage], sample: int
) -> Opinion:
    completion = await binding.ask(values, Scored, sample=sample)
    written = float(completion.reply.score)
    score = written if completion.expected is None else completion.expected
    return Opinion(score=score, written=written, reason=completion.reply.reason, call=completion.key)


async def _yes_no(
    binding: Binding, ask: Ask, values: Mapping[str, str], passages: Sequence[AnyPassage], sample: int
) -> Opinion:
    completion = await binding.ask(values, YesNo, sample=sample)
    written, probability = float(completion.reply.yes), completion.probability
    score = written if probability is None else probability
    return Opinion(score=score, written=written, probability=probability, call=completion.key)


async def _choice(
    binding: Binding, ask: Ask, values: Mapping[str, str], passages: Sequence[AnyPassage], sample: int
) -> Opinion:
    completion = await binding.ask(values, ChoiceReply, sample=sample)
    place = LETTERS.index(completion.reply.choice)
    if place >= len(passages):
        known = LETTERS[: len(passages)]
        raise ReplyError(f"{binding.model} chose {completion.reply.choice}, but only {known} were shown")
    return Opinion(choice=passages[place].passage_id, reason=completion.reply.reason, call=completion.key)


async def _claims(
    binding: Binding, ask: Ask, values: Mapping[str, str], passages: Sequence[AnyPassage], sample: int
) -> Opinion:
    completion = await binding.ask(values, ClaimsReply, sample=sample)
    reply = completion.reply
    claims = tuple(found_claim(one.claim, one.supported, one.quote, passages) for one in reply.claims)
    score = float(reply.score) if claims else None
    return Opinion(score=score, written=score, claims=claims, reason=reply.reason, call=completion.key)


_KINDS: Mapping[JudgedBy, _Judge] = {"scale": _scale, "yes_no": _yes_no, "choice": _choice, "claims": _claims}
