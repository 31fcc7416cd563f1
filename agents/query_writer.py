"""The query writer drafts one query from the facts of a passage set: one that joins, compares, or goes beyond them."""

from pydantic import Field

from mtr.binding import Binding
from mtr.conversation.drafting import without_dash
from mtr.llm import Reply
from mtr.questions.passage_sets import Group
from mtr.records import Record

_NOTHING = "-"


class WrittenQueryReply(Reply):
    """What the model sends back."""

    query: str = Field(max_length=320)


class WrittenQuery(Record):
    """A standalone query before any check."""

    query: str
    call: str


async def write_joined_query(
    binding: Binding, group: Group, *, opening: str, advice: str, sample: int = 0
) -> WrittenQuery:
    """Ask for a query from these facts; the binding's prompt is that of the tier.

    Raises:
        ReplyError: when the reply could not be read.
    """
    facts = "\n".join(
        f"{number}. {' '.join(part for part in (f'{fact.topic}:', fact.context, fact.text) if part)}"
        for number, fact in enumerate(group, 1)
    )
    values = {"facts": facts, "opening": opening or _NOTHING, "advice": advice or _NOTHING}
    completion = await binding.ask(values, WrittenQueryReply, sample=sample)
    return WrittenQuery(query=without_dash(completion.reply.query), call=completion.key)
