"""A query over two passages that was drafted fact by fact: its halves joined, and each checked by itself."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from mtr.conversation.drafting import going_on
from mtr.prompts import DomainSettings
from mtr.prompts.places import filled
from mtr.questions.checks import tier_query_fault
from mtr.questions.passage_sets import Group
from mtr.words import is_dense, tokens


def joined(halves: Sequence[str], settings: DomainSettings) -> str:
    """One query of two, by the domain's `halves`: the first without its question mark, the second going on."""
    first, second = (half.strip().rstrip("?？ ") for half in halves)
    mark = "？" if is_dense(second) else "?"
    asks = next(iter(tokens(second)), "") in settings.stopwords
    rest = going_on(second) if asks else second
    return filled(settings.words("halves")[0], {"first": first, "second": f"{rest}{mark}"})


def halves_fault(halves: Sequence[str], group: Group, vocabulary: AbstractSet[str], settings: DomainSettings) -> str:
    """The first fault of a half as a query about its fact alone, or an empty string, also where there are no halves."""
    faults = (
        tier_query_fault(half, "easy", (fact,), vocabulary, settings) for half, fact in zip(halves, group, strict=False)
    )
    return next((fault for fault in faults if fault), "")
