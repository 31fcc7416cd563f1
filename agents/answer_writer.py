"""The answer writer joins passages to an answer, claim by claim, and names the sentences that each claim rests on."""

from collections.abc import Sequence

from pydantic import Field

from mtr.binding import Binding
from mtr.conversation.showing import numbered_passages
from mtr.llm import Reply
from mtr.questions.checks import SENTENCES
from mtr.questions.evidence import sentences_of
from mtr.questions.records import Claimed
from mtr.records import Evidence, Passage, Record

_FEWEST_CLAIMS, _MOST_CLAIMS = SENTENCES["hard"]
_MOST_SENTENCES = 4


class CitedClaimReply(Reply):
    """A claim and the numbers of the sentences that state it."""

    claim: str = Field(min_length=1, max_length=500)
    sentences: list[int] = Field(max_length=_MOST_SENTENCES)


class ReasonedAnswerReply(Reply):
    """What the model sends back; the reasoning comes before the answer."""

    reasoning: str = Field(max_length=1000)
    claims: list[CitedClaimReply] = Field(min_length=_FEWEST_CLAIMS, max_length=_MOST_CLAIMS)


class WrittenAnswer(Record):
    """The claims of an answer, each with the sentences named for it, before any check.

    `misnumbered` counts the numbers that name no sentence.
    """

    claims: tuple[Claimed, ...]
    reasoning: str
    misnumbered: int
    call: str


async def write_cited_answer(
    binding: Binding, query: str, gold: Sequence[Passage], *, advice: str, sample: int = 0
) -> WrittenAnswer:
    """Answer the query from the gold. A claim said twice counts once; a number without a sentence names nothing.

    Raises:
        ReplyError: when the reply could not be read.
    """
    sentences = sentences_of(gold)
    values = {"passage": numbered_passages(gold, sentences), "query": query, "advice": advice or "-"}
    completion = await binding.ask(values, ReasonedAnswerReply, sample=sample)
    known = range(1, len(sentences) + 1)
    named: dict[str, tuple[Evidence, ...]] = {}
    for one in completion.reply.claims:
        numbers = dict.fromkeys(number for number in one.sentences if number in known)
        named.setdefault(one.claim.strip(), tuple(sentences[number - 1] for number in numbers))
    claims = tuple(Claimed(claim=claim, evidence=evidence) for claim, evidence in named.items() if claim)
    given = [number for one in completion.reply.claims for number in one.sentences]
    return WrittenAnswer(
        claims=claims,
        reasoning=completion.reply.reasoning.strip(),
        misnumbered=sum(number not in known for number in given),
        call=completion.key,
    )
