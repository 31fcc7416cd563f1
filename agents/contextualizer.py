"""The contextualizer turns a standalone query into the query as typed in its conversation."""

from pydantic import Field

from mtr.binding import Binding
from mtr.conversation.drafting import without_dash
from mtr.conversation.wording import Wording
from mtr.llm import Reply
from mtr.prompts import DomainSettings
from mtr.records import Record


class WordingReply(Reply):
    """What the model sends back."""

    query: str = Field(min_length=1, max_length=400)


class DraftWording(Record):
    """A wording before any check."""

    query: str
    call: str


async def draft_wording(
    binding: Binding, wording: Wording, settings: DomainSettings, *, persona: str, advice: str, sample: int = 0
) -> DraftWording:
    """Ask for the query as this user types it.

    Raises:
        ReplyError: when the reply could not be read.
    """
    last = wording.leans_on
    values = {
        "last_query": last.standalone_query if last else "-",
        "last_answer": last.answer if last else "-",
        "query": wording.query,
        "clear": " | ".join(wording.clear(settings)) or "-",
        "persona": persona or "-",
        "advice": advice or "-",
    }
    completion = await binding.ask(values, WordingReply, sample=sample)
    return DraftWording(query=without_dash(completion.reply.query), call=completion.key)
