"""Runs side by side on one set of judged queries: means with intervals, pairs, discriminative power."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from mtr.datasets.query_ids import split_query_id
from mtr.errors import InputError
from mtr.evaluation.intervals import Mean, clustered_mean
from mtr.evaluation.metrics import Metric, RunScores, score_run
from mtr.evaluation.significance import Discrimination, PairTest, compare_pairs, discriminative_power
from mtr.records import Record
from mtr.relevance import Qrels, Run, read_run, run_name

ConversationOf = Callable[[str], str]
"""The conversation that a query id belongs to."""


class RunFigures(Record):
    """One run: means by metric, over `judged` queries of which `missing` were not in the run and count 0.

    `unjudged` queries of the run were dropped. `nothing_relevant` of the judged queries have no relevant passage at
    all, so that no run can score on them.
    """

    run: str
    means: Mapping[str, Mean]
    judged: int
    missing: int
    unjudged: int
    nothing_relevant: int


class MetricComparison(Record):
    """All pairs of runs under one metric."""

    metric: str
    pairs: tuple[PairTest, ...]
    discrimination: Discrimination | None


class RunComparison(Record):
    """Runs in the order given, over `queries` judged queries of `conversations`; comparisons need two runs."""

    queries: int
    conversations: int
    runs: tuple[RunFigures, ...]
    comparisons: tuple[MetricComparison, ...]


class QueryScores(Record):
    """What one run scored on one query: a line of the per-query file."""

    run: str
    query_id: str
    missing: bool
    scores: Mapping[str, float]


def by_conversation(query_id: str) -> str:
    """The part before `::` or `<::>` and a turn's number; any other id is a conversation of its own."""
    return split_query_id(query_id)[0]


def by_query(query_id: str) -> str:
    """The query itself: every query on its own."""
    return query_id


def by_separator(separator: str) -> ConversationOf:
    """The part before the last `separator`, such as `31` of `31_4`; an id without one is a conversation of its own."""

    def conversation_of(query_id: str) -> str:
        return query_id.rpartition(separator)[0] or query_id

    return conversation_of


def read_runs(paths: Sequence[Path]) -> Iterator[Run]:
    """Read runs one at a time. Where two files have one name, the paths are the names."""
    names = [run_name(path) for path in paths]
    for path, name in zip(paths, names, strict=True):
        yield read_run(path, name if names.count(name) == 1 else str(path))


def score_runs(qrels: Qrels, runs: Iterable[Run], metrics: Sequence[Metric]) -> tuple[RunScores, ...]:
    """Score runs one after the other. InputError: a run answers no judged query, or two runs have one name."""
    scores: list[RunScores] = []
    for run in runs:
        if any(run.name == one.run for one in scores):
            raise InputError(f"two runs are called {run.name!r}; rename one of them")
        scored = score_run(qrels, run, metrics)
        if len(scored.missing) == len(scored.query_ids):
            theirs = f"ids there look like {scored.unjudged[0]!r}" if scored.unjudged else "it has no other either"
            judged = f"none of the {len(scored.query_ids)} judged queries (such as {scored.query_ids[0]!r})"
            raise InputError(f"run {run.name} answers {judged}; {theirs}: are these the qrels of this run?")
        scores.append(scored)
    return tuple(scores)


def compare_runs(
    scores: Sequence[RunScores], *, seed: int, conversation_of: ConversationOf = by_conversation
) -> RunComparison:
    """Compare runs that were scored with the same qrels and metrics; intervals and tests are over conversations."""
    query_ids = scores[0].query_ids
    clusters = [conversation_of(query_id) for query_id in query_ids]
    metrics = tuple(scores[0].values)
    figures = tuple(_figures(one, clusters, seed) for one in scores)
    return RunComparison(
        queries=len(query_ids),
        conversations=len(set(clusters)),
        runs=figures,
        comparisons=tuple(_compared(metric, scores, clusters, seed) for metric in metrics) if len(scores) > 1 else (),
    )


def query_scores(scores: Iterable[RunScores]) -> Iterator[QueryScores]:
    """Every run's every judged query, in the order of the qrels."""
    for one in scores:
        missing = set(one.missing)
        columns = {str(metric): values.tolist() for metric, values in one.values.items()}
        for place, query_id in enumerate(one.query_ids):
            row = {name: values[place] for name, values in columns.items()}
            yield QueryScores(run=one.run, query_id=query_id, missing=query_id in missing, scores=row)


def _figures(scores: RunScores, clusters: Sequence[str], seed: int) -> RunFigures:
    means = {
        str(metric): clustered_mean(values.tolist(), clusters, seed=seed) for metric, values in scores.values.items()
    }
    return RunFigures(
        run=scores.run,
        means=means,
        judged=len(scores.query_ids),
        missing=len(scores.missing),
        unjudged=len(scores.unjudged),
        nothing_relevant=len(scores.nothing_relevant),
    )


def _compared(metric: Metric, scores: Sequence[RunScores], clusters: Sequence[str], seed: int) -> MetricComparison:
    tests = compare_pairs({one.run: one.values[metric] for one in scores}, clusters, seed=seed)
    means = {one.run: one.mean(metric) for one in scores}
    return MetricComparison(metric=str(metric), pairs=tests, discrimination=discriminative_power(means, tests))
