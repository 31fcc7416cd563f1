"""The whole of a benchmark: what `report.md` tells. Records, and what is counted for them; asks nobody."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from mtr.datasets.records import AnyTurn, Dataset
from mtr.evaluation.audit_records import AuditSummary
from mtr.evaluation.intervals import Mean, clustered_mean
from mtr.evaluation.metrics import Metric, RunScores, score_run
from mtr.evaluation.run_comparison import MetricComparison, RunFigures
from mtr.records import MOVES, Record
from mtr.relevance import Qrels, Run
from mtr.words import length

BEFORE, AT, AFTER = "before the switch", "the switch itself", "after the switch"
LENGTHS = ((5, "up to 5 words"), (12, "6 to 12 words"), (None, "13 words or more"))
SHOWN_MISSED = 20


class StageCost(Record):
    """What one stage took: `seconds` of wall time, and what models used; None where an endpoint counted nothing."""

    stage: str
    seconds: float
    items: int
    calls: int
    replayed: int
    tokens: int | None
    usd: float | None


class SystemFigures(Record):
    """A row of the table: a retriever, a query strategy, a funnel. `without_query` turns were not asked and count 0.

    `unknown` passages of its rankings are not in the data set's corpus.
    """

    name: str
    retriever: str
    strategy: str
    funnel: str
    figures: RunFigures
    without_query: int
    unknown: int
    costs: tuple[StageCost, ...]


class GroupMeans(Record):
    """The main metric over the turns of one group, by system."""

    name: str
    means: Mapping[str, Mean]


class Breakdown(Record):
    """The judged turns, grouped one way; empty groups are left out, and a set that does not know them has none."""

    by: str
    groups: tuple[GroupMeans, ...]


class Missed(Record):
    """A turn for which no system ranks any gold."""

    query_id: str
    turn: int
    query: str


class Ceiling(Record):
    """What a ranking of all gold that the corpus holds would score, where some gold is not there."""

    gold: int
    present: int
    means: Mapping[str, float]


class BenchSummary(Record):
    """What a benchmark found, as a whole. `metric` is the main one, which groups and missed turns are told by."""

    dataset: str
    layout: str
    turns: int
    turns_of: int
    judged: int
    conversations: int
    passages: int
    parts: tuple[str, ...]
    k: int
    seed: int
    metric: str
    metrics: tuple[str, ...]
    systems: tuple[SystemFigures, ...]
    comparisons: tuple[MetricComparison, ...]
    breakdowns: tuple[Breakdown, ...]
    missed: tuple[Missed, ...]
    ceiling: Ceiling | None
    audit: AuditSummary | None
    versions: Mapping[str, str]
    notes: tuple[str, ...]


def main_metric(metrics: Sequence[Metric]) -> Metric:
    """The first nDCG, else the first of all."""
    return next((one for one in metrics if one.measure == "nDCG"), metrics[0])


def qrels_of(turns: Sequence[AnyTurn]) -> Qrels:
    """The gold of the turns with the source's grades."""
    return Qrels({turn.query_id: {gold.passage_id: gold.grade for gold in turn.gold} for turn in turns})


def ceiling_of(dataset: Dataset, qrels: Qrels, metrics: Sequence[Metric]) -> Ceiling | None:
    """None where the corpus holds all gold."""
    gold = sum(len(judged) for judged in qrels.grades.values())
    ideal = {
        query_id: [(name, float(grade)) for name, grade in judged.items() if name in dataset.passages]
        for query_id, judged in qrels.grades.items()
    }
    present = sum(map(len, ideal.values()))
    if present == gold:
        return None
    scores = score_run(qrels, Run.ranked("ceiling", ideal), metrics)
    return Ceiling(gold=gold, present=present, means={str(one): scores.mean(one) for one in metrics})


def missed_by_all(turns: Sequence[AnyTurn], runs: Sequence[Run]) -> tuple[Missed, ...]:
    """The turns none of whose gold stands in any run, in the set's order."""
    missed = []
    for turn in turns:
        gold = {one.passage_id for one in turn.gold}
        ranked = (run.rankings[turn.query_id].passage_ids for run in runs if turn.query_id in run.rankings)
        if all(gold.isdisjoint(ids) for ids in ranked):
            missed.append(Missed(query_id=turn.query_id, turn=turn.turn, query=turn.query))
    return tuple(missed)


def breakdowns_of(
    dataset: Dataset, turns: Sequence[AnyTurn], scores: Sequence[RunScores], metric: Metric, seed: int
) -> tuple[Breakdown, ...]:
    """The main metric by turn number, by move, around a hard switch, by subset and by length of the query as typed."""
    order = {query_id: place for place, query_id in enumerate(scores[0].query_ids)}
    ways = (
        ("turn", {turn.query_id: str(turn.turn) for turn in turns}),
        ("move", {turn.query_id: turn.move.replace("_", " ") for turn in turns if turn.move}),
        ("hard switch", dict(_around_switches(dataset, turns))),
        ("subset", {turn.query_id: turn.subset for turn in turns if turn.subset}),
        ("length of the query", {turn.query_id: _length(turn.query) for turn in turns}),
    )
    conversation = {turn.query_id: turn.conversation_id for turn in turns}
    found = []
    for by, names in ways:
        members: dict[str, list[str]] = {}
        for query_id, name in names.items():
            members.setdefault(name, []).append(query_id)
        groups = []
        for name in sorted(members, key=_place):
            rows = np.array([order[query_id] for query_id in members[name]])
            clusters = [conversation[query_id] for query_id in members[name]]
            means = {one.run: clustered_mean(one.values[metric][rows].tolist(), clusters, seed=seed) for one in scores}
            groups.append(GroupMeans(name=name, means=means))
        if groups:
            found.append(Breakdown(by=by, groups=tuple(groups)))
    return tuple(found)


def _around_switches(dataset: Dataset, turns: Sequence[AnyTurn]) -> Iterator[tuple[str, str]]:
    """Where turns stand to the first hard switch of their conversation; conversations without one are left out."""
    switches: dict[str, int] = {}
    for turn in dataset.turns:
        if turn.move == "switch":
            switches[turn.conversation_id] = min(turn.turn, switches.get(turn.conversation_id, turn.turn))
    for turn in turns:
        at = switches.get(turn.conversation_id)
        if at is not None:
            yield turn.query_id, BEFORE if turn.turn < at else AT if turn.turn == at else AFTER


def _length(query: str) -> str:
    words = length(query)
    return next(name for most, name in LENGTHS if most is None or words <= most)


def _place(name: str) -> tuple[int, int, str]:
    """Numbers by value, names of ours in their own order, others by alphabet."""
    ours = [*(move.replace("_", " ") for move in MOVES), BEFORE, AT, AFTER, *(text for _, text in LENGTHS)]
    if name.isdecimal():
        return 0, int(name), name
    return (1, ours.index(name), name) if name in ours else (2, 0, name)
