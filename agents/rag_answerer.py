"""The RAG answerer answers a query in its conversation from what was retrieved, or says that it cannot."""

from collections.abc import Sequence

from pydantic import Field

from mtr.binding import Binding
from mtr.datasets.records import AnyPassage, AnyTurn
from mtr.llm import Reply, Usage
from mtr.prompts import DomainSettings
from mtr.rag.showing import answerer_values
from mtr.records import Record


class RagAnswerReply(Reply):
    """What the model sends back."""

    answer: str = Field(min_length=1, max_length=4000)
    answered: bool


class RagAnswer(Record):
    """An answer, and whether it only says that it cannot be given. Usage and seconds are those of the call."""

    answer: str
    refused: bool
    usage: Usage | None
    seconds: float
    call: str


async def answer_query(
    binding: Binding, turn: AnyTurn, passages: Sequence[AnyPassage], settings: DomainSettings, *, sample: int = 0
) -> RagAnswer:
    """Answer the turn's query from the passages, best first; its own answer and gold are not looked at.

    Raises:
        ReplyError: when the reply could not be read.
    """
    completion = await binding.ask(answerer_values(turn, passages, settings), RagAnswerReply, sample=sample)
    reply = completion.reply
    return RagAnswer(
        answer=reply.answer.strip(),
        refused=not reply.answered,
        usage=completion.usage,
        seconds=completion.seconds,
        call=completion.key,
    )
