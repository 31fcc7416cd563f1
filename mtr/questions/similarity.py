"""Queries that repeat one another: the same words, or vectors nearer than queries on different things ever are.

The scale is calibrated on the corpus, because cosines of one model mean nothing for another. Facts of different
documents and clusters, embedded as queries are, show how alike texts are that have nothing to do with each other: 0 is
the cosine that all but a twentieth of such pairs exceed, and 1 is identity. With an embedder that puts that floor at
.80, as the embedded one does, a similarity of .85 is a cosine of .97; with a floor of .05 it is one of .86.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtr.corpus.corpus import Corpus
from mtr.corpus.facts import facts_of
from mtr.llm import embed
from mtr.prompts import DomainSettings
from mtr.records import Passage, Record
from mtr.seeding import seeded
from mtr.words import tokens

THRESHOLD = 0.85
_FACTS, _LOOKED_AT = 120, 600
_BLOCK = 256
_FLOOR, _HIGHEST_FLOOR = 0.05, 0.99

Vectors = NDArray[np.float32]


class Scale(Record):
    """`unrelated` is the floor of the cosines of `pairs` pairs of facts that have nothing to do with each other."""

    unrelated: float
    pairs: int
    threshold: float = THRESHOLD

    def similarity(self, cosine: float) -> float:
        """A cosine on the scale: 0 for as unlike as texts of the corpus get, 1 for identical."""
        return (cosine - self.unrelated) / (1 - self.unrelated)

    @property
    def cosine(self) -> float:
        """The cosine of the threshold."""
        return self.unrelated + self.threshold * (1 - self.unrelated)


class Repeat(Record):
    """A query that says again what an earlier one said; `similarity` on the scale, 1 for the same words."""

    item: str
    of: str
    similarity: float


async def calibrated_scale(corpus: Corpus, settings: DomainSettings, seed: int) -> Scale:
    """The scale of a corpus and its embedding model; 0 pairs, and plain cosines, where the corpus has too few facts."""
    passages = list(corpus.passages.values())
    seeded(seed, "scale").shuffle(passages)
    told = [(one, facts[0].text) for one in passages[:_LOOKED_AT] if (facts := facts_of(one, settings, seed))][:_FACTS]
    if len(told) < 2:
        return Scale(unrelated=0.0, pairs=0)
    vectors = await embed([text for _, text in told], model=corpus.manifest.options.embedding_model, kind="query")
    cosines = vectors @ vectors.T
    found = [
        float(cosines[a, b]) for a in range(len(told)) for b in range(a) if _unrelated(told[a][0], told[b][0], corpus)
    ]
    floor = float(np.quantile(found, _FLOOR)) if found else 0.0
    return Scale(unrelated=round(min(max(floor, 0.0), _HIGHEST_FLOOR), 6), pairs=len(found))


@dataclass
class Sieve:
    """Finds the repeats among queries in the order of their slots: the first one said stays."""

    scale: Scale
    embedding_model: str

    async def repeats(self, queries: Sequence[tuple[str, str]]) -> list[Repeat]:
        """The repeats among (item, query) pairs; a repeat is compared with what stays, never with another repeat."""
        if not queries:
            return []
        vectors = await embed([query for _, query in queries], model=self.embedding_model, kind="query")
        kept = np.empty_like(vectors)
        names: list[str] = []
        words: dict[tuple[str, ...], str] = {}
        found: list[Repeat] = []
        for start in range(0, len(queries), _BLOCK):
            block = vectors[start : start + _BLOCK]
            before = len(names)
            known = block @ kept[:before].T
            for row, (item, query) in enumerate(queries[start : start + _BLOCK]):
                new = kept[before : len(names)] @ block[row]
                cosines = np.concatenate([known[row], new])
                repeat = self._repeat(item, words.get(tuple(tokens(query))), names, cosines)
                if repeat:
                    found.append(repeat)
                    continue
                words[tuple(tokens(query))] = item
                kept[len(names)] = block[row]
                names.append(item)
        return found

    def _repeat(self, item: str, same: str | None, names: Sequence[str], cosines: Vectors) -> Repeat | None:
        if same is not None:
            return Repeat(item=item, of=same, similarity=1.0)
        if not len(cosines):
            return None
        nearest = int(cosines.argmax())
        similarity = self.scale.similarity(float(cosines[nearest]))
        return (
            Repeat(item=item, of=names[nearest], similarity=similarity) if similarity >= self.scale.threshold else None
        )


def _unrelated(first: Passage, second: Passage, corpus: Corpus) -> bool:
    clusters = corpus.cluster_of
    apart = clusters[first.passage_id] != clusters[second.passage_id]
    return apart and (first.document_id != second.document_id or len(corpus.passages_of) == 1)
