"""The need verifier proves a passage set: together its passages answer, with any one withheld they do not."""

from collections.abc import Sequence

from mtr.binding import Binding
from mtr.conversation.showing import shown_passages
from mtr.corpus.facts import topic_of
from mtr.llm import Completion, YesNo
from mtr.prompts import DomainSettings
from mtr.records import Candidate, Passage, Record, Verdict
from mtr.thresholds import Thresholds

TOGETHER, NEEDED = "gold answers", "passage needed"


class NeedRuling(Record):
    """Verdicts on the whole set and on each rest of it; candidates are single passages beside the set, as asked.

    `fault` is empty when the set is proven.
    """

    verdicts: tuple[Verdict, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    calls: tuple[str, ...] = ()
    fault: str = ""


async def prove_need(
    binding: Binding,
    query: str,
    gold: Sequence[Passage],
    others: Sequence[Passage],
    cuts: Thresholds,
    settings: DomainSettings,
) -> NeedRuling:
    """Ask of all gold passages, then of those left without each one, then of each other passage, whether they answer.

    A rest, or another passage, that comes within the model's `need` of the whole set counts as answering, and ends it.

    Raises:
        ReplyError: when a reply could not be read.
    """
    whole = await _asked(binding, query, gold)
    together = cuts.answer_together(whole.probability, whole.reply.yes)
    verdicts, calls = [_verdict(binding, TOGETHER, whole, passed=together)], [whole.key]
    if not together:
        fault = settings.fault("not_answered_together")
        return NeedRuling(verdicts=tuple(verdicts), calls=tuple(calls), fault=fault)
    for withheld in gold:
        rest = await _asked(binding, query, [passage for passage in gold if passage is not withheld])
        suffices = cuts.suffices(rest.probability, rest.reply.yes, whole.probability)
        verdicts.append(_verdict(binding, NEEDED, rest, passed=not suffices, reason=withheld.passage_id))
        calls.append(rest.key)
        if suffices:
            fault = settings.fault("answered_without", topic=topic_of(withheld))
            return NeedRuling(verdicts=tuple(verdicts), calls=tuple(calls), fault=fault)
    candidates: list[Candidate] = []
    for rank, other in enumerate(others, 1):
        alone = await _asked(binding, query, [other])
        answers = cuts.suffices(alone.probability, alone.reply.yes, whole.probability)
        candidates.append(
            Candidate(passage_id=other.passage_id, rank=rank, probability=alone.probability, answers=answers)
        )
        calls.append(alone.key)
        if answers:
            fault = settings.fault("answered_alone", topic=topic_of(other))
            return NeedRuling(verdicts=tuple(verdicts), candidates=tuple(candidates), calls=tuple(calls), fault=fault)
    return NeedRuling(verdicts=tuple(verdicts), candidates=tuple(candidates), calls=tuple(calls))


async def _asked(binding: Binding, query: str, passages: Sequence[Passage]) -> Completion[YesNo]:
    return await binding.ask({"passage": shown_passages(passages), "query": query}, YesNo)


def _verdict(binding: Binding, criterion: str, judged: Completion[YesNo], *, passed: bool, reason: str = "") -> Verdict:
    return Verdict(
        criterion=criterion, judge=binding.model, passed=passed, probability=judged.probability, reason=reason
    )
