"""Drawing passages by quota: no stratum is missed where there are queries enough, and none dominates.

The quota of a stratum follows the square root of its size: a document of a hundred passages gets ten times the queries
of one with a single passage, not a hundred times. A passage is drawn for what its four strata still lack together.
"""

import heapq
import math
from collections import Counter
from collections.abc import Callable, Mapping

from mtr.questions.strata import DIMENSIONS, Dimension, Strata
from mtr.questions.tiers import apportion
from mtr.records import Record
from mtr.seeding import seeded

_MISSED, _PLAIN_WAITS = 1.0, 0.5


class Quota(Record):
    """A stratum: how many passages the corpus has of it, how many were to be drawn, and how many were."""

    dimension: Dimension
    stratum: str
    passages: int
    quota: int
    reached: int


class Draw(Record):
    """Passage ids in the order drawn, and those looked at that have nothing to ask for."""

    passage_ids: tuple[str, ...]
    barren: tuple[str, ...] = ()


def quotas(strata: Mapping[str, Strata], count: int) -> dict[Dimension, dict[str, int]]:
    """Passages to draw of each stratum: one of each where there are enough, the rest by square root of size."""
    return {dimension: _quotas(_sizes(strata, dimension), count) for dimension in DIMENSIONS}


def draw_passages(
    strata: Mapping[str, Strata],
    count: int,
    seed: int,
    specifics: Callable[[str], int | None] = lambda _: 1,
) -> Draw:
    """Draw `count` passages; one is drawn again only when all have been. Fewer only when none has facts.

    `specifics` counts what a passage tells that a query can ask for, None where there is no fact in it. One with
    nothing specific waits for others of its strata, never so long that a stratum is missed.
    """
    wanted = quotas(strata, count)
    order = list(strata)
    seeded(seed, "passages").shuffle(order)
    reached: dict[Dimension, Counter[str]] = {dimension: Counter() for dimension in DIMENSIONS}

    def lack(passage_id: str) -> float:
        own = strata[passage_id]
        return sum(_lack(wanted[d][own.of(d)], reached[d][own.of(d)]) for d in DIMENSIONS)

    heap = [(0, -lack(passage_id), place) for place, passage_id in enumerate(order)]
    heapq.heapify(heap)
    drawn: list[str] = []
    barren: list[str] = []
    waits: dict[int, float] = {}
    while heap and len(drawn) < count:
        uses, before, place = heapq.heappop(heap)
        passage_id = order[place]
        if place not in waits:
            if (told := specifics(passage_id)) is None:
                barren.append(passage_id)
                continue
            waits[place] = 0.0 if told else _PLAIN_WAITS
        now = waits[place] - lack(passage_id)
        if now > before and heap and (uses, now, place) > heap[0]:
            # What a passage's strata lack only ever falls, so a passage whose lack is stale may wait in the heap.
            heapq.heappush(heap, (uses, now, place))
            continue
        drawn.append(passage_id)
        for dimension in DIMENSIONS:
            reached[dimension][strata[passage_id].of(dimension)] += 1
        heapq.heappush(heap, (uses + 1, waits[place] - lack(passage_id), place))
    return Draw(passage_ids=tuple(drawn), barren=tuple(barren))


def quotas_reached(strata: Mapping[str, Strata], anchors: Mapping[str, int], count: int) -> tuple[Quota, ...]:
    """Each stratum with its quota for `count` and what was reached; `anchors` counts queries by passage."""
    wanted = quotas(strata, count)
    found: list[Quota] = []
    for dimension in DIMENSIONS:
        sizes = _sizes(strata, dimension)
        reached: Counter[str] = Counter()
        for passage_id, queries in anchors.items():
            reached[strata[passage_id].of(dimension)] += queries
        found += [
            Quota(
                dimension=dimension, stratum=name, passages=size, quota=wanted[dimension][name], reached=reached[name]
            )
            for name, size in sorted(sizes.items(), key=lambda one: (-one[1], one[0]))
        ]
    return tuple(found)


def _sizes(strata: Mapping[str, Strata], dimension: Dimension) -> Counter[str]:
    return Counter(one.of(dimension) for one in strata.values())


def _quotas(sizes: Mapping[str, int], count: int) -> dict[str, int]:
    each = 1 if count >= len(sizes) else 0
    shared = apportion(count - each * len(sizes), [math.sqrt(size) for size in sizes.values()])
    return {name: each + more for name, more in zip(sizes, shared, strict=True)}


def _lack(quota: int, reached: int) -> float:
    """How much of its quota a stratum lacks, as a share; one that was missed so far counts more."""
    return (quota - reached) / max(quota, 1) + (_MISSED if quota and not reached else 0.0)
