"""The reranker says how likely a passage answers what a user searches for."""

from mtr.binding import Binding
from mtr.judging.showing import cut, shown_title
from mtr.llm import YesNo
from mtr.prompts import fenced_text, passage_block
from mtr.records import Record
from mtr.retrieval.searchable import Searchable

_LONGEST_PASSAGE, _LONGEST_QUERY = 6_000, 2_000


class Relevance(Record):
    """P(yes), or 1 and 0 by the written word where the endpoint gives no log probabilities."""

    probability: float
    call: str


async def judge_relevance(binding: Binding, query: str, passage: Searchable, *, sample: int = 0) -> Relevance:
    """Ask whether the passage answers the query; of a long passage the beginning is shown, of a long query the end.

    Raises:
        ReplyError: when the reply could not be read.
    """
    values = {
        "passage": passage_block([(shown_title(passage), cut(passage.text, _LONGEST_PASSAGE))]),
        "query": fenced_text("query", query.strip()[-_LONGEST_QUERY:]),
    }
    completion = await binding.ask(values, YesNo, sample=sample)
    written = float(completion.reply.yes)
    return Relevance(
        probability=written if completion.probability is None else completion.probability, call=completion.key
    )
