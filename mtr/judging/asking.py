"""Which asks a turn gives: read off the inputs of each criterion, never a score where an input is lacking."""

import random
from collections.abc import Mapping, Sequence
from functools import cached_property

from mtr.datasets.records import AnyPassage, AnyTurn
from mtr.errors import InputError
from mtr.records import Record
from mtr.seeding import seeded
from mtr.verdicts import Ask, Criterion, Unasked

INPUTS = ("history", "query", "answer", "passage", "passages", "candidates", "retrieved", "reference")
"""What a criterion may ask to be shown: one gold passage, all of them, gold and hard negatives in drawn order; of a RAG
system's turn what it retrieved, and the answer it should have given or else the gold.
"""

ORDERS = 3
MOST_GOLD = 3
MOST_TOGETHER = 10
MOST_CANDIDATES = 8


class Docket(Record):
    """A turn with everything its judges may be shown: the passages by id, gold first, then hard negatives as ranked.

    Where the answer is a RAG system's, `retrieved` is what it retrieved, best first, None where it did not say, and
    `reference` holds the answers that the data set gives.
    """

    turn: AnyTurn
    gold: tuple[AnyPassage, ...]
    hard_negatives: tuple[AnyPassage, ...] = ()
    retrieved: tuple[AnyPassage, ...] | None = None
    reference: tuple[str, ...] = ()

    @cached_property
    def passages(self) -> Mapping[str, AnyPassage]:
        """All of them by id."""
        found = (*self.gold, *self.hard_negatives, *(self.retrieved or ()))
        return {passage.passage_id: passage for passage in found}


def check_inputs(criteria: Sequence[Criterion]) -> None:
    """InputError when a criterion wants to be shown what no turn has."""
    for one in criteria:
        if strange := [name for name in one.inputs if name not in INPUTS]:
            raise InputError(
                f"criterion {one.name}: unknown input {strange[0]!r}; a criterion may use {', '.join(INPUTS)}"
            )


def asks_of(docket: Docket, one: Criterion, seed: int) -> tuple[tuple[Ask, ...], Unasked | None]:
    """The asks of a criterion on a turn, or the reason why there are none.

    One ask for each of at most three gold passages, or one with at most ten of them together, or three orders of them
    among hard negatives.
    """
    if reason := _lacking(docket, one):
        return (), Unasked(query_id=docket.turn.query_id, criterion=one.name, reason=reason)
    gold = drawn_gold(docket, seed)
    ids = tuple(passage.passage_id for passage in gold)
    query_id = docket.turn.query_id
    if "candidates" in one.inputs:
        orders = _orders(docket, ids, seed)
        return tuple(
            Ask(query_id=query_id, criterion=one.name, order=number, shown=shown)
            for number, shown in enumerate(orders, 1)
        ), None
    if "passage" in one.inputs:
        return tuple(Ask(query_id=query_id, criterion=one.name, subject=name, shown=(name,)) for name in ids), None
    return (Ask(query_id=query_id, criterion=one.name, shown=_together(docket, one)),), None


def _together(docket: Docket, one: Criterion) -> tuple[str, ...]:
    """The passages shown in a single ask: what was retrieved, or the gold where the criterion is shown that."""
    if "retrieved" in one.inputs:
        return tuple(passage.passage_id for passage in docket.retrieved or ())
    gold = "passages" in one.inputs or ("reference" in one.inputs and not docket.reference)
    return tuple(passage.passage_id for passage in docket.gold[:MOST_TOGETHER]) if gold else ()


def drawn_gold(docket: Docket, seed: int) -> tuple[AnyPassage, ...]:
    """At most three of the gold passages, drawn by seed, in the source's order."""
    if len(docket.gold) <= MOST_GOLD:
        return docket.gold
    places = seeded(seed, docket.turn.query_id, "gold").sample(range(len(docket.gold)), MOST_GOLD)
    return tuple(docket.gold[place] for place in sorted(places))


def _lacking(docket: Docket, one: Criterion) -> str:
    turn, wanted = docket.turn, set(one.inputs)
    if "answer" in wanted and not (turn.answer or "").strip():
        return "the turn has no answer"
    if wanted & {"passage", "passages", "candidates"} and not docket.gold:
        return "no gold is marked" if not turn.gold else "the corpus has no text of its gold"
    if "candidates" in wanted and not docket.hard_negatives:
        return "the corpus has no other passage to choose from"
    if "retrieved" in wanted and not docket.retrieved:
        unknown = docket.retrieved is None
        return "the system does not say what it retrieved" if unknown else "nothing with a known text was retrieved"
    if "reference" in wanted and not docket.reference and not docket.gold:
        return "the set has neither a reference answer nor gold"
    return ""


def _orders(docket: Docket, gold: tuple[str, ...], seed: int) -> list[tuple[str, ...]]:
    """Three orders of the same candidates; the gold stands at places as different as they allow."""
    others = [passage.passage_id for passage in docket.hard_negatives][: MOST_CANDIDATES - len(gold)]
    draw = seeded(seed, docket.turn.query_id, "orders")
    candidates = [*gold, *others]
    draw.shuffle(candidates)
    step = max(len(candidates) // ORDERS, 1)
    rotated = [candidates[place * step :] + candidates[: place * step] for place in range(ORDERS)]
    return [_reshuffled(order, set(gold), draw) for order in rotated]


def _reshuffled(order: list[str], gold: set[str], draw: random.Random) -> tuple[str, ...]:
    """The order with its hard negatives shuffled among their own places."""
    others = [one for one in order if one not in gold]
    draw.shuffle(others)
    rest = iter(others)
    return tuple(one if one in gold else next(rest) for one in order)
