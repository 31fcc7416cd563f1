"""What formulas work on: the grades of ranked passages, a query a row, a rank a column."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np
from numpy.typing import NDArray

from mtr.relevance import Qrels, Run

Grades = NDArray[np.int64]
Bools = NDArray[np.bool_]
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

UNJUDGED = np.iinfo(np.int64).min
"""Stands where a passage has no judgement, and where the ranking has ended."""


@dataclass(frozen=True)
class GradedRun:
    """A run under its qrels; n queries, rankings cut to d passages, at most j judged passages a query.

    `found` (n, d): the grade at each rank, `UNJUDGED` elsewhere. `retrieved` (n,): how many passages each ranking has
    within d. `ideal` (n, j): the grades of all judged passages, the greatest first, 0 where there are fewer than j.
    """

    found: Grades
    retrieved: Counts
    ideal: Grades

    def hits(self, rel: int) -> Bools:
        """(n, d): whether the passage at each rank has at least the grade `rel`."""
        hits: Bools = self.found >= rel
        return hits

    def relevant(self, rel: int) -> Counts:
        """(n,): how many passages have at least the grade `rel`, found or not; `rel` is 1 or more."""
        return np.asarray(np.count_nonzero(self.ideal >= rel, axis=1), dtype=np.int64)


def graded(qrels: Qrels, run: Run, query_ids: Sequence[str], depth: int | None) -> GradedRun:
    """The grades of the queries, in their order; rankings are cut to `depth` passages where it is not None.

    A query that the run lacks has an empty ranking.
    """
    ids = [run.rankings[one].passage_ids[:depth] if one in run.rankings else () for one in query_ids]
    judged = [qrels.grades[one] for one in query_ids]
    retrieved = np.fromiter(map(len, ids), dtype=np.int64, count=len(ids))
    flat = chain.from_iterable(
        map(grades.get, passages, repeat(UNJUDGED)) for grades, passages in zip(judged, ids, strict=True)
    )
    found = _rows(np.fromiter(flat, dtype=np.int64, count=int(retrieved.sum())), retrieved, UNJUDGED)
    sizes = np.fromiter(map(len, judged), dtype=np.int64, count=len(judged))
    all_grades = np.fromiter(chain.from_iterable(one.values() for one in judged), np.int64, int(sizes.sum()))
    ideal = _rows(np.maximum(all_grades, 0), sizes, 0)
    return GradedRun(found, retrieved, -np.sort(-ideal, axis=1))


def _rows(flat: Grades, sizes: Counts, blank: int) -> Grades:
    """Rows of the given sizes, one after the other in `flat`, as a matrix filled up with `blank`."""
    width = int(sizes.max(initial=0))
    rows = np.full((sizes.size, width), blank, dtype=np.int64)
    rows[np.arange(width) < sizes[:, None]] = flat
    return rows
