"""What a reranker did to the top of each ranking: scores before and after, and turns it mended, spoiled or left."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from mtr.datasets.records import AnyTurn
from mtr.evaluation.benchmark import qrels_of
from mtr.evaluation.intervals import Mean, clustered_mean
from mtr.evaluation.metrics import Metric, score_run
from mtr.records import Record
from mtr.relevance import Ranking, Run

Outcome = Literal["mended", "spoiled", "not_mended", "out_of_reach", "kept"]
"""`not_mended`: a better order of the same passages was there to be found, and the score stayed. `out_of_reach`: no
gold among the passages that the reranker saw. `kept`: no other order of them scores more."""

_NOTHING = Ranking((), ())
_EQUAL = 1e-9


class Moved(Record):
    """A gold passage's grade and its places before and after, from 1; None where it is not in the ranking."""

    passage_id: str
    grade: int
    before: int | None
    after: int | None


class RerankedTurn(Record):
    """A turn's score before and after, and what the best order of the same passages would score."""

    query_id: str
    outcome: Outcome
    before: float
    after: float
    best: float
    gold: tuple[Moved, ...]
    first_before: str | None
    first_after: str | None


class RerankedGroup(Record):
    """Means over the turns of a group; `difference` is that of after − before, turn by turn."""

    name: str
    before: Mean
    after: Mean
    best: Mean
    difference: Mean


class RerankStudy(Record):
    """A reranked system beside its first stage. `groups` are told by what they are grouped by."""

    system: str
    base: str
    metric: str
    depth: int
    whole: RerankedGroup
    groups: Mapping[str, tuple[RerankedGroup, ...]]
    turns: tuple[RerankedTurn, ...]

    def of(self, outcome: Outcome) -> tuple[RerankedTurn, ...]:
        """The turns of this outcome, in the set's order."""
        return tuple(turn for turn in self.turns if turn.outcome == outcome)


@dataclass(frozen=True)
class Grouping:
    """A way to group turns: the group's name by query id, turns without one left out."""

    by: str
    names: Mapping[str, str]
    order: Sequence[str]


def study_reranking(
    turns: Sequence[AnyTurn],
    runs: tuple[Run, Run],
    metric: Metric,
    depth: int,
    groupings: Sequence[Grouping],
    seed: int,
) -> RerankStudy:
    """Compare the runs before and after reranking on turns with gold.

    The best `depth` passages before are taken in the order that they have after; what stands below stays there.
    """
    before, qrels = runs[0], qrels_of(turns)
    after = Run(runs[1].name, dict(_reordered(runs, depth)))
    best = Run("best order", dict(_best(turns, before, depth)))
    scores = [score_run(qrels, run, [metric]) for run in (before, after, best)]
    rows = [one.values[metric].tolist() for one in scores]
    studied = tuple(
        _turn(turn, values, (before.rankings.get(turn.query_id, _NOTHING), after.rankings.get(turn.query_id, _NOTHING)),
              depth)
        for turn, values in zip(turns, zip(*rows, strict=True), strict=True)
    )  # fmt: skip
    conversation = {turn.query_id: turn.conversation_id for turn in turns}
    return RerankStudy(
        system=after.name,
        base=before.name,
        metric=str(metric),
        depth=depth,
        whole=_group("all turns", studied, conversation, seed),
        groups={one.by: found for one in groupings if (found := tuple(_groups(one, studied, conversation, seed)))},
        turns=studied,
    )


def clearest(study: RerankStudy, outcome: Outcome, count: int, corpus: Container[str]) -> tuple[RerankedTurn, ...]:
    """The turns that show an outcome best, of equal ones the first in the set.

    Mended and spoiled: the greatest change. Not mended: the most to gain, then the gold that stands lowest. Out of
    reach: gold that is in the corpus and that the first stage does not find at all.
    """

    def key(turn: RerankedTurn) -> tuple[float, ...]:
        places = [one.after for one in turn.gold if one.after is not None]
        if outcome == "not_mended":
            return turn.after - turn.best, float(-min(places, default=0))
        if outcome == "out_of_reach":
            return float(not any(one.passage_id in corpus for one in turn.gold)), float(bool(places))
        return (-abs(turn.after - turn.before),)

    return tuple(sorted(study.of(outcome), key=key)[:count])


def _reordered(runs: tuple[Run, Run], depth: int) -> Iterator[tuple[str, Ranking]]:
    for query_id, ranking in runs[0].rankings.items():
        head = dict.fromkeys(ranking.passage_ids[:depth])
        moved = [one for one in runs[1].rankings.get(query_id, _NOTHING).passage_ids if one in head]
        yield query_id, _in_places(tuple(dict.fromkeys((*moved, *ranking.passage_ids))))


def _in_places(passage_ids: tuple[str, ...]) -> Ranking:
    return Ranking(passage_ids, tuple(float(-place) for place in range(len(passage_ids))))


def _best(turns: Sequence[AnyTurn], before: Run, depth: int) -> Iterator[tuple[str, Ranking]]:
    grades = {turn.query_id: {gold.passage_id: gold.grade for gold in turn.gold} for turn in turns}
    for query_id, ranking in before.rankings.items():
        head = sorted(ranking.passage_ids[:depth], key=lambda one: -grades.get(query_id, {}).get(one, 0))
        yield query_id, _in_places((*head, *ranking.passage_ids[depth:]))


def _turn(turn: AnyTurn, values: tuple[float, ...], rankings: tuple[Ranking, Ranking], depth: int) -> RerankedTurn:
    before, after, best = values
    places = [{name: place for place, name in enumerate(one.passage_ids, 1)} for one in rankings]
    gold = tuple(
        Moved(passage_id=name, grade=one.grade, before=places[0].get(name), after=places[1].get(name))
        for one in turn.gold
        for name in [one.passage_id]
    )
    seen = any(one.grade > 0 and one.before is not None and one.before <= depth for one in gold)
    return RerankedTurn(
        query_id=turn.query_id,
        outcome=_outcome(before, after, best, seen),
        before=before,
        after=after,
        best=best,
        gold=gold,
        first_before=next(iter(rankings[0].passage_ids), None),
        first_after=next(iter(rankings[1].passage_ids), None),
    )


def _outcome(before: float, after: float, best: float, seen: bool) -> Outcome:
    if abs(after - before) > _EQUAL:
        return "mended" if after > before else "spoiled"
    if not seen:
        return "out_of_reach"
    return "not_mended" if best - after > _EQUAL else "kept"


def _groups(
    grouping: Grouping, turns: Sequence[RerankedTurn], conversation: Mapping[str, str], seed: int
) -> Iterator[RerankedGroup]:
    for name in grouping.order:
        if members := [turn for turn in turns if grouping.names.get(turn.query_id) == name]:
            yield _group(name, members, conversation, seed)


def _group(name: str, turns: Sequence[RerankedTurn], conversation: Mapping[str, str], seed: int) -> RerankedGroup:
    clusters = [conversation[turn.query_id] for turn in turns]

    def mean(values: list[float]) -> Mean:
        return clustered_mean(values, clusters, seed=seed)

    return RerankedGroup(
        name=name,
        before=mean([turn.before for turn in turns]),
        after=mean([turn.after for turn in turns]),
        best=mean([turn.best for turn in turns]),
        difference=mean([turn.after - turn.before for turn in turns]),
    )
