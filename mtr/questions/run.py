"""Runs a job: rounds of the batch until no question repeats another, then the data-set folder with its account."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mtr.account import Account, Clock
from mtr.batch import Make, OnWhole
from mtr.batch_store import BatchStore
from mtr.corpus_job import ATTEMPTS, Terms
from mtr.datasets.manifest import Counts, Manifest, Tally
from mtr.datasets.own import Made, check_folder, query_id, write_dataset
from mtr.errors import ShortfallError
from mtr.job_manifest import manifest_of
from mtr.llm import embed
from mtr.progress import Standing
from mtr.questions.acceptance import Acceptance
from mtr.questions.diversity import diversity
from mtr.questions.job import QuestionJob
from mtr.questions.records import Attempted, Brief, plain
from mtr.questions.rounds import REPEATS, Sifted, rounds
from mtr.questions.summary import Summary, spread, strata_table, tier_table
from mtr.storage import json_line

_SHOWN = 10


@dataclass(frozen=True)
class Finished:
    """What a run leaves: the account and the summary of the set."""

    manifest: Manifest
    summary: Summary


async def make_questions(
    job: QuestionJob, make: Make[Attempted], store: BatchStore, terms: Terms, on_whole: OnWhole[Attempted]
) -> Finished:
    """Make the questions of the job and write the set to `terms.out`.

    ShortfallError: fewer questions of a tier than asked for could be made; those that were are written all the same.
    BudgetError, FatalEndpointError: stopped; nothing is written, what is finished waits for the next run.
    """
    check_folder(terms.out)
    clock = Clock(store, job.batch, terms.meter)

    async def whole(item: str, attempted: Attempted) -> None:
        await clock.write()
        await on_whole(item, attempted)

    try:
        sifted = await rounds(job, make, store, terms.concurrency, whole)
        summary = await _summary(job, store, sifted)
    finally:
        await clock.write()
    manifest = _manifest(job, sifted, terms, store, await store.runs(job.batch, Account))
    if sifted.briefs:
        _write(job, sifted.briefs, terms, store, manifest, summary)
    if len(sifted.briefs) < len(job.items):
        raise ShortfallError(_shortfall(sifted, summary, terms))
    return Finished(manifest, summary)


async def standing(job: QuestionJob, store: BatchStore) -> Standing:
    """Where earlier runs have left the job."""
    tried = await store.tried(job.batch)
    kept = sum(item in tried and tried[item].whole for item in job.items)
    return Standing(asked=len(job.items), kept=kept, kept_turns=kept, things="questions")


async def _summary(job: QuestionJob, store: BatchStore, sifted: Sifted) -> Summary:
    acceptance = Acceptance()
    for item in job.items:
        for outcome in store.attempts(job.batch, item, Attempted):
            if outcome.value is not None:
                tier = job.plan.slots[job.slot(item)].tier
                acceptance.add(tier, outcome.value, repeats=outcome.reason.startswith(REPEATS))
    briefs = sifted.briefs
    model = job.corpus.manifest.options.embedding_model
    quotas = strata_table(job.plan, briefs)
    return Summary(
        tiers=tier_table(job.plan, briefs),
        acceptance=acceptance.checks(),
        spread=spread(quotas),
        strata=quotas,
        barren=len(job.plan.barren),
        diversity=diversity(
            briefs, await embed([one.query for one in briefs], model=model, kind="query"), sifted.scale
        ),
    )


def _write(
    job: QuestionJob, briefs: list[Brief], terms: Terms, store: BatchStore, manifest: Manifest, summary: Summary
) -> None:
    items = tuple(one.item for one in briefs)
    more = {
        "questions.jsonl": _plain_lines(_questions(job, store, items)),
        "summary.json": [summary.model_dump_json(indent=2) + "\n"],
    }
    made = (
        Made(conversation=one.question.conversation, steps=one.steps)
        for one in _questions(job, store, items)
        if one.question is not None
    )
    write_dataset(terms.out, job.corpus.passages.values(), made, manifest, more)


def _questions(job: QuestionJob, store: BatchStore, items: tuple[str, ...]) -> Iterator[Attempted]:
    return store.wholes(job.batch, items, Attempted)


def _plain_lines(attempted: Iterable[Attempted]) -> Iterator[str]:
    for one in attempted:
        if one.question is not None:
            name = query_id(one.question.conversation.conversation_id, 1)
            yield json_line(plain(one.question, name).model_dump(mode="json"))


def _manifest(job: QuestionJob, sifted: Sifted, terms: Terms, store: BatchStore, accounts: list[Account]) -> Manifest:
    tally = Tally()
    for one in _questions(job, store, tuple(one.item for one in sifted.briefs)):
        if one.question is not None:
            tally.add(one.question.conversation)
    counts = Counts(
        asked=len(job.items),
        delivered=len(sifted.briefs),
        turns=tally.turns,
        abandoned=sifted.report.abandoned,
        failed=sifted.report.failed,
    )
    return manifest_of(job, counts, tally, accounts, terms)


def _shortfall(sifted: Sifted, summary: Summary, terms: Terms) -> str:
    report = sifted.report
    short = [f"{one.delivered} of {one.asked} {one.tier}" for one in summary.tiers if one.delivered < one.asked]
    lines = [f"{len(sifted.briefs)} of {report.asked} questions could be made: {', '.join(short)}"]
    lines += [f"  {one.item}: {one.reason}" for one in report.failed[:_SHOWN]]
    spent = {one.item: one for one in report.abandoned if one.attempt == ATTEMPTS - 1}
    lines += [
        f"  {item}: {ATTEMPTS} attempts given up, the last one: {one.reason}"
        for item, one in list(spent.items())[:_SHOWN]
    ]
    if hidden := max(len(report.failed) - _SHOWN, 0) + max(len(spent) - _SHOWN, 0):
        lines.append(f"  and {hidden} more; manifest.json has them all")
    where = f"those made are in {terms.out}; " if sifted.briefs else ""
    again = "run the same command again to try the rest again"
    return "\n".join(
        (*lines, where + (again if report.failed else "try another --seed, a larger corpus, fewer questions"))
    )
