"""The listwise reranker puts the passages of a window in order."""

from collections.abc import Sequence

from pydantic import Field

from mtr.binding import Binding
from mtr.errors import ReplyError
from mtr.judging.showing import cut
from mtr.llm import Reply
from mtr.prompts import fenced_text, passage_block
from mtr.records import Record
from mtr.retrieval.searchable import Searchable

_LONGEST_PASSAGE, _LONGEST_QUERY = 1_200, 2_000


class OrderReply(Reply):
    """What the model sends back: numbers from 1, the best first."""

    order: list[int] = Field(min_length=1)


class Order(Record):
    """Places from 0, the best first."""

    places: tuple[int, ...]
    call: str


async def order_passages(binding: Binding, query: str, passages: Sequence[Searchable], *, sample: int = 0) -> Order:
    """Ask for the order; of a long passage the beginning is shown, of a long query the end.

    Raises:
        ReplyError: when the reply could not be read, or names a number twice or one that was not shown.
    """
    shown = [
        (f"{number}: {one.title}".rstrip(": "), cut(one.text, _LONGEST_PASSAGE))
        for number, one in enumerate(passages, 1)
    ]
    values = {"passages": passage_block(shown), "query": fenced_text("query", query.strip()[-_LONGEST_QUERY:])}
    completion = await binding.ask(values, OrderReply, sample=sample)
    order = completion.reply.order
    if len(set(order)) < len(order) or not all(1 <= number <= len(passages) for number in order):
        raise ReplyError(f"{binding.model} put {len(passages)} passages in the order {order}")
    return Order(places=tuple(number - 1 for number in order), call=completion.key)
