"""What `mtr rag` prints: the table of systems and k, what is told apart, and the estimate of a dry run."""

import typer

from mtr.cli.estimates import print_estimates
from mtr.cli.tables import print_table
from mtr.evaluation.intervals import Mean
from mtr.evaluation.rag import RIGHT, ArmFigures, RagSummary
from mtr.evaluation.report.rag_words import best_words, k_words, named
from mtr.rag.estimate import estimate
from mtr.rag.job import RagJob
from mtr.settings import Settings


def print_end(summary: RagSummary, took: str) -> None:
    """The table, the best k of each system, and where the files are."""
    criteria = [one.criterion for one in summary.arms[0].criteria] if summary.arms else []
    headings = ("system", "k", "right", *map(named, criteria), "context recall", "refused", "tokens", "usd")
    title = f"{summary.dataset}: {summary.turns} of {summary.turns_of} turns, judged by {', '.join(summary.judges)}"
    print_table(title, headings, [_row(one) for one in summary.arms])
    for sweep in summary.sweeps:
        if sweep.measure == RIGHT:
            turns = f"by right answers on {sweep.turns} turns"
            typer.echo(f"best k     {sweep.system}: {best_words(sweep)}, {turns}")
    typer.echo(f"took       {took}")


def _row(arm: ArmFigures) -> tuple[object, ...]:
    right, cost = arm.right, arm.cost
    return (
        arm.system,
        k_words(arm.k),
        None if right.share is None else f"{right.count} of {right.measured}",
        *(_mean(one.mean) for one in arm.criteria),
        _mean(arm.retrieval["R"]),
        f"{arm.refusals.refused} of {arm.answered}",
        None if cost.tokens is None else f"{cost.tokens:.0f}",
        None if cost.usd is None else f"{cost.usd:.4f}",
    )


def _mean(mean: Mean) -> str:
    if mean.mean is None:
        return "not measured"
    interval = "" if mean.low is None else f" ({mean.low:.2f} to {mean.high:.2f})"
    return f"{mean.mean:.2f}{interval}, {mean.measured} of {mean.asked}"


def print_estimate(job: RagJob, settings: Settings) -> None:
    """The dry run: what the evaluation will take, by system, purpose and model."""
    lines = [((one.system, one.purpose, one.model), one) for one in estimate(job, settings)]
    title = f"estimate for {len(job.turns)} turns of {job.dataset.name}, {len(job.arms)} systems and k"
    print_estimates(title, ("system", "purpose", "model"), lines)
