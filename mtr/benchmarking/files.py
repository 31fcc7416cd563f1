"""The folder of a benchmark.

runs/SYSTEM.trec.gz   the ranking of every query, in TREC's six columns
systems/SYSTEM.json   what made it and what it took; with the run it is what a second run of the command keeps
results.jsonl         a system a line: its figures and costs
per_query.jsonl       a system and query a line, every metric
summary.json          the whole; report.md and report.html tell it; written last
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import ValidationError

from mtr.benchmarking.systems import System
from mtr.errors import InputError
from mtr.evaluation.benchmark import BenchSummary, Recalled, StageCost, Unreadable
from mtr.evaluation.metrics import RunScores
from mtr.evaluation.report.bench_report import bench_html, bench_markdown
from mtr.evaluation.run_comparison import QueryScores, query_scores
from mtr.records import Record
from mtr.relevance import Ranking, Run, read_run, write_run
from mtr.storage import check_can_be_made, read_records, replace_text, write_records

SUMMARY, SYSTEMS, RUNS, PER_QUERY = "summary.json", "systems", "runs", "per_query.jsonl"
_BLANK = re.compile(r"\s")


class SystemNote(Record):
    """systems/SYSTEM.json. A run is kept for the same `key` only. `asked` are the queries that had a text."""

    name: str
    key: str
    asked: tuple[str, ...]
    without_query: int
    costs: tuple[StageCost, ...]
    unreadable: tuple[Unreadable, ...] = ()
    recalls: tuple[Recalled, ...] = ()


def check_bench_folder(folder: Path) -> None:
    """InputError when the folder holds something other than a benchmark."""
    check_can_be_made(folder, "the benchmark")
    if folder.exists() and any(folder.iterdir()) and not (folder / SYSTEMS).is_dir():
        raise InputError(f"{folder} is not empty and holds no benchmark of MTR's; name another folder, or empty it")


def keep_system(folder: Path, note: SystemNote, run: Run) -> None:
    """Put a finished system on disk, its note last. A blank in an id is written %20, as TREC's columns are apart."""
    stem = stem_of(note.name)
    rankings = {_column(query_id): _columns(ranking) for query_id, ranking in run.rankings.items()}
    write_run(folder / RUNS / f"{stem}.trec.gz", Run(note.name, rankings))
    replace_text(folder / SYSTEMS / f"{stem}.json", note.model_dump_json(indent=2) + "\n")


def kept_system(folder: Path, system: System, all_ids: Iterable[str]) -> tuple[SystemNote, Run] | None:
    """What an earlier run left of the system; None when there is nothing, or it was made otherwise.

    `all_ids` are those of the data set, for those that hold blanks.
    """
    stem = stem_of(system.name)
    path = folder / SYSTEMS / f"{stem}.json"
    try:
        note = SystemNote.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
    runs = folder / RUNS / f"{stem}.trec.gz"
    if note.key != system.key or not runs.is_file():
        return None
    return note, _read(runs, note, all_ids)


def forget_systems(folder: Path, systems: Iterable[System]) -> None:
    """Remove what an earlier run left of these systems, so that a stopped run goes on with new ones alone."""
    for system in systems:
        (folder / SYSTEMS / f"{stem_of(system.name)}.json").unlink(missing_ok=True)


def finished_run(folder: Path, name: str, all_ids: Iterable[str]) -> Run:
    """The run of a system that a benchmark holds; InputError when its files are not whole."""
    stem = stem_of(name)
    note, runs = folder / SYSTEMS / f"{stem}.json", folder / RUNS / f"{stem}.trec.gz"
    try:
        return _read(runs, SystemNote.model_validate_json(note.read_bytes()), all_ids)
    except (OSError, ValidationError) as error:
        raise InputError(f"{note} cannot be read ({error}); give the command of the benchmark again") from error


def _read(path: Path, note: SystemNote, all_ids: Iterable[str]) -> Run:
    """The run file with its ids as they were; a query that was asked and found nothing has an empty ranking."""
    found = read_run(path, note.name)
    named = {_column(one): one for one in all_ids if _BLANK.search(one)}
    rankings = {}
    for query_id, ranking in found.rankings.items():
        ids = tuple(named.get(one, one) for one in ranking.passage_ids)
        rankings[named.get(query_id, query_id)] = Ranking(ids, ranking.scores)
    empty = {query_id: Ranking((), ()) for query_id in note.asked if query_id not in rankings}
    return Run(note.name, {**rankings, **empty})


def read_bench(folder: Path) -> BenchSummary:
    """The summary of a finished benchmark; InputError when there is none."""
    path = folder / SUMMARY
    if not path.is_file():
        raise InputError(f"{path} does not exist; {folder} is no finished benchmark (make one with `mtr bench`)")
    try:
        return BenchSummary.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "file"
        raise InputError(f"{path}: {field}: {first['msg']}; give the command of the benchmark again") from error


def scored_turns(folder: Path) -> tuple[str, ...]:
    """The query ids that a benchmark scored, in their order."""
    return tuple(dict.fromkeys(one.query_id for one in read_records(folder / PER_QUERY, QueryScores)))


def write_bench(folder: Path, summary: BenchSummary, scores: Sequence[RunScores]) -> None:
    """Write what is computed from all systems, each file whole or not at all; summary.json last."""
    write_records(folder / "results.jsonl", summary.systems)
    write_records(folder / PER_QUERY, query_scores(scores))
    replace_text(folder / "report.md", bench_markdown(summary))
    replace_text(folder / "report.html", bench_html(summary))
    replace_text(folder / SUMMARY, summary.model_dump_json(indent=2) + "\n")


def stem_of(name: str) -> str:
    """A file name for a system: what cannot stand in one becomes a dash, and a hash tells apart what then is equal."""
    plain = re.sub(r"[^\w.-]+", "-", name.replace("·", ".")).strip("-.")[:120]
    if plain == name.replace("·", "."):
        return plain
    return f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _column(text: str) -> str:
    return _BLANK.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), text)


def _columns(ranking: Ranking) -> Ranking:
    return Ranking(tuple(map(_column, ranking.passage_ids)), ranking.scores)
