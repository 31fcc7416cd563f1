"""The uniqueness verifier proves the gold against the whole collection: it answers, and its nearest rivals do not."""

from collections.abc import Sequence

from mtr.binding import Binding
from mtr.conversation.showing import shown_passages
from mtr.corpus.facts import topic_of
from mtr.llm import YesNo
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
    binding: Binding, query: str, gold: Passage, others: Sequence[Passage], cuts: Thresholds, *, multi_gold: bool
) -> Ruling:
    """Ask of the gold, then of each other passage in rank order, whether it answers; stop at the first rival.

    With `multi_gold` a rival that surely answers becomes a further gold instead.
    """
    first, call = await _answers(binding, query, gold, 0)
    asked, calls, further = [first], [call], []
    if not cuts.is_gold(first.probability, first.answers):
        return Ruling(candidates=(first,), calls=(call,), fault="the passage does not answer it completely")
    for rank, passage in enumerate(others, 1):
        other, call = await _answers(binding, query, passage, rank)
        asked.append(other)
        calls.append(call)
        if not cuts.rivals(other.probability, other.answers, first.probability):
            continue
        if multi_gold and cuts.is_second_gold(other.probability, other.answers):
            further.append(passage.passage_id)
            continue
        fault = f"another passage answers it as well: {topic_of(passage)}"
        return Ruling(candidates=tuple(asked), rival=passage.passage_id, calls=tuple(calls), fault=fault)
    return Ruling(candidates=tuple(asked), further_gold=tuple(further), calls=tuple(calls))


async def _answers(binding: Binding, query: str, passage: Passage, rank: int) -> tuple[Candidate, str]:
    completion = await binding.ask({"passage": shown_passages([passage]), "query": query}, YesNo)
    candidate = Candidate(
        passage_id=passage.passage_id, rank=rank, probability=completion.probability, answers=completion.reply.yes
    )
    return candidate, completion.key
