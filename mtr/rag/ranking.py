"""What the built-in systems retrieve: retriever, query strategy and funnel of `mtr bench`, for all turns at once."""

import asyncio
from collections.abc import Mapping, Sequence

from mtr.benchmarking.parts import Part, parts_of
from mtr.benchmarking.systems import Line, System, first_depth
from mtr.datasets.records import AnyPassage, AnyTurn, Dataset
from mtr.relevance import Ranking, Run
from mtr.retrieval.funnel import rerank

_BEIR = "beir"


class Rankings:
    """The ranking of each turn; made once, when the first is asked for, so that a finished evaluation needs none."""

    def __init__(self, system: System, line: Line, dataset: Dataset, turns: Sequence[AnyTurn], k: int) -> None:
        """`k` is the most passages that anybody asks for."""
        self.system, self._line, self._dataset, self._turns = system, line, dataset, tuple(turns)
        self._k = max(k, first_depth(system.funnel) if system.funnel else k)
        self._making = asyncio.Lock()
        self._found: Mapping[str, Ranking] | None = None

    async def best(self, turn: AnyTurn, k: int) -> tuple[AnyPassage, ...]:
        """The best k passages, fewer where fewer were found. Errors are those of retrievers and models."""
        async with self._making:
            if self._found is None:
                self._found = await self._rank()
        ranking = self._found.get(turn.query_id)
        ids = ranking.passage_ids[:k] if ranking else ()
        return tuple(self._dataset.passages[name] for name in ids if name in self._dataset.passages)

    async def _rank(self) -> Mapping[str, Ranking]:
        strategy = self._line.strategies[self.system.strategy]
        texts = (await strategy.queries(self._turns)).texts
        rankings: dict[str, Ranking] = {}
        for part in parts_of(self._dataset, self._turns):
            rankings |= await self._part(part, texts)
        run = Run(self.system.name, rankings)
        for stage in self._line.funnels[self.system.funnel].stages:
            run = (await rerank(stage, texts, run, self._dataset.passages, self.system.name)).run
        return run.rankings

    async def _part(self, part: Part, texts: Mapping[str, str]) -> Mapping[str, Ranking]:
        """In a BEIR set the passage that is the query itself is dropped, as the benchmark does."""
        retriever = self._line.makers[self.system.retriever]()
        await retriever.index(list(part.passages.values()))
        queries = {turn.query_id: texts[turn.query_id] for turn in part.turns if turn.query_id in texts}
        beir = self._dataset.layout == _BEIR
        run = await retriever.retrieve(queries, self._k + beir)
        return {name: _without(ranking, name if beir else None) for name, ranking in run.rankings.items()}


def _without(ranking: Ranking, passage_id: str | None) -> Ranking:
    kept = [place for place, name in enumerate(ranking.passage_ids) if name != passage_id]
    return Ranking(tuple(ranking.passage_ids[place] for place in kept), tuple(ranking.scores[place] for place in kept))
