"""Which type of query each slot should be: target shares over the set, as far as the facts of its passage allow."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from mtr.query_types import TYPES, QueryType, typed_languages
from mtr.questions.tiers import Tier, apportion
from mtr.seeding import seeded

FACT, HOW, WHY, COMPARISON = TYPES[:4]
TARGETS: Mapping[QueryType, float] = {FACT: 0.5, HOW: 0.2, WHY: 0.2, COMPARISON: 0.1}


def wanted_types(
    tiers: Sequence[Tier], offers: Sequence[Collection[QueryType]], seed: int, language: str
) -> tuple[QueryType | None, ...]:
    """A type for each slot; None everywhere in a language whose queries no rule can type.

    Comparisons go to hard slots, then to medium ones. A type that too few slots offer is made up for by facts.
    """
    if language not in typed_languages():
        return (None,) * len(tiers)
    left = dict(zip(TARGETS, apportion(len(tiers), list(TARGETS.values())), strict=True))
    wanted: list[QueryType] = [FACT] * len(tiers)
    order = list(range(len(tiers)))
    seeded(seed, "types").shuffle(order)
    # Only some easy slots offer a reason or a way, so they are served before those that can ask for anything.
    serves: dict[QueryType, Tier] = {COMPARISON: "hard", WHY: "easy", HOW: "easy"}
    for kind, first in serves.items():
        for slot in sorted(order, key=lambda slot: tiers[slot] != first):
            if left[kind] and wanted[slot] == FACT and kind in offers[slot]:
                wanted[slot] = kind
                left[kind] -= 1
    return tuple(wanted)


def offered(tier: Tier, of_facts: Collection[QueryType | None]) -> frozenset[QueryType]:
    """What a slot offers: a query of one fact, or of one each of two passages, asks for a reason or a way as they do;
    one that concludes from several may ask for anything.
    """
    if tier in ("easy", "medium"):
        further = (FACT, COMPARISON) if tier == "medium" else ()
        return frozenset((*(kind for kind in of_facts if kind is not None), *further))
    return frozenset((FACT, HOW, WHY) if tier == "unanswerable" else (FACT, HOW, WHY, COMPARISON))


def targets(count: int) -> Counter[QueryType]:
    """Queries wanted of each type."""
    return Counter(dict(zip(TARGETS, apportion(count, list(TARGETS.values())), strict=True)))
