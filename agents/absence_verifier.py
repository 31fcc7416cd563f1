"""The absence verifier proves that a query has no answer: none of the nearest of the whole collection has one."""

from collections.abc import Sequence

from mtr.binding import Binding
from mtr.conversation.showing import shown_passages
from mtr.corpus.facts import topic_of
from mtr.llm import YesNo
from mtr.prompts import DomainSettings
from mtr.records import Candidate, Passage, Record
from mtr.thresholds import Thresholds


class AbsenceRuling(Record):
    """The passages asked, nearest first; `fault` is empty when none of them answers."""

    candidates: tuple[Candidate, ...]
    calls: tuple[str, ...]
    fault: str = ""


async def prove_absence(
    binding: Binding, query: str, nearest: Sequence[Passage], cuts: Thresholds, settings: DomainSettings
) -> AbsenceRuling:
    """Ask of each passage whether it answers, and stop at the first that does.

    One that comes within the model's margin of what a gold passage has to reach counts as answering.

    Raises:
        ReplyError: when a reply could not be read.
    """
    candidates: list[Candidate] = []
    calls: list[str] = []
    for rank, passage in enumerate(nearest, 1):
        judged = await binding.ask({"passage": shown_passages([passage]), "query": query}, YesNo)
        answers = cuts.rivals(judged.probability, judged.reply.yes, cuts.gold)
        candidates.append(
            Candidate(passage_id=passage.passage_id, rank=rank, probability=judged.probability, answers=answers)
        )
        calls.append(judged.key)
        if answers:
            fault = settings.fault("answered", topic=topic_of(passage))
            return AbsenceRuling(candidates=tuple(candidates), calls=tuple(calls), fault=fault)
    return AbsenceRuling(candidates=tuple(candidates), calls=tuple(calls))
