"""Rounds of a batch: all open questions are made, those that repeat an earlier one are taken back and made anew."""

from collections.abc import Iterator
from dataclasses import dataclass

from mtr.batch import BatchReport, Make, OnWhole, run_batch
from mtr.batch_store import BatchStore
from mtr.corpus_job import ATTEMPTS
from mtr.questions.job import QuestionJob
from mtr.questions.records import Attempted, Brief, brief
from mtr.questions.similarity import Repeat, Scale, Sieve, calibrated_scale

REPEATS = "it repeats the query of"


@dataclass(frozen=True)
class Sifted:
    """The batch after its last round; `briefs` are of the questions that go into the set."""

    report: BatchReport
    briefs: list[Brief]
    scale: Scale


async def rounds(
    job: QuestionJob, make: Make[Attempted], store: BatchStore, concurrency: int, on_whole: OnWhole[Attempted]
) -> Sifted:
    """Make what is open, take back what repeats an earlier slot, and again; a question has `ATTEMPTS` in all.

    Repeats are looked for only when every slot is done, so that they do not depend on which slot was done first. Where
    an endpoint left some undone nothing is taken back for good: repeats are left out of this run's set.
    """
    scale = await calibrated_scale(job.corpus, job.domain, job.options.seed)
    sieve = Sieve(scale, job.corpus.manifest.options.embedding_model)
    while True:
        report = await run_batch(
            job.batch,
            job.items,
            make,
            store=store,
            attempts=ATTEMPTS,
            concurrency=concurrency,
            on_whole=on_whole,
        )
        briefs = list(_briefs(job, store))
        repeats = {one.item: one for one in await sieve.repeats([(one.item, one.query) for one in briefs])}
        if not repeats or report.failed:
            return Sifted(report, [one for one in briefs if one.item not in repeats], scale)
        await store.take_back(job.batch, {item: _said(repeat) for item, repeat in repeats.items()})


def _briefs(job: QuestionJob, store: BatchStore) -> Iterator[Brief]:
    for item in job.items:
        attempted = store.whole(job.batch, item, Attempted)
        if attempted is not None and attempted.question is not None:
            yield brief(item, attempted.question)


def _said(repeat: Repeat) -> str:
    return f"{REPEATS} {repeat.of} (similarity {repeat.similarity:.2f})"
