"""A retriever's ranked answer to each query, and TREC's run files: `query Q0 passage rank score tag`."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from mtr.datasets.foreign import text_lines
from mtr.errors import InputError
from mtr.relevance.columns import one_column, write_lines
from mtr.relevance.ranking import Ranking

_ENDS = (".gz", ".txt", ".tsv", ".run", ".trec")


@dataclass(frozen=True)
class Run:
    """query_id → ranking, under the name that tables show. `Ranking` states the order."""

    name: str
    rankings: Mapping[str, Ranking]

    @classmethod
    def ranked(cls, name: str, passages: Mapping[str, Iterable[tuple[str, float]]]) -> Self:
        """A run from (passage_id, score) pairs in any order; InputError as in `Ranking.ranked`, naming the query."""
        rankings: dict[str, Ranking] = {}
        for query_id, pairs in passages.items():
            if not isinstance(query_id, str):
                raise InputError(f"run {name}: query id {query_id!r} is not text; ids are strings")
            rankings[query_id] = Ranking.ranked(pairs, f"run {name}: query {query_id!r}")
        return cls(name, rankings)


def read_run(path: Path, name: str | None = None) -> Run:
    """Read a run file, plain or gzipped; its ranks are not looked at, as in trec_eval: the scores decide.

    The name is the file's without its endings. InputError names the line: not six columns, a score that is no finite
    number, a passage that stands twice under one query.
    """
    found: dict[str, dict[str, float]] = {}
    for number, line in text_lines(path):
        columns = line.split()
        if len(columns) != 6:
            message = f"{len(columns)} columns; a run has six: query Q0 passage rank score tag"
            raise InputError(f"{path}:{number}: {message}")
        query_id, _, passage_id, _, score, _ = columns
        ranking = found.setdefault(query_id, {})
        if passage_id in ranking:
            where = f"{path}:{number}: passage {passage_id!r} stands twice under query {query_id!r}"
            raise InputError(f"{where}; a ranking names a passage once")
        ranking[passage_id] = _score(score, f"{path}:{number}")
    return Run.ranked(name or run_name(path), {query_id: pairs.items() for query_id, pairs in found.items()})


def write_run(path: Path, run: Run) -> None:
    """Write TREC's six columns, ranks from 1, the run's name as the tag; InputError for white space in an id or name.

    Scores are written so that they are read back equal.
    """
    tag = one_column(run.name, "the run's name")
    lines = [
        f"{one_column(query_id, 'query id')} Q0 {one_column(passage_id, 'passage id')} {rank} {score!r} {tag}\n"
        for query_id, ranking in run.rankings.items()
        for rank, (passage_id, score) in enumerate(ranking, 1)
    ]
    write_lines(path, lines)


def run_name(path: Path) -> str:
    """The file's name without the endings that run files have: `bm25.lastturn` of `bm25.lastturn.trec.gz`."""
    name = path.name
    while (end := next((end for end in _ENDS if name.endswith(end)), "")) and name != end:
        name = name.removesuffix(end)
    return name


def _score(text: str, where: str) -> float:
    try:
        score = math.nan if "_" in text else float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise InputError(f"{where}: score: {text!r} is not a finite number; ranks cannot be told from it")
    return score
