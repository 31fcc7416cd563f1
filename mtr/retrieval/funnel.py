"""A funnel: the best passages of a first stage are scored anew, once or twice, and go before the rest."""

from collections.abc import Mapping
from dataclasses import dataclass

from mtr.relevance import Ranking, Run
from mtr.retrieval.protocols import Reranked, Reranker
from mtr.retrieval.searchable import Searchable


@dataclass(frozen=True)
class Stage:
    """A reranker and how many of the best passages it looks at."""

    reranker: Reranker
    depth: int


async def rerank(
    stage: Stage, queries: Mapping[str, str], run: Run, passages: Mapping[str, Searchable], name: str
) -> Reranked:
    """The run with its best `depth` passages in the order of the reranker, the others below in the order they had.

    Where two get the same score the one that stood higher stays higher. Scores in the result only tell the order:
    they fall by one from place to place.
    """
    heads = {query_id: _head(ranking, stage.depth) for query_id, ranking in run.rankings.items()}
    asked = {query_id: head for query_id, head in heads.items() if len(head) and query_id in queries}
    scored = await stage.reranker.rerank(queries, Run(run.name, asked), passages)
    merged = {}
    for query_id, ranking in run.rankings.items():
        new = scored.run.rankings.get(query_id)
        merged[query_id] = ranking if new is None else _merged(ranking, dict(new))
    places = {query_id: in_places(ranking.passage_ids) for query_id, ranking in merged.items()}
    return Reranked(Run(name, places), scored.unreadable)


def in_places(passage_ids: tuple[str, ...]) -> Ranking:
    """A ranking of this order, with scores that only tell the places."""
    return Ranking(passage_ids, tuple(float(len(passage_ids) - place) for place in range(len(passage_ids))))


def _head(ranking: Ranking, depth: int) -> Ranking:
    return Ranking(ranking.passage_ids[:depth], ranking.scores[:depth])


def _merged(ranking: Ranking, scores: Mapping[str, float]) -> Ranking:
    head = [one for one in ranking.passage_ids if one in scores]
    tail = [one for one in ranking.passage_ids if one not in scores]
    return in_places((*sorted(head, key=lambda one: -scores[one]), *tail))
