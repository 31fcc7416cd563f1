"""The user simulator drafts one query that one fact answers."""

from pydantic import Field

from mtr.binding import Binding
from mtr.conversation.drafting import without_dash
from mtr.corpus.facts import Fact
from mtr.llm import Reply
from mtr.records import Record

_NOTHING = "-"


class QueryReply(Reply):
    """What the model sends back."""

    query: str = Field(max_length=220)


class DraftQuery(Record):
    """A standalone query before any check."""

    query: str
    call: str


async def draft_query(binding: Binding, fact: Fact, *, advice: str, sample: int = 0) -> DraftQuery:
    """Ask for a query about the fact; `advice` says what was wrong with the last draft about it.

    Raises:
        ReplyError: when the reply could not be read.
    """
    values = {
        "topic": fact.topic or _NOTHING,
        "context": fact.context or _NOTHING,
        "fact": fact.text,
        "opening": fact.opening or _NOTHING,
        "advice": advice or _NOTHING,
    }
    completion = await binding.ask(values, QueryReply, sample=sample)
    return DraftQuery(query=without_dash(completion.reply.query), call=completion.key)
