"""Where systems are strong and weak: the main metric by groups of turns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mtr.corpus.languages import detect_language
from mtr.datasets.records import AnyTurn, Dataset
from mtr.evaluation.benchmark import Breakdown, GroupMeans
from mtr.evaluation.intervals import clustered_mean
from mtr.evaluation.metrics import Metric, RunScores
from mtr.query_types import TYPES, query_type
from mtr.records import MOVES
from mtr.words import length

TURN, MOVE, SWITCH, SUBSET = "turn", "move", "hard switch", "subset"
LENGTH, TYPE = "length of the query", "type of the query"
WAYS = (TURN, MOVE, SWITCH, LENGTH, TYPE, SUBSET)
BEFORE, AT, AFTER = "before the switch", "the switch itself", "after the switch"
LENGTHS = ((5, "up to 5 words"), (12, "6 to 12 words"), (None, "13 words or more"))

_SAMPLED = 200
"""Queries that tell the language, where the data set does not name it."""


@dataclass(frozen=True)
class _Way:
    """The group of each turn by query id; `order` is that of the names, others follow by number and alphabet."""

    by: str
    names: Mapping[str, str]
    order: tuple[str, ...] = ()

    def place(self, name: str) -> tuple[int, int, str]:
        """Where the group stands."""
        if name in self.order:
            return 0, self.order.index(name), name
        return (1, int(name), name) if name.isdecimal() else (2, 0, name)


def breakdowns_of(
    dataset: Dataset, turns: Sequence[AnyTurn], scores: Sequence[RunScores], metric: Metric, seed: int
) -> tuple[Breakdown, ...]:
    """The main metric by turn number, move, place around a hard switch, length and type of the query, and subset.

    A way to group that the data set does not know is left out.
    """
    order = {query_id: place for place, query_id in enumerate(scores[0].query_ids)}
    conversation = {turn.query_id: turn.conversation_id for turn in turns}
    found = []
    for way in _ways(dataset, turns):
        members: dict[str, list[str]] = {}
        for query_id, name in way.names.items():
            members.setdefault(name, []).append(query_id)
        groups = []
        for name in sorted(members, key=way.place):
            rows = np.array([order[query_id] for query_id in members[name]])
            clusters = [conversation[query_id] for query_id in members[name]]
            means = {one.run: clustered_mean(one.values[metric][rows].tolist(), clusters, seed=seed) for one in scores}
            groups.append(GroupMeans(name=name, means=means))
        if groups:
            found.append(Breakdown(by=way.by, groups=tuple(groups)))
    return tuple(found)


def _ways(dataset: Dataset, turns: Sequence[AnyTurn]) -> Iterator[_Way]:
    moves = tuple(move.replace("_", " ") for move in MOVES)
    yield _Way(TURN, {turn.query_id: str(turn.turn) for turn in turns})
    yield _Way(MOVE, {turn.query_id: turn.move.replace("_", " ") for turn in turns if turn.move}, moves)
    yield _Way(SWITCH, dict(_around_switches(dataset, turns)), (BEFORE, AT, AFTER))
    yield _Way(LENGTH, {turn.query_id: _length(turn.query) for turn in turns}, tuple(name for _, name in LENGTHS))
    yield _Way(TYPE, dict(_types(dataset, turns)), TYPES)
    yield _Way(SUBSET, {turn.query_id: turn.subset for turn in turns if turn.subset})


def _around_switches(dataset: Dataset, turns: Sequence[AnyTurn]) -> Iterator[tuple[str, str]]:
    """Where turns stand to the first hard switch of their conversation; conversations without one are left out."""
    switches: dict[str, int] = {}
    for turn in dataset.turns:
        if turn.move == "switch":
            switches[turn.conversation_id] = min(turn.turn, switches.get(turn.conversation_id, turn.turn))
    for turn in turns:
        at = switches.get(turn.conversation_id)
        if at is not None:
            yield turn.query_id, BEFORE if turn.turn < at else AT if turn.turn == at else AFTER


def _types(dataset: Dataset, turns: Sequence[AnyTurn]) -> Iterator[tuple[str, str]]:
    """By the data set's language, not the query's: a few words do not tell theirs."""
    language = dataset.language or detect_language("\n\n".join(turn.query for turn in turns[:_SAMPLED]))
    for turn in turns:
        if (kind := query_type(turn.query, language)) is not None:
            yield turn.query_id, kind


def _length(query: str) -> str:
    words = length(query)
    return next(name for most, name in LENGTHS if most is None or words <= most)
