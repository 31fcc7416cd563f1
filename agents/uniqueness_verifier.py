"""The uniqueness verifier proves the gold against the whole collection: it answers, and its nearest rivals do not."""

from collections.abc import Sequence

from mtr.binding import Binding
from mtr.conversation.showing import shown_passages
from mtr.corpus.facts import topic_of
from mtr.llm import Completion, YesNo
from mtr.prompts import DomainSettings
from mtr.records import Candidate, Passage, Record
from mtr.thresholds import Thresholds


class Ruling(Record):
    """Candidates in the order asked, the gold first. `fault` is empty when the gold is proven."""

    candidates: tuple[Candidate, ...]
    further_gold: tuple[str, ...] = ()
    rival: str = ""
    fault: str = ""
    calls: tuple[str, ...] = ()


async def prove_gold(
    binding: Binding,
    query: str,
    gold: Passage,
    others: Sequence[Passage],
    cuts: Thresholds,
    settings: DomainSettings,
    *,
    multi_gold: bool,
) -> Ruling:
    """Ask of the gold, then of each other passage in rank order, whether it answers; stop at the first rival.

    With `multi_gold` a rival that surely answers becomes a further gold instead.
    """
    judged = await _asked(binding, query, gold)
    first = _candidate(gold, 0, judged, answers=cuts.is_gold(judged.probability, judged.reply.yes))
    candidates, calls, further = [first], [judged.key], []
    if not first.answers:
        return Ruling(candidates=(first,), calls=(judged.key,), fault=settings.fault("not_answered"))
    for rank, passage in enumerate(others, 1):
        judged = await _asked(binding, query, passage)
        calls.append(judged.key)
        rivals = cuts.rivals(judged.probability, judged.reply.yes, first.probability)
        candidates.append(_candidate(passage, rank, judged, answers=rivals))
        if not rivals:
            continue
        if multi_gold and cuts.is_second_gold(judged.probability, judged.reply.yes):
            further.append(passage.passage_id)
            continue
        fault = settings.fault("answered_as_well", topic=topic_of(passage))
        return Ruling(candidates=tuple(candidates), rival=passage.passage_id, calls=tuple(calls), fault=fault)
    return Ruling(candidates=tuple(candidates), further_gold=tuple(further), calls=tuple(calls))


async def _asked(binding: Binding, query: str, passage: Passage) -> Completion[YesNo]:
    return await binding.ask({"passage": shown_passages([passage]), "query": query}, YesNo)


def _candidate(passage: Passage, rank: int, judged: Completion[YesNo], *, answers: bool) -> Candidate:
    return Candidate(passage_id=passage.passage_id, rank=rank, probability=judged.probability, answers=answers)
