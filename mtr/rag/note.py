"""rag.json: what was asked of whom, and what it cost over all runs."""

from collections.abc import Sequence
from typing import Literal

from mtr.account import Account
from mtr.batch import Abandoned, BatchReport, Failed
from mtr.batch_store import BatchStore
from mtr.rag.job import RagJob
from mtr.rag.options import RagOptions
from mtr.records import Record
from mtr.spent import Spent, merge_spent
from mtr.versions import versions


class RagNote(Record):
    """`keys` tell one state of a system from another: its answers were made with this one."""

    kind: Literal["mtr rag"] = "mtr rag"
    layout_version: int = 1
    batch: str
    versions: dict[str, str]
    options: RagOptions
    dataset: str
    layout: str
    prompts: dict[str, str]
    keys: dict[str, str]
    failed: tuple[Failed, ...]
    abandoned: tuple[Abandoned, ...]
    seconds: float
    runs: int
    usage: tuple[Spent, ...]


async def note_of(job: RagJob, store: BatchStore, reports: Sequence[BatchReport]) -> RagNote:
    """The note of an evaluation whose batches ended as reported."""
    accounts = await store.runs(job.batch, Account)
    return RagNote(
        batch=job.batch,
        versions=versions(),
        options=job.options,
        dataset=job.dataset.name,
        layout=job.dataset.layout,
        prompts=dict(job.prompts),
        keys={one.name: one.key for one in job.systems},
        failed=tuple(one for report in reports for one in report.failed),
        abandoned=tuple(one for report in reports for one in report.abandoned),
        seconds=round(sum(account.seconds for account in accounts), 3),
        runs=len(accounts),
        usage=merge_spent(spent for account in accounts for spent in account.usage),
    )
