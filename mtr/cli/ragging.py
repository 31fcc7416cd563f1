"""Runs a RAG evaluation for `mtr rag`: agents and judges handed in, progress on stderr, the table on stdout."""

import asyncio
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from mtr.auditing.dockets import drawn_turns
from mtr.auditing.options import AuditOptions
from mtr.batch_store import open_store
from mtr.cli.dialogues import code_of
from mtr.cli.judgements import SHAPING, judged_turn, judging_context
from mtr.cli.rag_agents import Answerers
from mtr.cli.rag_printing import print_end, print_estimate
from mtr.datasets.records import Dataset
from mtr.errors import BudgetError, EndpointError
from mtr.evaluation.rag import RagSummary
from mtr.judging.asking import Docket
from mtr.llm import Budget, open_door
from mtr.llm.serving import check_weights, concurrency_of
from mtr.meter import spent_by
from mtr.progress import Progress, duration, spending
from mtr.rag.files import check_rag_folder
from mtr.rag.job import RagJob, prepare
from mtr.rag.judging import Judge
from mtr.rag.options import RagOptions
from mtr.rag.run import RagTerms, rag
from mtr.rag.specs import Around, systems_of
from mtr.rag.standing import RagStanding
from mtr.settings import Settings
from mtr.steps import heard_steps
from mtr.storage import as_file_name, home
from mtr.verdicts import JudgedTurn


@dataclass(frozen=True)
class RagOrder:
    """How the user wants the evaluation run."""

    out: Path | None
    concurrency: int | None
    budget_tokens: int | None
    budget_usd: float | None
    dry_run: bool


def rag_job(options: RagOptions, dataset: Dataset, settings: Settings) -> RagJob:
    """The checked evaluation, its systems made. Nothing is called."""
    turns = drawn_turns(dataset, options.judging.sample, options.judging.seed)
    agents = Answerers(options.judging.domain, settings)
    systems = systems_of(Around(options, dataset, turns, settings, agents))
    return prepare(options, dataset, systems, settings, code_of((*SHAPING, "mtr.rag.judging")), agents.chat_models)


def run_rag(options: RagOptions, dataset: Dataset, settings: Settings, order: RagOrder) -> None:
    """Run the evaluation and print what came out; Ctrl-C ends with exit code 130."""
    job = rag_job(options, dataset, settings)
    if order.dry_run:
        print_estimate(job, settings)
        return
    out = order.out or Path("rag") / f"{as_file_name(dataset.name, 'dataset')}-{job.batch[:8]}"
    check_rag_folder(out)
    check_weights(job.models, settings)
    try:
        summary, took = asyncio.run(_run(job, settings, order, out))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    print_end(summary, took)
    typer.echo(f"evaluation {out}\nnext\n  open {shlex.quote(str(out))}/report.html")


async def _run(job: RagJob, settings: Settings, order: RagOrder, out: Path) -> tuple[RagSummary, str]:
    async with (
        open_door(settings, budget=Budget(tokens=order.budget_tokens, usd=order.budget_usd)) as door,
        open_store(home() / "batches.sqlite") as store,
    ):
        now = RagStanding(asked=0, kept=0, kept_turns=0)
        progress = Progress(now, lambda: spent_by(door), sys.stderr)

        def step(standing: RagStanding) -> None:
            nonlocal now
            now = progress.standing = standing
            progress.show()

        def retrieved(count: int) -> None:
            now.retrieved += count

        terms = RagTerms(
            out=out,
            concurrency=order.concurrency or concurrency_of(job.models, settings),
            meter=lambda: spent_by(door),
            judge=judge_of(job.options.judging),
            step=step,
        )
        try:
            with heard_steps(retrieved):
                async with progress.shown():
                    summary = await rag(job, store, terms)
        except (asyncio.CancelledError, BudgetError, EndpointError):
            typer.echo(f"stopped: {progress.standing.so_far()}; the same command goes on from there", err=True)
            raise
        return summary, f"{duration(progress.seconds)}, {', '.join(spending(spent_by(door)))}"


def judge_of(options: AuditOptions) -> Judge:
    """The ensemble of these options, as the judging graph has it."""

    async def judge(docket: Docket, criteria: Sequence[str]) -> JudgedTurn:
        chosen = options.model_copy(update={"criteria": tuple(criteria)})
        return await judged_turn(docket, judging_context(chosen))

    return judge
