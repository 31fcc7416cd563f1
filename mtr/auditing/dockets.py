"""A turn's docket: its gold, and the hard negatives that BM25 finds for it in the whole corpus."""

from collections.abc import Sequence

from mtr.datasets.records import AnyPassage, AnyTurn, Dataset
from mtr.judging.asking import MOST_CANDIDATES, Docket
from mtr.retrieval.bm25 import BM25Index
from mtr.seeding import seeded

_SPARE = 8
_HISTORY_QUERIES = 2


class Dockets:
    """Makes the dockets of a data set; the index over its passages is built once."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        readable = [passage for passage in dataset.passages.values() if passage.text.strip()]
        self._bm25 = BM25Index.build(readable)

    def of(self, turn: AnyTurn) -> Docket:
        """The docket of a turn. Stored hard negatives come first, then what is retrieved, best first."""
        gold = self._dataset.gold_texts(turn)
        return Docket(turn=turn, gold=gold, hard_negatives=self._hard_negatives(turn, gold) if gold else ())

    def _hard_negatives(self, turn: AnyTurn, gold: Sequence[AnyPassage]) -> tuple[AnyPassage, ...]:
        """At most seven others, none of them marked gold, none with the text of a gold passage."""
        marked = {one.passage_id for one in turn.gold}
        texts = {" ".join(passage.text.split()) for passage in gold}
        depth = MOST_CANDIDATES + len(marked) + _SPARE
        ranked = [*turn.hard_negatives, *(name for name, _ in self._bm25.search(need_of(turn), depth))]
        found: list[AnyPassage] = []
        for name in dict.fromkeys(ranked):
            passage = self._dataset.passages.get(name)
            if passage is None or name in marked or not passage.text.strip():
                continue
            text = " ".join(passage.text.split())
            if text not in texts:
                texts.add(text)
                found.append(passage)
        return tuple(found[: MOST_CANDIDATES - 1])


def need_of(turn: AnyTurn) -> str:
    """What the user wants to know, as well as the source lets it be said: the standalone query, or the last queries."""
    if turn.standalone_query:
        return turn.standalone_query
    before = [said.text for said in turn.history if said.speaker == "user"]
    return " ".join([*before[-_HISTORY_QUERIES:], turn.query])


def drawn_turns(dataset: Dataset, sample: int, seed: int) -> tuple[AnyTurn, ...]:
    """At most `sample` turns, drawn by seed and id, in the data set's order."""
    if len(dataset.turns) <= sample:
        return dataset.turns
    by_id = sorted(dataset.turns, key=lambda turn: turn.query_id)
    drawn = {turn.query_id for turn in seeded(seed, "turns to audit").sample(by_id, sample)}
    return tuple(turn for turn in dataset.turns if turn.query_id in drawn)
