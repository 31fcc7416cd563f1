"""Runs a RAG evaluation: each system's answers, the verdicts on them, then the folder that tells them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from mtr.account import Clock
from mtr.answers import Answered
from mtr.auditing.run import JudgeTerms
from mtr.batch import BatchReport, run_batch
from mtr.batch_store import BatchStore, Outcome
from mtr.errors import FatalEndpointError, InputError, ShortfallError
from mtr.evaluation.rag import RagSummary
from mtr.rag.files import check_rag_folder, write_rag
from mtr.rag.job import RagJob
from mtr.rag.judging import Judge, docket_of, judged_answer
from mtr.rag.note import note_of
from mtr.rag.standing import RagStanding
from mtr.rag.summary import ArmResults, rag_summary, results_of
from mtr.rag.systems import RagSystem
from mtr.records import Record
from mtr.verdicts import JudgedTurn

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, kw_only=True)
class RagTerms(JudgeTerms):
    """How to run, where it goes, who judges, and whom to tell how far it is."""

    out: Path
    judge: Judge
    step: Callable[[RagStanding], None]


async def rag(job: RagJob, store: BatchStore, terms: RagTerms) -> RagSummary:
    """Have the systems answer and the ensemble judge, and write the evaluation to `terms.out`; returns its summary.

    ShortfallError: some turns were not answered or judged; the others are written all the same.
    BudgetError, FatalEndpointError: stopped; nothing is written, what is there waits for the next run.
    """
    check_rag_folder(terms.out)
    work, clock = _Work(job, store, terms), Clock(store, job.batch, terms.meter)
    results: list[ArmResults] = []
    try:
        for system in job.systems:
            results += await work.system(system)
            await clock.write()
    finally:
        await clock.write()
    summary = rag_summary(job, results)
    if any(one.turns for one in results):
        write_rag(terms.out, results, summary, await note_of(job, store, work.reports))
    if any(one.short for one in work.reports):
        raise ShortfallError(_shortfall(work.reports, terms.out))
    return summary


@dataclass
class _Work:
    """The batches of an evaluation, one after the other, and how each ended."""

    job: RagJob
    store: BatchStore
    terms: RagTerms
    reports: list[BatchReport] = field(default_factory=list)

    async def system(self, system: RagSystem) -> list[ArmResults]:
        """A system's answers and what the ensemble says of them."""
        job, items = self.job, self.job.items(system)
        criteria = [one.name for one in job.criteria]

        async def answer(item: str) -> Answered:
            k, turn = items[item]
            try:
                return await system.answer(turn, k)
            except InputError as error:
                # What a system gave is wrong, not the turn: no other turn is asked, and this one is asked again.
                raise FatalEndpointError(str(error)) from error

        answers = await self.batch(job.answers_batch(system), tuple(items), f"{system.name}: answers", answer, Answered)

        async def judge(item: str) -> JudgedTurn:
            docket = docket_of(job.dataset, items[item][1], answers[item], system.models)
            return await judged_answer(docket, answers[item], criteria, self.terms.judge)

        judged = await self.batch(
            job.verdicts_batch(system), tuple(answers), f"{system.name}: judged", judge, JudgedTurn
        )
        return results_of(job, system, answers, judged)

    async def batch(
        self, batch: str, items: Sequence[str], what: str, work: Callable[[str], Awaitable[R]], kind: type[R]
    ) -> Mapping[str, R]:
        """Run one batch; what it gave by item, that of earlier runs included."""
        tried = await self.store.tried(batch)
        kept = sum(item in tried and tried[item].whole for item in items)
        standing = RagStanding(asked=len(items), kept=kept, kept_turns=kept, what=what)
        self.terms.step(standing)

        async def make(item: str, attempt: int) -> Outcome[R]:
            return Outcome(value=await work(item))

        async def told(item: str, value: R) -> None:
            standing.done += 1
            self.terms.step(standing)

        report = await run_batch(
            batch,
            tuple(items),
            make,
            store=self.store,
            attempts=1,
            concurrency=self.terms.concurrency,
            on_whole=told,
        )
        self.reports.append(report)
        found = ((item, self.store.whole(batch, item, kind)) for item in items)
        return {item: value for item, value in found if value is not None}


def _shortfall(reports: Sequence[BatchReport], out: Path) -> str:
    short = [one for one in reports if one.short]
    lines = [f"{sum(one.short for one in short)} turns were not answered or not judged"]
    reasons = [f"  {one.item}: {one.reason}" for report in short for one in report.failed]
    reasons += [f"  {one.item}: {one.reason}" for report in short for one in report.abandoned]
    lines += reasons[:10] + ([f"  … and {len(reasons) - 10} more"] if len(reasons) > 10 else [])
    return "\n".join([*lines, f"what there is is in {out}; run the same command again to try the rest again"])
