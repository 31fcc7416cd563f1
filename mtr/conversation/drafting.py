"""From a proven draft to a kept turn: small pure steps between the agents."""

from collections.abc import Collection, Mapping, Sequence

from mtr.corpus.facts import Fact, facts_of
from mtr.prompts import DomainSettings
from mtr.records import Passage, Turn
from mtr.seeding import seeded
from mtr.words import content_words

_FACTS_PER_VISIT = 3
_FACTS_WEIGHED = 6
_SHARED_AT_MOST = 3


def without_dash(query: str) -> str:
    """A drafted query without the dash that small models copy from where their prompt has nothing to tell."""
    return query.strip().removeprefix("- ").lstrip()


def fresh_facts(
    passage: Passage,
    turns: Sequence[Turn],
    failed: Collection[str],
    settings: DomainSettings,
    seed: int,
    *,
    leans_on: Turn | None = None,
) -> tuple[Fact, ...]:
    """The passage's best facts that no turn has used and no draft has `failed` (by `place_of`) in the conversation.

    Among the best, those come first that speak of what the turn leaned on spoke of: their queries can follow it up.
    """
    spent = {_place(e.passage_id, e.start) for turn in turns for e in turn.evidence} | set(failed)
    fresh = [fact for fact in facts_of(passage, settings, seed) if place_of(fact) not in spent][:_FACTS_WEIGHED]
    if leans_on:
        said = content_words(f"{leans_on.standalone_query} {leans_on.answer}", settings.stopwords)
        fresh.sort(key=lambda fact: -min(len(content_words(fact.text, settings.stopwords) & said), _SHARED_AT_MOST))
    return tuple(fresh[:_FACTS_PER_VISIT])


def place_of(fact: Fact) -> str:
    """Where a fact stands, as one word."""
    return _place(fact.passage_id, fact.span.start)


def _place(passage_id: str, start: int) -> str:
    return f"{passage_id}@{start}"


def user_of(settings: DomainSettings, seed: int, slot: int) -> tuple[str, str]:
    """The style and the persona of a conversation: styles in turn over the slots, personas drawn."""
    styles = sorted(settings.styles)
    seeded(seed, "styles").shuffle(styles)
    return styles[slot % len(styles)], seeded(seed, slot, "persona").choice(settings.personas)


def far_wording(wording: str, topic: str, settings: DomainSettings, seed: int, slot: int, turn: int) -> str:
    """A wording that goes back past the last turn: an opener of the domain, with the topic, before the query."""
    openers = settings.words("far_openers")
    if not openers:
        return wording
    opener = seeded(seed, slot, turn, "opener").choice(openers).replace("{topic}", topic)
    gap = "" if opener[-1:] in "：，。" else " "
    return f"{opener}{gap}{wording if opener.rstrip().endswith(('.', '。')) else going_on(wording)}"


def going_on(query: str) -> str:
    """The query as what goes on a sentence begun before it: without its capital, which an abbreviation and I keep."""
    return query[:1].lower() + query[1:] if query[1:2].islower() else query


def short_topic(topic: str) -> str:
    """The part of a topic that names it best in passing: its heading."""
    return topic.rsplit(" - ", 1)[-1].strip("* ")


def used_clusters(turns: Sequence[Turn], cluster_of: Mapping[str, str]) -> tuple[str, ...]:
    """Clusters that the turns' gold lies in, in order of first use."""
    return tuple(dict.fromkeys(cluster_of[turn.gold[0]] for turn in turns))
