"""What one query of a system takes, through all its stages: seconds, tokens, money."""

from collections.abc import Callable, Iterable, Sequence

from mtr.evaluation.benchmark import StageCost, SystemFigures
from mtr.records import Record

INDEX = "index"
"""Indexing is done once for all queries and not counted here."""


class Latency(Record):
    """Per query of one system: wall time of each kind of stage over the number of its queries, which run side by side.

    A stage whose calls were partly replayed counts as if all had been paid for, in proportion: `estimated`. None: all
    calls of a stage were replayed, so nothing was measured; `tokens` and `usd` also where an endpoint counted none.
    """

    system: str
    queries: float | None
    retrieve: float | None
    rerank: float | None
    seconds: float | None
    tokens: float | None
    usd: float | None
    estimated: bool


def latencies(systems: Sequence[SystemFigures]) -> tuple[Latency, ...]:
    """One for each system, in their order. A funnel's first stage is that of the system without the funnel."""
    first = {(one.retriever, one.strategy): one for one in systems if not one.funnel}
    found = []
    for system in systems:
        base = first.get((system.retriever, system.strategy))
        before = base.costs if base is not None and system.funnel else ()
        asked = system.figures.judged - system.without_query
        whole = not system.funnel or base is not None
        found.append(_latency(system.name, (*before, *system.costs), asked if whole else 0))
    return tuple(found)


def _latency(system: str, costs: Iterable[StageCost], asked: int) -> Latency:
    kept = [cost for cost in costs if _kind(cost) != INDEX]
    kinds = [[cost for cost in kept if _kind(cost) == kind] for kind in ("queries", "retrieve", "rerank")]
    queries, retrieve, rerank = (_each(stages, _seconds, asked) for stages in kinds)
    return Latency(
        system=system,
        queries=queries,
        retrieve=retrieve,
        rerank=rerank,
        seconds=_each(kept, _seconds, asked),
        tokens=_each(kept, lambda cost: cost.tokens, asked),
        usd=_each(kept, lambda cost: cost.usd, asked),
        estimated=any(cost.replayed for cost in kept),
    )


def _each(costs: Iterable[StageCost], what: Callable[[StageCost], float | None], asked: int) -> float | None:
    total = 0.0
    for cost in costs:
        value = what(cost)
        if value is None or (cost.replayed and not cost.calls):
            return None
        total += value * (cost.calls + cost.replayed) / cost.calls if cost.replayed else value
    return total / asked if asked else None


def _seconds(cost: StageCost) -> float:
    return cost.seconds


def _kind(cost: StageCost) -> str:
    return cost.stage.partition(" ")[0]
