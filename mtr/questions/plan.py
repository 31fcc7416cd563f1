"""The plan of a question set, drawn before any model is asked: tier, wanted type and passages of every slot."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from mtr.corpus.corpus import Corpus
from mtr.corpus.facts import Fact
from mtr.errors import InputError
from mtr.prompts import DomainSettings
from mtr.query_types import QueryType
from mtr.questions.facts import askable_facts, specifics
from mtr.questions.passage_sets import offered_type
from mtr.questions.sampling import Draw, draw_passages
from mtr.questions.strata import Strata, strata_of
from mtr.questions.tiers import Tier, slot_tiers
from mtr.questions.types import offered, wanted_types
from mtr.records import Record
from mtr.seeding import seeded

_REPLACEMENTS = 3
Cell = tuple[str, str]


class Slot(Record):
    """One question to be made; `use` counts the slots before it that begin with the same passage."""

    tier: Tier
    wanted: QueryType | None
    anchor: str
    use: int
    rank: int


@dataclass(frozen=True)
class Plan:
    """The slots in order, and the passages that may stand in for a slot's own: those of its structure and length."""

    slots: tuple[Slot, ...]
    strata: Mapping[str, Strata]
    barren: tuple[str, ...]
    cells: Mapping[Cell, tuple[str, ...]]
    crowd: Mapping[Cell, int]

    def anchors(self, number: int, attempt: int) -> list[str]:
        """Passages that an attempt at a slot begins with, in the order to try.

        No two slots or attempts share one while the passages of that structure and length last.
        """
        slot = self.slots[number]
        cell = _cell(self.strata[slot.anchor])
        others, step = self.cells[cell], self.crowd[cell]
        first = attempt * _REPLACEMENTS
        more = [others[(slot.rank + place * step) % len(others)] for place in range(first, first + _REPLACEMENTS)]
        return list(dict.fromkeys(more if attempt else [slot.anchor, *more]))


def plan_questions(corpus: Corpus, counts: Mapping[Tier, int], seed: int, settings: DomainSettings) -> Plan:
    """Draw the slots of a set.

    Raises:
        InputError: when no passage of the corpus holds a fact to ask about.
    """
    facts: dict[str, tuple[Fact, ...]] = {}

    def told(passage_id: str) -> int | None:
        found = facts[passage_id] = askable_facts(corpus.passages[passage_id], settings, seed)
        return specifics(found[0]) if found else None

    strata, tiers = strata_of(corpus), slot_tiers(counts, seed)
    draw = draw_passages(strata, len(tiers), seed, told)
    if not draw.passage_ids:
        raise InputError(f"no passage of {corpus.name!r} holds a sentence to ask about in the domain's language")
    anchors = draw.passage_ids
    types = [{offered_type(fact, settings) for fact in facts[anchor]} for anchor in anchors]
    offers = [offered(tier, of_facts) for tier, of_facts in zip(tiers, types, strict=True)]
    wanted = wanted_types(tiers, offers, seed, settings.language)
    uses: Counter[str] = Counter()
    ranks: Counter[Cell] = Counter()
    slots: list[Slot] = []
    for tier, kind, anchor in zip(tiers, wanted, anchors, strict=True):
        cell = _cell(strata[anchor])
        slots.append(Slot(tier=tier, wanted=kind, anchor=anchor, use=uses[anchor], rank=ranks[cell]))
        uses[anchor] += 1
        ranks[cell] += 1
    return Plan(tuple(slots), strata, draw.barren, _cells(strata, draw, seed), ranks)


def _cells(strata: Mapping[str, Strata], draw: Draw, seed: int) -> dict[Cell, tuple[str, ...]]:
    """Passages by structure and length, in seeded order; those that no slot begins with come first."""
    barren = set(draw.barren)
    order = [passage_id for passage_id in strata if passage_id not in barren]
    seeded(seed, "replacements").shuffle(order)
    order.sort(key=set(draw.passage_ids).__contains__)
    cells: dict[Cell, list[str]] = {}
    for passage_id in order:
        cells.setdefault(_cell(strata[passage_id]), []).append(passage_id)
    return {cell: tuple(passage_ids) for cell, passage_ids in cells.items()}


def _cell(strata: Strata) -> Cell:
    return strata.structure, strata.length
