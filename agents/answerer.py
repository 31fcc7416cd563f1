"""The answerer writes the answer to a query from its gold passages alone."""

from collections.abc import Sequence

from pydantic import Field

from mtr.binding import Binding
from mtr.conversation.showing import shown_passages
from mtr.llm import Reply
from mtr.records import Passage, Record


class AnswerReply(Reply):
    """What the model sends back."""

    answer: str = Field(max_length=800)


class DraftAnswer(Record):
    """An answer before any check."""

    answer: str
    call: str


async def draft_answer(
    binding: Binding, query: str, gold: Sequence[Passage], *, advice: str, sample: int = 0
) -> DraftAnswer:
    """Answer the query from the gold.

    Raises:
        ReplyError: when the reply could not be read.
    """
    values = {"passage": shown_passages(gold), "query": query, "advice": advice or "-"}
    completion = await binding.ask(values, AnswerReply, sample=sample)
    return DraftAnswer(answer=completion.reply.answer.strip(), call=completion.key)
