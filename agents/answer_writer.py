"""The answer writer joins passages to an answer, claim by claim, and quotes the words that state each claim."""

from collections.abc import Sequence

from pydantic import Field

from mtr.binding import Binding
from mtr.conversation.showing import shown_passages
from mtr.llm import Reply
from mtr.questions.evidence import Quoted
from mtr.records import Passage, Record
from mtr.words import is_dense

_MOST_CLAIMS, _MOST_QUOTES = 10, 4


class QuotedClaimReply(Reply):
    """A claim and the words of the passages that state it."""

    claim: str = Field(min_length=1, max_length=500)
    quotes: list[str] = Field(max_length=_MOST_QUOTES)


class ReasonedAnswerReply(Reply):
    """What the model sends back; the reasoning comes before the answer."""

    reasoning: str
    claims: list[QuotedClaimReply] = Field(min_length=1, max_length=_MOST_CLAIMS)


class WrittenAnswer(Record):
    """An answer before any check."""

    quoted: tuple[Quoted, ...]
    reasoning: str
    call: str

    @property
    def answer(self) -> str:
        """The claims in a row."""
        claims = [one.claim for one in self.quoted]
        return ("" if is_dense(claims[0]) else " ").join(claims)


async def write_quoted_answer(
    binding: Binding, query: str, gold: Sequence[Passage], *, advice: str, sample: int = 0
) -> WrittenAnswer:
    """Answer the query from the gold.

    Raises:
        ReplyError: when the reply could not be read.
    """
    values = {"passage": shown_passages(gold), "query": query, "advice": advice or "-"}
    completion = await binding.ask(values, ReasonedAnswerReply, sample=sample)
    reply = completion.reply
    quoted = tuple(Quoted(claim=one.claim.strip(), quotes=tuple(one.quotes)) for one in reply.claims)
    return WrittenAnswer(quoted=quoted, reasoning=reply.reasoning.strip(), call=completion.key)
