"""Drawing the passage set of a question: the planned anchors first, then others by seed, each with its partner."""

from collections.abc import Sequence

from graphs.materials import Materials
from graphs.questions_context import QuestionsContext
from graphs.questions_state import QuestionState
from graphs.questions_updates import Update, drawn, spent
from mtr.corpus.facts import topic_of
from mtr.questions.facts import askable_facts
from mtr.questions.passage_sets import (
    Group,
    Joined,
    beginning_at,
    joined_groups,
    paired_groups,
    partners,
    single_groups,
)
from mtr.seeding import seeded

_MORE = 60
_PARTNERS = 6
_NEAREST = 12


async def drawn_set(state: QuestionState, context: QuestionsContext, materials: Materials) -> Update:
    """The next passage set that has facts for the tier; the end when as many as allowed were drawn."""
    if state.sets >= context.set_tries:
        return spent(state, "passage sets spent")
    order = _order(state, context, materials)
    for place in range(state.looked_at, len(order)):
        passage_set, found = await _set_of(order[place], state, context.seed + state.attempt, materials)
        if groups := beginning_at(found, state.skip):
            return drawn(state, passage_set, groups, place + 1)
    return spent(state, "no passage has facts left")


async def _set_of(
    anchor: str, state: QuestionState, seed: int, materials: Materials
) -> tuple[tuple[str, ...], list[Group]]:
    """The anchor, with a partner where the tier has one, and their groups of facts; no groups where facts are few."""
    passages, settings = materials.corpus.passages, materials.settings
    first = passages[anchor]
    if state.tier == "easy":
        return (anchor,), single_groups(first, settings, seed, state.wanted)
    if state.tier == "unanswerable":
        return (anchor,), paired_groups(first, settings, seed)
    best, best_partner = Joined(groups=(), shared=0), anchor
    for partner in await _partners(anchor, state, seed, materials):
        joined = joined_groups(first, passages[partner], state.tier, settings, seed, state.wanted)
        if joined.groups and (joined.shared > best.shared or not best.groups):
            best, best_partner = joined, partner
    # Facts of two documents that share no word are about different things, and a comparison of them is forced.
    related = state.tier == "medium" or best.shared > 0
    return (anchor, best_partner), list(best.groups) if related else []


async def _partners(anchor: str, state: QuestionState, seed: int, materials: Materials) -> Sequence[str]:
    """The first partners by document and cluster; for a hard query also the nearest of the whole collection."""
    mates = partners(materials.corpus, anchor, state.tier)
    facts = askable_facts(materials.corpus.passages[anchor], materials.settings, seed)
    if state.tier != "hard" or not facts:
        return mates[:_PARTNERS]
    said = f"{topic_of(materials.corpus.passages[anchor])} {facts[0].text}"
    both = partners(materials.corpus, anchor, state.tier, await materials.collection.nearest(said, _NEAREST))
    return (*mates[:_PARTNERS], *both[len(mates) :][:_PARTNERS])


def _order(state: QuestionState, context: QuestionsContext, materials: Materials) -> list[str]:
    everything = list(materials.corpus.passages)
    draw = seeded(context.seed, state.seed_item, state.attempt, "passages")
    return list(dict.fromkeys((*state.anchors, *draw.sample(everything, min(_MORE, len(everything))))))
