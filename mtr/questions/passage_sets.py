"""What a query is written from: facts of one passage, of two near ones, or of two documents on one subject."""

from collections.abc import Iterable, Sequence

from mtr.corpus.corpus import Corpus
from mtr.corpus.facts import Fact, facts_of
from mtr.prompts import DomainSettings
from mtr.query_types import QueryType, query_type
from mtr.questions.tiers import Tier
from mtr.records import Passage
from mtr.words import content_words

GROUPS = 3
"""Groups of facts offered by one passage set: as many drafts before another set is drawn."""

_WEIGHED = 4
_HARD_FACTS = 2
_SHARED_AT_MOST = 4

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
    facts = facts_of(passage, settings, seed)
    ordered = sorted(facts, key=lambda fact: offered_type(fact, settings) != wanted) if wanted else facts
    return [(fact,) for fact in ordered]


def paired_groups(passage: Passage, settings: DomainSettings, seed: int) -> list[Group]:
    """The passage's facts, two at a time: what a query that goes beyond them sets out from."""
    facts = facts_of(passage, settings, seed)
    return [facts[place : place + 2] for place in range(0, len(facts), 2)]


def joined_groups(first: Passage, second: Passage, tier: Tier, settings: DomainSettings, seed: int) -> list[Group]:
    """Facts of both passages, those that speak of the same things first: a pair for medium, two and two for hard."""
    ours, theirs = (facts_of(one, settings, seed)[:_WEIGHED] for one in (first, second))
    pairs = sorted(
        ((a, b) for a in range(len(ours)) for b in range(len(theirs))),
        key=lambda pair: (-_shared(ours[pair[0]], theirs[pair[1]], settings), sum(pair), pair),
    )
    if tier == "medium":
        return [(ours[a], theirs[b]) for a, b in pairs]
    return [(*_with_next(ours, a), *_with_next(theirs, b)) for a, b in pairs]


def beginning_at(groups: Sequence[Group], skip: int) -> list[Group]:
    """The groups to draft from, `skip` of them left to other questions of the same passages."""
    start = skip % len(groups) if groups else 0
    return [*groups[start:], *groups[:start]][:GROUPS]


def offered_type(fact: Fact, settings: DomainSettings) -> QueryType | None:
    """The type of a query that begins as the fact suggests, None where nothing is suggested."""
    return query_type(f"{fact.opening} x?", settings.language) if fact.opening else None


def _with_next(facts: Sequence[Fact], place: int) -> list[Fact]:
    others = [fact for number, fact in enumerate(facts) if number != place]
    return [facts[place], *others[: _HARD_FACTS - 1]]


def _shared(first: Fact, second: Fact, settings: DomainSettings) -> int:
    """Content words that both speak of, up to a few: pairs that share many say the same twice."""
    words = [content_words(f"{fact.topic} {fact.context} {fact.text}", settings.stopwords) for fact in (first, second)]
    return min(len(words[0] & words[1]), _SHARED_AT_MOST)


def _around(passage_ids: Sequence[str], anchor: str) -> list[str]:
    place = passage_ids.index(anchor)
    order = sorted(range(len(passage_ids)), key=lambda other: (abs(other - place), other))
    return [passage_ids[other] for other in order if other != place]


def _unique(*lists: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for items in lists for item in items))
