"""Benchmarks for tests, run without a command line."""

from pathlib import Path

from mtr.benchmarking.job import BenchJob, prepare
from mtr.benchmarking.options import BenchOptions
from mtr.benchmarking.run import BenchTerms, bench
from mtr.cli.bench_agents import BenchAgents
from mtr.datasets.records import Dataset
from mtr.evaluation.benchmark import BenchSummary
from mtr.settings import load_settings


def job_of(dataset: Dataset, *, place: Path = Path("nowhere"), **options: object) -> BenchJob:
    """A benchmark of the data set; options as in a file."""
    settings = load_settings()
    given = BenchOptions.model_validate(options)
    return prepare(given, dataset, settings, BenchAgents("general", settings), place)


async def result(job: BenchJob, out: Path, said: list[str] | None = None) -> BenchSummary:
    """Run the benchmark without models."""
    heard: list[str] = [] if said is None else said
    return await bench(job, BenchTerms(out=out, meter=tuple, say=heard.append))


def score(summary: BenchSummary, system: str, metric: str) -> float:
    """A mean of a system."""
    value = next(one for one in summary.systems if one.name == system).figures.means[metric].mean
    assert value is not None
    return value
