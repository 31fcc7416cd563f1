"""The strata of a corpus: each passage by its document, its length, its structure and its topic cluster."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from mtr.corpus.blocks import BlockKind, outline
from mtr.corpus.corpus import Corpus
from mtr.records import Passage, Record

Dimension = Literal["document", "length", "structure", "cluster"]
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)

_STRUCTURE: Mapping[BlockKind, str] = {
    "paragraph": "prose",
    "item": "list",
    "table": "table",
    "code": "code",
    "signature": "code",
}
_BANDS = ("short", "middling", "long")


class Strata(Record):
    """Where one passage stands in each dimension."""

    document: str
    length: str
    structure: str
    cluster: str

    def of(self, dimension: Dimension) -> str:
        """Its stratum in a dimension."""
        return str(getattr(self, dimension))


def strata_of(corpus: Corpus) -> dict[str, Strata]:
    """The strata of each passage, in corpus order."""
    cuts = _cuts([len(passage.text) for passage in corpus.passages.values()])
    return {
        passage.passage_id: Strata(
            document=passage.document_id,
            length=_BANDS[sum(len(passage.text) > cut for cut in cuts)],
            structure=structure_of(passage),
            cluster=corpus.cluster_of[passage.passage_id],
        )
        for passage in corpus.passages.values()
    }


def structure_of(passage: Passage) -> str:
    """What most characters of the passage are: prose, list, table or code; headings do not count."""
    sizes: Counter[str] = Counter()
    for block in outline(passage.text):
        if block.kind in _STRUCTURE:
            sizes[_STRUCTURE[block.kind]] += block.end - block.start
    return max(sizes, key=lambda kind: sizes[kind], default="prose")


def _cuts(lengths: Sequence[int]) -> tuple[int, int]:
    """Two lengths that part the passages into thirds."""
    ordered = sorted(lengths)
    return ordered[(len(ordered) - 1) // 3], ordered[2 * (len(ordered) - 1) // 3]
