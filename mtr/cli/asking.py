"""Runs a job for `mtr questions`: door, store and graph together, progress on stderr, what came out on stdout."""

import asyncio
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import typer

from mtr.batch import Make
from mtr.batch_store import Outcome, open_store
from mtr.cli.dialogues import SHAPING, code_of
from mtr.cli.estimates import print_estimates
from mtr.cli.tables import print_table
from mtr.corpus_job import Terms
from mtr.datasets.own import check_folder
from mtr.errors import BudgetError, EndpointError
from mtr.llm import Budget, open_door
from mtr.llm.serving import check_weights, concurrency_of
from mtr.meter import spent_by
from mtr.progress import Progress, duration, spending
from mtr.questions.estimate import estimate
from mtr.questions.job import QuestionJob
from mtr.questions.options import QuestionOptions
from mtr.questions.records import Attempted
from mtr.questions.run import Finished, make_questions, standing
from mtr.questions.summary import Summary
from mtr.settings import Settings
from mtr.storage import home


@dataclass(frozen=True)
class Order:
    """How the user wants the job run."""

    out: Path | None
    concurrency: int | None
    budget_tokens: int | None
    budget_usd: float | None


def code_of_questions() -> str:
    """The fingerprint of the code that shapes questions, found without importing it."""
    return code_of((*SHAPING, "mtr.questions", "mtr.quotes", "mtr.query_types"))


def run_job(job: QuestionJob, settings: Settings, order: Order) -> None:
    """Run the job and print what came out; Ctrl-C ends with exit code 130."""
    out = order.out or Path("datasets") / f"{job.stem}-questions-{job.batch[:8]}"
    check_folder(out)
    check_weights(tuple(job.options.models.values()), settings)
    try:
        finished = asyncio.run(_run(job, settings, order, out))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    print_summary(finished.summary)
    _print_end(finished, out, job.items[0])


async def _run(job: QuestionJob, settings: Settings, order: Order, out: Path) -> Finished:
    async with (
        open_door(settings, budget=Budget(tokens=order.budget_tokens, usd=order.budget_usd)) as door,
        open_store(home() / "batches.sqlite") as store,
    ):
        terms = Terms(
            out=out,
            concurrency=order.concurrency or concurrency_of(job.options.models.values(), settings),
            human_usd=None,
            meter=lambda: spent_by(door),
        )
        progress = Progress(await standing(job, store), lambda: spent_by(door), sys.stderr)
        seen: set[str] = set()

        async def whole(item: str, _: Attempted) -> None:
            """Count a question; one made anew because it repeated another was counted before."""
            if item not in seen:
                seen.add(item)
                progress.whole(1)

        try:
            async with progress.shown():
                return await make_questions(job, question_maker(job), store, terms, whole)
        except (asyncio.CancelledError, BudgetError, EndpointError):
            typer.echo(f"stopped: {progress.standing.so_far()}; the same command goes on from there", err=True)
            raise


def question_maker(job: QuestionJob) -> Make[Attempted]:
    """A function that runs the graph for one attempt at one question."""
    from graphs.questions import graph
    from graphs.questions_context import QuestionsContext
    from graphs.questions_state import QuestionInput, QuestionOutput

    options = job.options
    context = QuestionsContext.model_validate(
        {
            "corpus": options.corpus,
            "domain": options.domain,
            "seed": options.seed,
            **{f"{role}_model": model for role, model in options.models.items()},
        }
    )

    async def make(item: str, attempt: int) -> Outcome[Attempted]:
        number = job.slot(item)
        slot = job.plan.slots[number]
        order = QuestionInput(
            question_id=item,
            seed_item=number,
            attempt=attempt,
            tier=slot.tier,
            wanted=slot.wanted,
            skip=slot.use + attempt,
            anchors=job.plan.anchors(number, attempt),
        )
        output = QuestionOutput.model_validate(await graph.ainvoke(order, context=context))
        attempted = Attempted(question=output.question, steps=tuple(output.steps))
        return Outcome(value=attempted, reason="" if output.question else output.abandoned)

    return make


def print_summary(summary: Summary) -> None:
    """The tables of a set: tiers, acceptance, types, strata."""
    print_table("questions", ("tier", "asked", "delivered"), ((t.tier, t.asked, t.delivered) for t in summary.tiers))
    print_table(
        "let through by each check",
        ("check", "tier", "seen", "passed", "share", "most rejected because"),
        (
            (c.check, c.tier, c.seen, c.passed, f"{c.passed / c.seen:.2f}", c.reasons[0].reason if c.reasons else None)
            for c in summary.acceptance
        ),
    )
    types = summary.diversity.types
    print_table(
        "types of query", ("type", "wanted", "found"), ((t.kind or "not known", t.wanted, t.found) for t in types)
    )
    print_table(
        "strata",
        ("of", "strata", "with a quota", "reached", "short", "most from one"),
        ((s.dimension, s.strata, s.with_quota, s.reached, s.short, s.most_from_one) for s in summary.spread),
    )


def _print_end(finished: Finished, out: Path, first: str) -> None:
    counts, run, varied = finished.manifest.counts, finished.manifest.run, finished.summary.diversity
    typer.echo(f"data set   {out}")
    typer.echo(f"holds      {counts.delivered} questions, {len(counts.abandoned)} attempts given up")
    if varied.nearest is not None and varied.distinct_2 is not None:
        typer.echo(
            f"varied     {varied.topics} topics, distinct pairs of words {varied.distinct_2:.2f}, "
            f"similarity to the nearest {varied.nearest:.2f}"
        )
    typer.echo(f"took       {duration(run.seconds)}, {', '.join(spending(run.usage))}")
    typer.echo("next")
    typer.echo(f"  mtr trace {shlex.quote(str(out))} {first}")
    typer.echo(f"  mtr audit {shlex.quote(str(out))}")
    typer.echo(f"  mtr bench {shlex.quote(str(out))} --query last_turn --query standalone")


def print_estimate(options: QuestionOptions, settings: Settings) -> None:
    """The dry run: what the set will take by the averages, by role."""
    lines = [((one.role, one.model), one) for one in estimate(options, settings)]
    counts = ", ".join(f"{count} {tier}" for tier, count in options.counts.items() if count)
    print_estimates(f"estimate for questions: {counts}", ("role", "model"), lines)
