"""Runs a benchmark for `mtr bench`: agents handed in, door open, progress on stderr, the table on stdout."""

import asyncio
import shlex
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import typer

from mtr.benchmarking.files import check_bench_folder
from mtr.benchmarking.job import BenchJob, prepare
from mtr.benchmarking.options import BenchOptions
from mtr.benchmarking.run import BenchTerms, bench
from mtr.cli.bench_agents import BenchAgents
from mtr.cli.tables import print_table
from mtr.datasets.adapters import load_dataset
from mtr.evaluation.benchmark import BenchSummary, SystemFigures
from mtr.llm import Budget, open_door
from mtr.llm.serving import check_weights
from mtr.meter import spent_by
from mtr.progress import watched
from mtr.settings import Settings, load_settings
from mtr.storage import as_file_name


@dataclass(frozen=True)
class BenchOrder:
    """How the user wants the benchmark run."""

    place: Path
    layout: str | None
    out: Path | None
    budget_tokens: int | None
    budget_usd: float | None
    fresh: bool = False


def run_bench(options: BenchOptions, order: BenchOrder) -> None:
    """Run the benchmark and print its table; Ctrl-C ends with exit code 130."""
    settings = load_settings()
    dataset = load_dataset(order.place, order.layout)
    agents = BenchAgents(options.domain or ("general_zh" if dataset.language == "zh" else "general"), settings)
    stem = as_file_name(dataset.name, "dataset")
    out = order.out or Path("results") / stem
    check_bench_folder(out)
    job = prepare(options, dataset, settings, agents, order.place)
    check_weights(agents.chat_models, settings)
    try:
        summary = asyncio.run(_run(job, settings, order, out))
    except KeyboardInterrupt:
        typer.echo("stopped; finished systems are kept, the same command goes on from there", err=True)
        raise typer.Exit(130) from None
    print_end(summary, out)


async def _run(job: BenchJob, settings: Settings, order: BenchOrder, out: Path) -> BenchSummary:
    budget = Budget(tokens=order.budget_tokens, usd=order.budget_usd)
    async with open_door(settings, budget=budget) as door:
        say = partial(typer.echo, err=True)
        meter = partial(spent_by, door)
        watch = partial(watched, meter=meter, stream=sys.stderr)
        terms = BenchTerms(out=out, meter=meter, say=say, fresh=order.fresh, watch=watch)
        return await bench(job, terms)


def print_end(summary: BenchSummary, out: Path) -> None:
    """The table, what it can tell apart, and where the files are."""
    title = f"{summary.dataset}: {summary.turns} turns of {summary.conversations} conversations"
    print_table(title, ("system", *summary.metrics, "answered"), [_row(one, summary) for one in summary.systems])
    for one in summary.comparisons:
        if one.metric == summary.metric and one.discrimination is not None:
            power = one.discrimination
            typer.echo(f"told apart   {power.told_apart} of {power.pairs} pairs by {one.metric}, gap {power.gap:.4f}")
    if summary.ceiling is not None:
        best = summary.ceiling.means[summary.metric]
        typer.echo(f"ceiling      {best:.4f} {summary.metric}, since gold is missing in the corpus")
    for system in summary.systems:
        for left in system.unreadable:
            what = f"{left.count} of {left.asked} left as they were by {left.stage}, reply unreadable"
            typer.echo(f"unreadable   {system.name}: {what}")
        for recall in system.recalls:
            what = f"{recall.search} found {recall.share:.4f} of the {recall.k} nearest passages"
            typer.echo(f"recall       {system.name}: {what}")
    typer.echo(f"missed       {len(summary.missed)} of {summary.turns} turns by every system")
    typer.echo(f"audit        {'not audited' if summary.audit is None else 'see the report'}")
    typer.echo(f"benchmark    {out}\nnext\n  open {shlex.quote(str(out))}/report.html")


def _row(system: SystemFigures, summary: BenchSummary) -> tuple[object, ...]:
    figures = system.figures
    means = (figures.means[metric].mean for metric in summary.metrics)
    answered = f"{figures.judged - figures.missing} of {figures.judged}"
    return (system.name, *(None if mean is None else f"{mean:.4f}" for mean in means), answered)
