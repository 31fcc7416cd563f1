"""What a query is written from: facts of one passage, of two near ones, or of two documents on one subject."""

from collections.abc import Iterable, Sequence

from mtr.corpus.corpus import Corpus
from mtr.corpus.facts import Fact
from mtr.prompts import DomainSettings
from mtr.query_types import QueryType, query_type
from mtr.questions.facts import askable_facts
from mtr.questions.tiers import Tier
from mtr.records import Passage, Record
from mtr.words import content_words, jaccard

GROUPS = 3
"""Groups of facts offered by one passage set: as many drafts before another set is drawn."""

_WEIGHED = 4
_SHARED_AT_MOST = 4
_SAME_AT = 0.6

Group = tuple[Fact, ...]


def partners(corpus: Corpus, anchor: str, tier: Tier, nearest: Sequence[str] = ()) -> tuple[str, ...]:
    """Passages that may join the anchor, best first.

    Medium: its document's others, the nearest in order first, then its cluster's. Hard: those of other documents in
    its cluster, then among the `nearest` of the whole collection. The other tiers have one passage.
    """
    document = corpus.passages[anchor].document_id
    mates = _around(corpus.members[corpus.cluster_of[anchor]], anchor)
    if tier == "medium":
        return _unique(_around(corpus.passages_of[document], anchor), mates)
    if tier == "hard":
        return tuple(p for p in _unique(mates, nearest) if corpus.passages[p].document_id != document)
    return ()


def single_groups(passage: Passage, settings: DomainSettings, seed: int, wanted: QueryType | None) -> list[Group]:
    """Each of the passage's facts alone, best first; those that a query of the wanted type may ask for lead."""
    facts = askable_facts(passage, settings, seed)
    ordered = sorted(facts, key=lambda fact: offered_type(fact, settings) != wanted) if wanted else facts
    return [(fact,) for fact in ordered]


def paired_groups(passage: Passage, settings: DomainSettings, seed: int) -> list[Group]:
    """The passage's facts, two at a time: what a query that goes beyond them sets out from."""
    facts = askable_facts(passage, settings, seed)
    return [facts[place : place + 2] for place in range(0, len(facts), 2)]


class Joined(Record):
    """Groups of facts of two passages, those that speak of the same things first; `shared` words in the first group."""

    groups: tuple[Group, ...]
    shared: int


def joined_groups(
    first: Passage, second: Passage, tier: Tier, settings: DomainSettings, seed: int, wanted: QueryType | None = None
) -> Joined:
    """A fact of each passage for medium, two of each for hard. Facts that say the same make no group.

    Medium: those that a query of the wanted type may ask for lead.
    """
    leading = [group[0] for group in single_groups(first, settings, seed, wanted if tier == "medium" else None)]
    ours, theirs = leading[:_WEIGHED], askable_facts(second, settings, seed)[:_WEIGHED]
    asked = [tier == "medium" and wanted is not None and offered_type(fact, settings) == wanted for fact in ours]
    shared = {
        (a, b): _shared(ours[a], theirs[b], settings)
        for a in range(len(ours))
        for b in range(len(theirs))
        if not _same(ours[a], theirs[b], settings)
    }
    pairs = sorted(shared, key=lambda pair: (not asked[pair[0]], -shared[pair], sum(pair), pair))
    more = 0 if tier == "medium" else 1
    groups = [(*_with_next(ours, a, more), *_with_next(theirs, b, more)) for a, b in pairs]
    return Joined(groups=tuple(groups), shared=shared[pairs[0]] if pairs else 0)


def beginning_at(groups: Sequence[Group], skip: int) -> list[Group]:
    """The groups to draft from, `skip` of them left to other questions of the same passages."""
    start = skip % len(groups) if groups else 0
    return [*groups[start:], *groups[:start]][:GROUPS]


def offered_type(fact: Fact, settings: DomainSettings) -> QueryType | None:
    """The type of a query that begins as the fact suggests, None where nothing is suggested."""
    return query_type(f"{fact.opening} x?", settings.language) if fact.opening else None


def _with_next(facts: Sequence[Fact], place: int, more: int) -> list[Fact]:
    """The fact at a place and so many of the best others."""
    others = [fact for number, fact in enumerate(facts) if number != place]
    return [facts[place], *others[:more]]


def _shared(first: Fact, second: Fact, settings: DomainSettings) -> int:
    """Content words that both speak of, topics included, up to a few: more of them do not make a better query."""
    words = [content_words(f"{fact.topic} {fact.context} {fact.text}", settings.stopwords) for fact in (first, second)]
    return min(len(words[0] & words[1]), _SHARED_AT_MOST)


def _same(first: Fact, second: Fact, settings: DomainSettings) -> bool:
    """Whether they say the same, so that one of them would answer for both."""
    return jaccard(*(content_words(fact.text, settings.stopwords) for fact in (first, second))) >= _SAME_AT


def _around(passage_ids: Sequence[str], anchor: str) -> list[str]:
    place = passage_ids.index(anchor)
    order = sorted(range(len(passage_ids)), key=lambda other: (abs(other - place), other))
    return [passage_ids[other] for other in order if other != place]


def _unique(*lists: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for items in lists for item in items))
