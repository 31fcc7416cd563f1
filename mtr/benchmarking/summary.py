"""The summary of a benchmark, from its finished systems."""

from collections.abc import Mapping, Sequence

from mtr.benchmarking.files import SystemNote
from mtr.benchmarking.job import BenchJob
from mtr.evaluation.benchmark import (
    BenchSummary,
    SystemFigures,
    ceiling_of,
    main_metric,
    missed_by_all,
    qrels_of,
)
from mtr.evaluation.breakdowns import breakdowns_of
from mtr.evaluation.metrics import RunScores
from mtr.evaluation.run_comparison import RunFigures, compare_runs
from mtr.relevance import Run
from mtr.retrieval.analyzers import ANALYZERS
from mtr.versions import versions


def bench_summary(
    job: BenchJob, notes: Mapping[str, SystemNote], runs: Sequence[Run], scores: Sequence[RunScores]
) -> BenchSummary:
    """Compare the systems and count what a reader asks for; `runs` and `scores` in the order of the systems."""
    conversation = {turn.query_id: turn.conversation_id for turn in job.turns}
    compared = compare_runs(scores, seed=job.options.seed, conversation_of=conversation.__getitem__)
    metric = main_metric(job.metrics)
    return BenchSummary(
        dataset=job.dataset.name,
        layout=job.dataset.layout,
        place=job.place.as_posix(),
        fingerprint=job.fingerprint,
        turns=len(job.turns),
        turns_of=len(job.dataset.turns),
        judged=sum(bool(turn.gold) for turn in job.dataset.turns),
        conversations=compared.conversations,
        passages=len(job.dataset.passages),
        parts=tuple(part.subset for part in job.parts if part.subset),
        k=job.options.k,
        seed=job.options.seed,
        metric=str(metric),
        metrics=tuple(str(one) for one in job.metrics),
        systems=_systems(job, notes, runs, compared.runs),
        comparisons=compared.comparisons,
        breakdowns=breakdowns_of(job.dataset, job.turns, scores, metric, job.options.seed),
        missed=missed_by_all(job.turns, runs),
        ceiling=ceiling_of(job.dataset, qrels_of(job.turns), job.metrics),
        audit=job.audit,
        versions={**versions(), "analyzer": ANALYZERS[job.analyzer].version},
        notes=job.dataset.notes,
    )


def _systems(
    job: BenchJob, notes: Mapping[str, SystemNote], runs: Sequence[Run], figures: Sequence[RunFigures]
) -> tuple[SystemFigures, ...]:
    return tuple(
        SystemFigures(
            name=system.name,
            retriever=system.retriever,
            strategy=system.strategy,
            funnel=system.funnel,
            figures=one,
            without_query=notes[system.name].without_query,
            unknown=_unknown(job, run),
            costs=notes[system.name].costs,
            unreadable=notes[system.name].unreadable,
            recalls=notes[system.name].recalls,
        )
        for system, run, one in zip(job.line.systems, runs, figures, strict=True)
    )


def _unknown(job: BenchJob, run: Run) -> int:
    return len({name for one in run.rankings.values() for name in one.passage_ids} - job.dataset.passages.keys())
