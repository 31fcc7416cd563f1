"""The answer verifier rules whether every claim of an answer is stated in its gold passages."""

from collections.abc import Sequence

from mtr.binding import Binding
from mtr.conversation.showing import shown_passages
from mtr.llm import YesNo
from mtr.records import Passage, Record, Verdict
from mtr.thresholds import Thresholds


class SupportRuling(Record):
    """The verdict and the ledger key of the call behind it."""

    verdict: Verdict
    call: str


async def verify_support(
    binding: Binding, query: str, answer: str, gold: Sequence[Passage], cuts: Thresholds
) -> SupportRuling:
    """Ask whether the gold states every claim of the answer."""
    values = {"passage": shown_passages(gold), "query": query, "answer": answer}
    completion = await binding.ask(values, YesNo)
    passed = cuts.is_supported(completion.probability, completion.reply.yes)
    verdict = Verdict(
        criterion="answer support", judge=binding.model, passed=passed, probability=completion.probability
    )
    return SupportRuling(verdict=verdict, call=completion.key)
