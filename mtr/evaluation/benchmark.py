"""The whole of a benchmark: what its reports tell. Records, and what is counted for them; asks nobody."""

from collections.abc import Mapping, Sequence

from mtr.datasets.records import AnyTurn, Dataset
from mtr.evaluation.audit_records import AuditSummary
from mtr.evaluation.intervals import Mean
from mtr.evaluation.metrics import Metric, score_run
from mtr.evaluation.run_comparison import MetricComparison, RunFigures
from mtr.records import Record
from mtr.relevance import Qrels, Run

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


class Unreadable(Record):
    """Of a stage that asks a model: `count` of `asked` queries were left as they were, since a reply of the model could
    not be read, also when asked again.
    """

    stage: str
    count: int
    asked: int


class Recalled(Record):
    """An approximate search beside an exact one: `share` of the `k` nearest passages of each query were found."""

    search: str
    k: int
    share: float


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
    unreadable: tuple[Unreadable, ...] = ()
    recalls: tuple[Recalled, ...] = ()


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
    """What a benchmark found, as a whole. `metric` is the main one, which groups and missed turns are told by.

    `place` is where the data set lay, as the user wrote it, and `fingerprint` what it held.
    """

    dataset: str
    layout: str
    place: str = ""
    fingerprint: str = ""
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
