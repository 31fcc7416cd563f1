"""The query rewriter turns a query as typed in its conversation into a standalone query."""

from pydantic import Field

from mtr.binding import Binding
from mtr.datasets.records import AnyTurn
from mtr.judging.showing import shown_history
from mtr.llm import Reply
from mtr.prompts import DomainSettings
from mtr.records import Record


class RewriteReply(Reply):
    """What the model sends back."""

    query: str = Field(min_length=1, max_length=600)


class Rewrite(Record):
    """A standalone query; `call` is empty where there was nothing to rewrite."""

    query: str
    call: str = ""


async def rewrite_query(binding: Binding, turn: AnyTurn, settings: DomainSettings, *, sample: int = 0) -> Rewrite:
    """Ask for the standalone query; one with nothing said before it stands alone already.

    Raises:
        ReplyError: when the reply could not be read.
    """
    query = " ".join(turn.query.split())
    if not turn.history or not query:
        return Rewrite(query=turn.query)
    values = {"history": shown_history(turn.history, settings), "query": query}
    completion = await binding.ask(values, RewriteReply, sample=sample)
    return Rewrite(query=completion.reply.query.strip(), call=completion.key)
