"""Runs a job for `mtr generate`: door, store and graph together, progress on stderr, what came out on stdout."""

import asyncio
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mtr.batch_store import BatchStore, open_store
from mtr.cli.dialogues import dialogue_maker
from mtr.cli.estimates import print_estimates
from mtr.corpus_job import Terms
from mtr.datasets.manifest import Manifest
from mtr.datasets.own import Made, check_folder
from mtr.errors import BudgetError, EndpointError, ShortfallError
from mtr.generation.estimate import estimate
from mtr.generation.job import Job
from mtr.generation.options import GenerateOptions
from mtr.generation.run import generate, standing
from mtr.llm import Budget, open_door
from mtr.llm.serving import check_weights, concurrency_of
from mtr.meter import of_judges, spent_by
from mtr.progress import Progress, duration, spending
from mtr.settings import Settings
from mtr.storage import home
from mtr.transcript import transcript

if TYPE_CHECKING:
    from mtr.cli.at_once import AtOnce, Found


@dataclass(frozen=True)
class Order:
    """How the user wants the job run."""

    out: Path | None
    concurrency: int | None
    human_usd: float | None
    budget_tokens: int | None
    budget_usd: float | None
    show: bool
    judges: tuple[str, ...] = ()


def run_job(job: Job, settings: Settings, order: Order) -> None:
    """Run the job and print what came out; Ctrl-C ends with exit code 130."""
    out = order.out or Path("datasets") / f"{job.stem}-{job.batch[:8]}"
    check_folder(out)
    check_weights(tuple(job.options.models.values()), settings)
    try:
        manifest, found = asyncio.run(_run(job, settings, order, out, _ensemble(job, settings, order)))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    _print_end(manifest, out, job.items[0])
    if found:
        found.print()


def _ensemble(job: Job, settings: Settings, order: Order) -> "AtOnce | None":
    """The judges that hear each conversation at once, None where nobody asked for them."""
    if not order.judges:
        return None
    from mtr.cli.at_once import AtOnce

    return AtOnce(job, settings, order.judges)


async def _run(
    job: Job, settings: Settings, order: Order, out: Path, ensemble: "AtOnce | None"
) -> tuple[Manifest, "Found | None"]:
    async with (
        open_door(settings, budget=Budget(tokens=order.budget_tokens, usd=order.budget_usd)) as door,
        open_store(home() / "batches.sqlite") as store,
    ):
        terms = Terms(
            out=out,
            concurrency=order.concurrency or concurrency_of(job.options.models.values(), settings),
            human_usd=order.human_usd,
            meter=lambda: of_judges(spent_by(door), judges=False),
        )
        progress = Progress(await standing(job, store), lambda: spent_by(door), sys.stderr)
        printer = _Printer(job, progress, order.show, ensemble)
        try:
            async with progress.shown():
                manifest = await generate(job, dialogue_maker(job, progress.turn), store, terms, printer.whole)
                found = await ensemble.audit(out, door, store) if ensemble else None
        except ShortfallError:
            printer.rest(store)
            raise
        except (asyncio.CancelledError, BudgetError, EndpointError):
            typer.echo(f"stopped: {progress.standing.so_far()}; the same command goes on from there", err=True)
            raise
        printer.rest(store)
        return manifest, found


class _Printer:
    """Prints transcripts: of new conversations when they are whole, of the others at the end."""

    def __init__(self, job: Job, progress: Progress, show: bool, ensemble: "AtOnce | None") -> None:
        self._job, self._progress, self._show, self._ensemble = job, progress, show, ensemble
        self._printed: set[str] = set()

    async def whole(self, item: str, made: Made) -> None:
        """Count, print and judge a conversation that has just been made."""
        self._print(item, made)
        self._progress.whole(len(made.conversation.turns), item)
        if self._ensemble:
            await self._ensemble.judge(made.conversation)

    def rest(self, store: BatchStore) -> None:
        """Print the conversations that earlier runs have made."""
        for item in self._job.items if self._show else ():
            made = None if item in self._printed else store.whole(self._job.batch, item, Made)
            if made is not None:
                self._print(item, made)

    def _print(self, item: str, made: Made) -> None:
        if self._show:
            self._progress.clear()
            typer.echo(transcript(made.conversation, self._job.corpus.passages))
            self._printed.add(item)


def _print_end(manifest: Manifest, out: Path, first: str) -> None:
    counts, run = manifest.counts, manifest.run
    typer.echo(f"data set   {out}")
    typer.echo(
        f"holds      {counts.delivered} conversations, {counts.turns} turns, {len(counts.abandoned)} abandoned attempts"
    )
    typer.echo(f"took       {duration(run.seconds)}, {', '.join(spending(run.usage))}")
    typer.echo("next")
    typer.echo(f"  mtr trace {shlex.quote(str(out))} {first}")
    typer.echo(f"  mtr bench {shlex.quote(str(out))} --query last_turn --query all_queries --query standalone")
    typer.echo("  mtr corpus build YOUR_DOCUMENTS --name NAME")


def print_estimate(options: GenerateOptions, settings: Settings) -> None:
    """The dry run: what the job will take by the averages, by role."""
    lines = [((one.role, one.model), one) for one in estimate(options, settings)]
    title = f"estimate for {options.conversations} conversations of {options.turns} turns"
    print_estimates(title, ("role", "model"), lines)
