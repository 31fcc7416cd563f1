"""What the benchmarks of judges share: a data set before one judge by one criterion, and what that cost."""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from mtr.auditing.job import prepare
from mtr.auditing.options import AuditOptions
from mtr.cli.judgements import judgement_maker
from mtr.datasets.records import Dataset
from mtr.evaluation.resampling import Interval
from mtr.llm import Door, open_door
from mtr.llm.serving import concurrency_of
from mtr.settings import load_settings
from mtr.verdicts import JudgedTurn

SEED = 7


@dataclass(frozen=True)
class Judging:
    """The judged turns in the order of the data set. Calls and seconds are those on the ledger, whichever run paid for
    them; replies that could not be read are not among them.
    """

    turns: tuple[JudgedTurn, ...]
    calls: int
    seconds: float


async def judged_by(judge: str, criterion: str, dataset: Dataset, domain: str) -> Judging:
    """Every turn before the judge, by the audit's own path. One criterion at a time, so that an embedded model keeps
    the beginning of its prompt. Stopped, it goes on from the ledger.
    """
    settings = load_settings()
    options = AuditOptions.checked(
        domain=domain,
        judges=(judge,),
        criteria=(criterion,),
        sample=max(len(dataset.turns), 1),
        seed=SEED,
    )
    job = prepare(options, dataset, settings, "benchmark")
    make, slots = judgement_maker(job), asyncio.Semaphore(concurrency_of(options.models, settings))
    done: list[str] = []

    async def one(item: str) -> JudgedTurn:
        async with slots:
            outcome = await make(item, 0)
        done.append(item)
        print(f"\r{judge} {criterion}: {len(done)} of {len(job.items)} turns ", end="", file=sys.stderr, flush=True)
        assert outcome.value is not None
        return outcome.value

    async with open_door(settings) as door:
        turns = tuple(await asyncio.gather(*(one(item) for item in job.items)))
        calls, seconds = await asyncio.to_thread(_cost, door, turns)
    print(file=sys.stderr)
    return Judging(turns, calls, seconds)


def _cost(door: Door, turns: Sequence[JudgedTurn]) -> tuple[int, float]:
    keys = {key for turn in turns for verdict in turn.verdicts for key in verdict.calls}
    entries = [door.ledger.entry(key) for key in sorted(keys)]
    replies = [reply for entry in entries for reply in (entry.accepted, *entry.rejected) if reply is not None]
    return len(replies), sum(reply.seconds for reply in replies)


def print_rows(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A Markdown table; the first column to the left, figures to the right."""
    print(f"| {' | '.join(headings)} |\n|---|{'---:|' * (len(headings) - 1)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def shown(value: float | None, interval: Interval | None = None) -> str:
    """A figure with its interval of 95 %, or a dash."""
    if value is None:
        return "–"
    if interval is None or interval.low is None or interval.high is None:
        return f"{value:.2f}"
    return f"{value:.2f} [{interval.low:.2f}, {interval.high:.2f}]"
