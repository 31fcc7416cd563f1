"""Runs a benchmark: queries, indexes, rankings, funnels, then scores, tests and the folder that tells them."""

import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from mtr.benchmarking.files import (
    SystemNote,
    check_bench_folder,
    forget_systems,
    keep_system,
    kept_system,
    write_bench,
)
from mtr.benchmarking.job import BenchJob
from mtr.benchmarking.parts import Part
from mtr.benchmarking.summary import bench_summary
from mtr.benchmarking.systems import Funnel, System
from mtr.evaluation.benchmark import BenchSummary, Recalled, StageCost, Unreadable, qrels_of
from mtr.evaluation.run_comparison import score_runs
from mtr.relevance import Ranking, Run
from mtr.retrieval.funnel import rerank
from mtr.retrieval.protocols import Approximate, Queries, Retriever, SearchRecall
from mtr.spent import Spent, tokens_of, usd_of

BEIR = "beir"


@dataclass(frozen=True)
class BenchTerms:
    """How to run, as opposed to what. `meter` tells what this process has used so far, `say` goes to the user.

    `watch` shows how many of so many things are done while a stage runs. `fresh`: forget what an earlier run has
    ranked; replies of models stay on the ledger.
    """

    out: Path
    meter: Callable[[], tuple[Spent, ...]]
    say: Callable[[str], None]
    fresh: bool = False
    watch: Callable[[str, int], AbstractAsyncContextManager[None]] = lambda things, asked: nullcontext()


async def bench(job: BenchJob, terms: BenchTerms) -> BenchSummary:
    """Rank, score and write the benchmark to `terms.out`; returns its summary.

    Each system is kept when it is finished, so the same command goes on where it was stopped. Errors of retrievers,
    endpoints and models stop it.
    """
    check_bench_folder(terms.out)
    if terms.fresh:
        forget_systems(terms.out, job.line.systems)
    work = _Work(job, terms)
    for system in job.line.systems:
        found = kept_system(terms.out, system, job.ids)
        if found is not None:
            work.keep(system, *found)
            terms.say(f"{system.name}: kept from an earlier run")
    for retriever in job.line.makers:
        await work.retriever(retriever)
    runs = [work.runs[system.name] for system in job.line.systems]
    scores = score_runs(qrels_of(job.turns), runs, job.metrics)
    summary = bench_summary(job, work.notes, runs, scores)
    write_bench(terms.out, summary, scores)
    return summary


@dataclass
class _Work:
    """What has been made so far. Costs of stages that systems share are counted once, where they were paid."""

    job: BenchJob
    terms: BenchTerms
    runs: dict[str, Run] = field(default_factory=dict)
    notes: dict[str, SystemNote] = field(default_factory=dict)
    queries: dict[str, Queries] = field(default_factory=dict)
    costs: dict[str, StageCost] = field(default_factory=dict)

    def keep(self, system: System, note: SystemNote, run: Run) -> None:
        """A system that is finished."""
        self.notes[system.name], self.runs[system.name] = note, run

    async def retriever(self, spec: str) -> None:
        """Every system of one retriever that is not finished: first the rankings, then the funnels."""
        todo = [one for one in self.job.line.systems if one.retriever == spec and one.name not in self.runs]
        for system in todo:
            await self._queries(system.strategy)
        first = [one for one in todo if not one.funnel]
        if first:
            await self._rankings(spec, first)
        for system in todo:
            if system.funnel:
                await self._funnel(system, self.job.line.funnels[system.funnel])

    async def _queries(self, strategy: str) -> None:
        if strategy in self.queries:
            return
        async with self._stage(f"queries {strategy}", len(self.job.turns)):
            self.queries[strategy] = await self.job.line.strategies[strategy].queries(self.job.turns)

    async def _rankings(self, spec: str, systems: list[System]) -> None:
        """Index each part once, then rank the queries of one strategy after the other."""
        indexed: list[tuple[Part, Retriever, str]] = []
        for part in self.job.parts:
            retriever, indexing = self.job.line.makers[spec](), f"index {spec} {part.subset}".strip()
            async with self._stage(indexing, len(part.passages), "passages"):
                await retriever.index(list(part.passages.values()))
            indexed.append((part, retriever, indexing))
        for system in systems:
            rankings: dict[str, Ranking] = {}
            recalls: list[SearchRecall] = []
            texts, stages = self.queries[system.strategy].texts, [f"queries {system.strategy}"]
            for part, retriever, indexing in indexed:
                queries = {turn.query_id: texts[turn.query_id] for turn in part.turns if turn.query_id in texts}
                stages += [indexing, f"retrieve {system.name} {part.subset}".strip()]
                async with self._stage(stages[-1], len(queries)):
                    rankings |= await self._ranked(retriever, queries)
                if isinstance(retriever, Approximate):
                    recalls += await retriever.recalls()
            self._finish(system, Run(system.name, rankings), stages, recalls=_recalled(recalls))

    async def _ranked(self, retriever: Retriever, queries: Mapping[str, str]) -> Mapping[str, Ranking]:
        """At most k passages; in a BEIR set the passage that is the query itself is dropped."""
        beir, k = self.job.dataset.layout == BEIR, self.job.options.k
        run = await retriever.retrieve(queries, k + beir)
        return {name: _without(ranking, name if beir else None, k) for name, ranking in run.rankings.items()}

    async def _funnel(self, system: System, funnel: Funnel) -> None:
        base = next(
            one
            for one in self.job.line.systems
            if (one.retriever, one.strategy, one.funnel) == (system.retriever, system.strategy, "")
        )
        run, texts, names = self.runs[base.name], self.queries[system.strategy].texts, []
        unreadable: list[Unreadable] = []
        for number, stage in enumerate(funnel.stages, 1):
            names.append(f"rerank {system.name} {number}")
            async with self._stage(names[-1], len(texts)):
                reranked = await rerank(stage, texts, run, self.job.dataset.passages, system.name)
            run = reranked.run
            unreadable += _unreadable(stage.reranker.name, len(reranked.unreadable), len(texts))
        self._finish(system, run, names, unreadable=unreadable)

    def _finish(
        self,
        system: System,
        run: Run,
        stages: list[str],
        *,
        unreadable: Sequence[Unreadable] = (),
        recalls: Sequence[Recalled] = (),
    ) -> None:
        """Keep the system. What its strategy could not read is told of it too."""
        queries = self.queries[system.strategy]
        rewritten = _unreadable(system.strategy, len(queries.unreadable), len(queries.texts))
        note = SystemNote(
            name=system.name,
            key=system.key,
            asked=tuple(run.rankings),
            without_query=len(self.job.turns) - len(queries.texts),
            costs=tuple(self.costs[name] for name in stages),
            unreadable=(*rewritten, *unreadable),
            recalls=tuple(recalls),
        )
        keep_system(self.terms.out, note, run)
        self.keep(system, note, run)
        self.terms.say(f"{system.name}: {len(run.rankings)} queries ranked")
        for one in note.unreadable:
            left = f"{one.count} of {one.asked} left as they were by {one.stage}, reply unreadable"
            self.terms.say(f"{system.name}: {left}")

    @asynccontextmanager
    async def _stage(self, name: str, items: int, things: str = "queries") -> AsyncIterator[None]:
        """Tell the user and note what the stage took."""
        self.terms.say(f"{name}: {items:,}")
        before, start = self.terms.meter(), time.perf_counter()
        async with self.terms.watch(things, items):
            yield
        self.costs[name] = cost_between(name, time.perf_counter() - start, items, before, self.terms.meter())


def cost_between(
    stage: str, seconds: float, items: int, before: tuple[Spent, ...], after: tuple[Spent, ...]
) -> StageCost:
    """What was used between two readings of the meter."""
    tokens, usd = (tokens_of(before), tokens_of(after)), (usd_of(before), usd_of(after))
    return StageCost(
        stage=stage,
        seconds=round(seconds, 4),
        items=items,
        calls=sum(one.calls for one in after) - sum(one.calls for one in before),
        replayed=sum(one.replayed for one in after) - sum(one.replayed for one in before),
        tokens=None if tokens[0] is None or tokens[1] is None else tokens[1] - tokens[0],
        usd=None if usd[0] is None or usd[1] is None else usd[1] - usd[0],
    )


def _unreadable(stage: str, count: int, asked: int) -> list[Unreadable]:
    """What is told of a stage; nothing where all replies could be read."""
    return [Unreadable(stage=stage, count=count, asked=asked)] if count else []


def _recalled(recalls: Sequence[SearchRecall]) -> list[Recalled]:
    """The searches of all parts together, by name."""
    found = []
    for name in dict.fromkeys(one.search for one in recalls):
        mine = [one for one in recalls if one.search == name]
        if of := sum(one.of for one in mine):
            share = sum(one.found for one in mine) / of
            found.append(Recalled(search=name, k=max(one.k for one in mine), share=share))
    return found


def _without(ranking: Ranking, passage_id: str | None, k: int) -> Ranking:
    kept = [place for place, name in enumerate(ranking.passage_ids) if name != passage_id][:k]
    return Ranking(tuple(ranking.passage_ids[place] for place in kept), tuple(ranking.scores[place] for place in kept))
