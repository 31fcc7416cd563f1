"""The study of a reranker from a finished benchmark: its runs and summary, and the data set they were made from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mtr.benchmarking.files import finished_run, read_bench, scored_turns
from mtr.benchmarking.job import language_of
from mtr.benchmarking.systems import DEPTH, first_depth
from mtr.datasets.adapters import load_dataset
from mtr.datasets.fingerprint import fingerprint
from mtr.datasets.records import AnyTurn, Dataset
from mtr.errors import InputError
from mtr.evaluation.benchmark import BenchSummary, SystemFigures
from mtr.evaluation.metrics import parse_metrics
from mtr.evaluation.reranking import Grouping, RerankStudy, study_reranking
from mtr.query_types import TYPES, query_type
from mtr.records import MOVES


@dataclass(frozen=True)
class ExplainOptions:
    """What is to be explained. Without `depth` the best 20 passages, or as many as the funnel looked at."""

    rerank: str = ""
    depth: int | None = None
    metric: str = "nDCG@5"
    dataset: Path | None = None
    layout: str | None = None


def explain(folder: Path, options: ExplainOptions) -> tuple[RerankStudy, Dataset]:
    """The study, and the data set with the texts. Nothing is asked or ranked.

    InputError: the folder is no finished benchmark, it holds no such funnel, the funnel did not look that deep, or the
    data set is not the one that was benchmarked.
    """
    summary = read_bench(folder)
    system = _reranked(summary, options.rerank)
    base = next(
        (one for one in summary.systems if _first_stage(one) == _first_stage(system) and not one.funnel),
        None,
    )
    if base is None:
        raise InputError(f"{folder} holds no ranking of {system.name} before reranking; give its command again")
    depth = _depth(system, options.depth)
    metrics = parse_metrics([options.metric])
    dataset = _dataset(summary, options)
    turns = _turns(dataset, scored_turns(folder))
    ids = {*dataset.passages, *(turn.query_id for turn in turns)}
    runs = finished_run(folder, base.name, ids), finished_run(folder, system.name, ids)
    return study_reranking(turns, runs, metrics[0], depth, list(_groupings(dataset, turns)), summary.seed), dataset


def _reranked(summary: BenchSummary, wanted: str) -> SystemFigures:
    """The row named, by its whole name or by its funnel alone where that is unmistakable."""
    rows = [one for one in summary.systems if one.funnel]
    if not rows:
        raise InputError(
            f"the benchmark of {summary.dataset} holds no funnel, so nothing was reranked; "
            "give its command again with --rerank, finished rankings are kept"
        )
    found = [one for one in rows if wanted in ("", one.name, one.funnel)]
    if len(found) != 1:
        names = ", ".join(one.name for one in found or rows)
        raise InputError(f"--rerank {wanted}".rstrip() + f": name one reranked system; there are {names}")
    return found[0]


def _first_stage(system: SystemFigures) -> tuple[str, str]:
    return system.retriever, system.strategy


def _depth(system: SystemFigures, wanted: int | None) -> int:
    seen = first_depth(system.funnel)
    if wanted is not None and wanted > seen:
        raise InputError(
            f"--k {wanted}: {system.funnel} looked at the best {seen} passages only; ask for {seen} at most"
        )
    return wanted or min(DEPTH, seen)


def _dataset(summary: BenchSummary, options: ExplainOptions) -> Dataset:
    place = options.dataset or Path(summary.place)
    if not summary.place and options.dataset is None:
        raise InputError("the benchmark does not say where its data set lies; give it with --dataset")
    if not place.exists():
        raise InputError(f"the data set {place} does not exist here; give where it lies with --dataset")
    dataset = load_dataset(place, options.layout or summary.layout)
    if summary.fingerprint and fingerprint(dataset) != summary.fingerprint:
        raise InputError(f"{place} is not the data set that was benchmarked, or has changed; benchmark it again")
    return dataset


def _turns(dataset: Dataset, query_ids: Sequence[str]) -> list[AnyTurn]:
    known = {turn.query_id: turn for turn in dataset.turns}
    if lost := [one for one in query_ids if one not in known]:
        raise InputError(f"{dataset.name} has no turn {lost[0]!r}, which was benchmarked; give the right --dataset")
    return [known[one] for one in query_ids]


def _groupings(dataset: Dataset, turns: Sequence[AnyTurn]) -> Iterator[Grouping]:
    language = language_of(dataset)
    types = {turn.query_id: found for turn in turns if (found := query_type(turn.query, language)) is not None}
    yield Grouping("type of query", types, TYPES)
    moves = {turn.query_id: turn.move.replace("_", " ") for turn in turns if turn.move}
    yield Grouping("move", moves, [one.replace("_", " ") for one in MOVES])
