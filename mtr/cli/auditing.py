"""Runs an audit for `mtr audit`: door, store and graph together, progress on stderr, what came out on stdout."""

import asyncio
import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from mtr.auditing.estimate import estimate
from mtr.auditing.files import check_audit_folder
from mtr.auditing.job import AuditJob
from mtr.auditing.run import AuditTerms, JudgeTerms, audit, standing
from mtr.batch_store import BatchStore, open_store
from mtr.cli.estimates import print_estimates
from mtr.cli.judgements import judgement_maker
from mtr.cli.tables import print_table
from mtr.errors import BudgetError, EndpointError
from mtr.evaluation.audit_records import AuditSummary, CriterionSummary
from mtr.evaluation.intervals import Share
from mtr.llm import Budget, open_door
from mtr.llm.serving import check_weights, concurrency_of
from mtr.meter import spent_by
from mtr.progress import Progress, duration, spending
from mtr.settings import Settings
from mtr.storage import as_file_name, home
from mtr.verdicts import JudgedTurn


@dataclass(frozen=True)
class AuditOrder:
    """How the user wants the audit run."""

    out: Path | None
    concurrency: int | None
    budget_tokens: int | None
    budget_usd: float | None


def run_audit(job: AuditJob, settings: Settings, order: AuditOrder) -> None:
    """Run the audit and print what came out; Ctrl-C ends with exit code 130."""
    stem = as_file_name(job.dataset.name, "dataset")
    out = order.out or Path("audits") / f"{stem}-{job.batch[:8]}"
    check_audit_folder(out)
    check_weights(job.options.models, settings)
    try:
        summary, took = asyncio.run(_run(job, settings, order, out))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    print_end(summary, out, took)


async def _run(job: AuditJob, settings: Settings, order: AuditOrder, out: Path) -> tuple[AuditSummary, str]:
    async with judging(job, settings, order) as session:
        terms = AuditTerms(out=out, concurrency=session.terms.concurrency, meter=session.terms.meter)
        return await audit(job, judgement_maker(job), session.store, terms, session.whole), session.took()


@dataclass(frozen=True)
class Session:
    """An open door and store, and the progress of the turns being judged."""

    store: BatchStore
    terms: JudgeTerms
    progress: Progress

    async def whole(self, item: str, judged: JudgedTurn) -> None:
        """Count a turn that has just been judged."""
        self.progress.whole(1)

    def took(self) -> str:
        """Time, calls, tokens and money so far, in words."""
        return f"{duration(self.progress.seconds)}, {', '.join(spending(self.terms.meter()))}"


@asynccontextmanager
async def judging(job: AuditJob, settings: Settings, order: AuditOrder) -> AsyncIterator[Session]:
    """What judging the turns of a job needs, open while the body runs; says how to go on when that is stopped."""
    async with (
        open_door(settings, budget=Budget(tokens=order.budget_tokens, usd=order.budget_usd)) as door,
        open_store(home() / "batches.sqlite") as store,
    ):
        concurrency = order.concurrency or concurrency_of(job.options.models, settings)
        terms = JudgeTerms(concurrency=concurrency, meter=lambda: spent_by(door))
        progress = Progress(await standing(job, store), terms.meter, sys.stderr)
        try:
            async with progress.shown():
                yield Session(store, terms, progress)
        except (asyncio.CancelledError, BudgetError, EndpointError):
            typer.echo(f"stopped: {progress.standing.so_far()}; the same command goes on from there", err=True)
            raise


def print_end(summary: AuditSummary, out: Path, took: str) -> None:
    """The table of criteria, the two shares a reader came for, where the files are, and what to do next."""
    rows = [_row(row) for row in summary.criteria]
    judged = f"{summary.turns} of {summary.turns_of} turns of {summary.conversations} conversations"
    headings = ("criterion", "mean", "95 % interval", "measured", "unreadable", "abstained", "splits", "alpha")
    print_table(f"{summary.dataset}: {judged}, judged by {', '.join(summary.judges)}", headings, rows)
    typer.echo(f"annotation noise   {_share(summary.noise, 'gold passages do not answer their query')}")
    typer.echo(f"missing evidence   {_share(summary.missing, 'turns have another passage that answers')}")
    typer.echo(f"took               {took}")
    typer.echo(f"audit              {out}")
    name = shlex.quote(str(out))
    typer.echo(f"next\n  open {name}/report.html\n  mtr audit compare {name} OTHER_AUDIT")


def _row(row: CriterionSummary) -> tuple[object, ...]:
    mean = row.mean
    if mean.mean is None:
        why = "; ".join(f"{reason} ({count})" for reason, count in row.unasked.items()) or "no verdict"
        return (
            row.criterion,
            "not measured",
            why,
            f"0 of {mean.asked}",
            row.unreadable,
            row.abstained,
            row.splits,
            None,
        )
    interval = None if mean.low is None else f"{mean.low:.2f} to {mean.high:.2f}"
    alpha = row.agreement.alpha if row.agreement else None
    return (
        row.criterion,
        f"{mean.mean:.2f}",
        interval,
        f"{mean.measured} of {mean.asked}",
        row.unreadable,
        row.abstained,
        row.splits,
        None if alpha is None else f"{alpha:.2f}",
    )


def _share(share: Share | None, what: str) -> str:
    if share is None or share.share is None:
        return "not measured"
    interval = "" if share.low is None else f", 95 % interval {100 * share.low:.0f} to {100 * (share.high or 0):.0f} %"
    return f"{share.count} of {share.measured} {what} ({100 * share.share:.0f} %{interval})"


def print_estimate(job: AuditJob, settings: Settings) -> None:
    """The dry run: what the audit will take, by criterion and judge."""
    lines = [((one.criterion, one.judge), one) for one in estimate(job, settings)]
    print_estimates(f"estimate for {len(job.items)} turns of {job.dataset.name}", ("criterion", "judge"), lines)
