"""Runs a job: the batch, then its data-set folder with the account of what it cost, over all runs of it."""

from collections.abc import Iterable
from pathlib import Path

from mtr.account import Account, Clock
from mtr.batch import BatchReport, Make, OnWhole, run_batch
from mtr.batch_store import BatchStore
from mtr.corpus_job import ATTEMPTS, Terms
from mtr.datasets.manifest import Counts, Manifest, Tally
from mtr.datasets.own import Made, check_folder, write_dataset
from mtr.errors import ShortfallError
from mtr.generation.job import Job
from mtr.job_manifest import manifest_of
from mtr.progress import Standing


async def generate(job: Job, make: Make[Made], store: BatchStore, terms: Terms, on_whole: OnWhole[Made]) -> Manifest:
    """Make the conversations of the job and write the data set to `terms.out`; returns its manifest.

    ShortfallError: fewer conversations than asked for could be made; those that were are written all the same.
    BudgetError, FatalEndpointError: stopped; nothing is written, what is finished waits for the next run.
    """
    check_folder(terms.out)
    clock = Clock(store, job.batch, terms.meter)

    async def whole(item: str, made: Made) -> None:
        await clock.write()
        await on_whole(item, made)

    try:
        report = await run_batch(
            job.batch,
            job.items,
            make,
            store=store,
            attempts=ATTEMPTS,
            concurrency=terms.concurrency,
            on_whole=whole,
        )
    finally:
        await clock.write()
    manifest = _manifest(job, report, terms, store, await store.runs(job.batch, Account))
    if report.delivered:
        write_dataset(terms.out, job.corpus.passages.values(), store.wholes(job.batch, job.items, Made), manifest)
    if report.short:
        raise ShortfallError(_shortfall(report, terms.out))
    return manifest


async def standing(job: Job, store: BatchStore) -> Standing:
    """Where earlier runs have left the job."""
    tried = await store.tried(job.batch)
    kept = sum(item in tried and tried[item].whole for item in job.items)
    turns = job.options.turns
    return Standing(asked=len(job.items), kept=kept, kept_turns=kept * turns, turns_each=turns)


def _manifest(job: Job, report: BatchReport, terms: Terms, store: BatchStore, accounts: list[Account]) -> Manifest:
    tally = _tally(store.wholes(job.batch, job.items, Made))
    counts = Counts(
        asked=report.asked,
        delivered=report.delivered,
        turns=tally.turns,
        abandoned=report.abandoned,
        failed=report.failed,
    )
    return manifest_of(job, counts, tally, accounts, terms)


def _tally(made: Iterable[Made]) -> Tally:
    tally = Tally()
    for one in made:
        tally.add(one.conversation)
    return tally


def _shortfall(report: BatchReport, out: Path) -> str:
    lines = [f"{report.delivered} of {report.asked} conversations could be made"]
    lines += [f"  {one.item}: {one.reason}" for one in report.failed]
    spent = {one.item: one for one in report.abandoned if one.attempt == ATTEMPTS - 1}
    lines += [f"  {item}: {ATTEMPTS} attempts abandoned, the last one: {one.reason}" for item, one in spent.items()]
    lines.append(_advice(report, out))
    return "\n".join(lines)


def _advice(report: BatchReport, out: Path) -> str:
    where = f"those made are in {out}; " if report.delivered else ""
    if report.failed:
        return f"{where}run the same command again to try the rest again"
    return f"{where}try another --seed, a larger corpus, or --uniqueness multi-gold"
