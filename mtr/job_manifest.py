"""The manifest of what a job has made: what shaped it, what came of it, and what it cost over all runs of the batch."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TypeVar

from mtr.account import Account
from mtr.corpus_job import CorpusJob, JobOptions, Terms
from mtr.datasets.manifest import CorpusNote, Counts, Manifest, RunNote, Tally, per_kept_turn
from mtr.spent import merge_spent
from mtr.versions import versions

O = TypeVar("O", bound=JobOptions)  # noqa: E741


def manifest_of(job: CorpusJob[O], counts: Counts, tally: Tally, accounts: Sequence[Account], terms: Terms) -> Manifest:
    """`tally` has counted what was delivered; `accounts` are those of all runs."""
    usage = merge_spent(spent for account in accounts for spent in account.usage)
    seconds = sum(account.seconds for account in accounts)
    options = job.options
    return Manifest(
        batch=job.batch,
        versions=versions(),
        options=options.model_dump(exclude={"models"}),
        seed=options.seed,
        domain=options.domain,
        prompts=job.prompts,
        models=options.models,
        thresholds=job.thresholds,
        corpus=CorpusNote(name=job.corpus.name, fingerprint=job.fingerprint, passages=len(job.corpus.passages)),
        counts=counts,
        shares=tally.shares(),
        run=RunNote(
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            seconds=round(seconds, 3),
            runs=len(accounts),
            concurrency=terms.concurrency,
            usage=usage,
            per_kept_turn=per_kept_turn(usage, tally.turns, seconds, terms.human_usd),
        ),
    )
