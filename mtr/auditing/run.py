"""Runs an audit: the batch of turns, then its folder of verdicts, findings, repaired qrels and reports."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mtr.account import Account, Clock
from mtr.auditing.files import AuditNote, check_audit_folder, write_audit
from mtr.auditing.job import AuditJob
from mtr.batch import BatchReport, Make, OnWhole, run_batch
from mtr.batch_store import BatchStore
from mtr.errors import ShortfallError
from mtr.evaluation.audit_records import AuditSummary
from mtr.evaluation.whole import audit_summary
from mtr.progress import Standing, duration, spending
from mtr.spent import Spent, merge_spent
from mtr.verdicts import JudgedTurn
from mtr.versions import versions


@dataclass(frozen=True, kw_only=True)
class JudgeTerms:
    """How to run, as opposed to what to judge. `meter` tells what this process has used since it began."""

    concurrency: int
    meter: Callable[[], tuple[Spent, ...]]


@dataclass(frozen=True, kw_only=True)
class AuditTerms(JudgeTerms):
    """The same, and where the audit goes."""

    out: Path


@dataclass
class TurnStanding(Standing):
    """How far an audit is, in turns."""

    def so_far(self) -> str:
        """What is judged, in words."""
        return f"{self.kept + self.done} of {self.asked} turns are judged"

    def text(self, seconds: float, usage: tuple[Spent, ...]) -> str:
        """One line."""
        parts = [f"{self.kept + self.done} of {self.asked} turns judged"]
        if self.done:
            left = (self.asked - self.kept - self.done) * seconds / self.done
            parts += [f"{60 * self.done / seconds:.1f} turns/min", f"{duration(left)} left"]
        else:
            parts.append(duration(seconds))
        return " · ".join([*parts, *spending(usage)])


async def standing(job: AuditJob, store: BatchStore) -> TurnStanding:
    """Where earlier runs have left the audit."""
    tried = await store.tried(job.batch)
    kept = sum(item in tried and tried[item].whole for item in job.items)
    return TurnStanding(asked=len(job.items), kept=kept, kept_turns=kept)


async def judge_turns(
    job: AuditJob, make: Make[JudgedTurn], store: BatchStore, terms: JudgeTerms, on_whole: OnWhole[JudgedTurn]
) -> BatchReport:
    """Judge the turns of the job, the account of it on disk; results are in the store. Errors as of `run_batch`."""
    clock = Clock(store, job.batch, terms.meter)

    async def whole(item: str, judged: JudgedTurn) -> None:
        await clock.write()
        await on_whole(item, judged)

    try:
        return await run_batch(
            job.batch, job.items, make, store=store, attempts=1, concurrency=terms.concurrency, on_whole=whole
        )
    finally:
        await clock.write()


async def audit(
    job: AuditJob, make: Make[JudgedTurn], store: BatchStore, terms: AuditTerms, on_whole: OnWhole[JudgedTurn]
) -> AuditSummary:
    """Judge the turns of the job and write the audit to `terms.out`; returns its summary.

    ShortfallError: some turns could not be judged; the others are written all the same.
    BudgetError, FatalEndpointError: stopped; nothing is written, what is judged waits for the next run.
    """
    check_audit_folder(terms.out)
    report = await judge_turns(job, make, store, terms, on_whole)
    judged = tuple(store.wholes(job.batch, job.items, JudgedTurn))
    options = job.options
    summary = audit_summary(job.dataset, judged, job.criteria, options.judges, rule=options.rule, seed=options.seed)
    accounts = await store.runs(job.batch, Account)
    note = AuditNote(
        batch=job.batch,
        versions=versions(),
        options=options,
        dataset=job.dataset.name,
        layout=job.dataset.layout,
        prompts=dict(job.prompts),
        asked=report.asked,
        judged=report.delivered,
        failed=report.failed,
        abandoned=report.abandoned,
        seconds=round(sum(account.seconds for account in accounts), 3),
        runs=len(accounts),
        usage=merge_spent(spent for account in accounts for spent in account.usage),
    )
    if judged:
        write_audit(terms.out, job.dataset, judged, summary, note, job.criteria)
    if report.short:
        raise ShortfallError(_shortfall(report, terms.out))
    return summary


def _shortfall(report: BatchReport, out: Path) -> str:
    lines = [f"{report.delivered} of {report.asked} turns could be judged"]
    reasons = [f"  {one.item}: {one.reason}" for one in report.failed]
    reasons += [f"  {one.item}: {one.reason}" for one in report.abandoned]
    lines += reasons[:10] + ([f"  … and {len(reasons) - 10} more"] if len(reasons) > 10 else [])
    where = f"those judged are in {out}; " if report.delivered else ""
    return "\n".join([*lines, f"{where}run the same command again to try the rest again"])
