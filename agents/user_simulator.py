"""The user simulator drafts one query that one fact answers."""

from collections.abc import Sequence

from pydantic import Field

from mtr.binding import Binding
from mtr.corpus.facts import Fact
from mtr.llm import Reply
from mtr.records import Record

_NOTHING = "-"
_EARLIER_SHOWN = 3


class QueryReply(Reply):
    """What the model sends back."""

    query: str = Field(max_length=220)


class DraftQuery(Record):
    """A standalone query before any check."""

    query: str
    call: str


async def draft_query(
    binding: Binding, fact: Fact, *, earlier: Sequence[str], feedback: str, sample: int = 0
) -> DraftQuery:
    """Ask for a query about the fact, unlike those asked earlier.

    Raises:
        ReplyError: when the reply could not be read.
    """
    values = {
        "topic": fact.topic or _NOTHING,
        "context": fact.context or _NOTHING,
        "fact": fact.text,
        "earlier": " | ".join(earlier[-_EARLIER_SHOWN:]) or _NOTHING,
        "advice": feedback or _NOTHING,
    }
    completion = await binding.ask(values, QueryReply, sample=sample)
    return DraftQuery(query=completion.reply.query.strip(), call=completion.key)
