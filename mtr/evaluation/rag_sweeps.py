"""k against k and system against system: paired tests on the turns that are measured for each of them."""

from collections.abc import Mapping, Sequence

import numpy as np

from mtr.evaluation.intervals import Mean, clustered_mean
from mtr.evaluation.rag import RECALL, RIGHT, SideBySide, Sweep
from mtr.evaluation.rag_turns import RagTurn
from mtr.evaluation.significance import ALPHA, PairTest, compare_pairs

Arms = Mapping[tuple[str, int | None], Sequence[RagTurn]]
"""The rows of each system at each k."""


def measures_of(criteria: Sequence[str]) -> tuple[str, ...]:
    """What systems and ks are compared by: right answers first."""
    return (RIGHT, *criteria, RECALL)


def value_of(row: RagTurn, measure: str) -> float | None:
    """A turn's value under a measure."""
    if measure == RIGHT:
        return None if row.right is None else float(row.right)
    if measure == RECALL:
        return None if row.retrieval is None else row.retrieval["R"]
    return row.scores.get(measure)


def sweeps_of(arms: Arms, measures: Sequence[str], seed: int) -> tuple[Sweep, ...]:
    """Every measure of every system that answered with two ks or more."""
    found = []
    for system in dict.fromkeys(name for name, _ in arms):
        own = {str(k): rows for (name, k), rows in arms.items() if name == system and k is not None}
        if len(own) > 1:
            found += [_sweep(system, measure, own, seed) for measure in measures]
    return tuple(found)


def comparisons_of(arms: Arms, measures: Sequence[str], seed: int) -> tuple[SideBySide, ...]:
    """The systems at each k that two or more of them answered with."""
    found = []
    for k in dict.fromkeys(k for _, k in arms):
        own = {name: rows for (name, at), rows in arms.items() if at == k}
        for measure in measures if len(own) > 1 else ():
            paired = _Paired(own, measure, seed)
            found.append(
                SideBySide(k=k, measure=measure, turns=len(paired.clusters), means=paired.means, tests=paired.tests)
            )
    return tuple(found)


def _sweep(system: str, measure: str, rows: Mapping[str, Sequence[RagTurn]], seed: int) -> Sweep:
    paired = _Paired(rows, measure, seed)
    means = {int(k): mean for k, mean in paired.means.items()}
    found = any(mean.mean for mean in means.values())
    best = max(means, key=lambda k: (means[k].mean or 0.0, -k)) if found else None
    alike = {
        int(one.first if one.second == str(best) else one.second)
        for one in paired.tests
        if str(best) in {one.first, one.second} and one.p_holm >= ALPHA
    }
    return Sweep(
        system=system,
        measure=measure,
        turns=len(paired.clusters),
        conversations=len(set(paired.clusters)),
        means=means,
        best=best,
        alike=tuple(sorted(alike)),
        tests=paired.tests,
    )


class _Paired:
    """Rows of several arms under one measure, those turns alone that are measured in each."""

    def __init__(self, rows: Mapping[str, Sequence[RagTurn]], measure: str, seed: int) -> None:
        values = {
            name: {row.query_id: value for row in own if (value := value_of(row, measure)) is not None}
            for name, own in rows.items()
        }
        conversation = {row.query_id: row.conversation_id for own in rows.values() for row in own}
        common = [one for one in conversation if all(one in own for own in values.values())]
        self.clusters = [conversation[one] for one in common]
        numbers = {name: np.array([own[one] for one in common], dtype=np.float64) for name, own in values.items()}
        self.means: Mapping[str, Mean] = {
            name: clustered_mean(row.tolist(), self.clusters, seed=seed) for name, row in numbers.items()
        }
        self.tests: tuple[PairTest, ...] = compare_pairs(numbers, self.clusters, seed=seed) if common else ()
