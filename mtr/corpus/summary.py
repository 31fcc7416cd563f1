"""What `mtr corpus show` states: a corpus in numbers, with examples of clusters and of what was left out."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from mtr.corpus.corpus import Corpus
from mtr.corpus.duplicates import KeptPair
from mtr.corpus.left_out import DroppedPassage
from mtr.corpus.manifest import CorpusManifest
from mtr.records import Record
from mtr.seeding import seeded
from mtr.storage import read_records

_SHARES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
_EXAMPLES = 2
_FIRST_CHARACTERS = 80


class Quantile(Record):
    """`share` of the passages have at most so many characters."""

    share: float
    characters: int


class SamplePassage(Record):
    """A passage as a line: where it is from and how it begins."""

    passage_id: str
    title: str
    beginning: str


class SampleCluster(Record):
    """A cluster in walking order."""

    cluster_id: str
    passages: tuple[SamplePassage, ...]


class LeftOut(Record):
    """A reason for dropping passages, how often it held, and the first passages it took."""

    reason: str
    count: int
    examples: tuple[DroppedPassage, ...]


class Summary(Record):
    """`cluster_sizes` counts clusters by their number of passages."""

    manifest: CorpusManifest
    folder: str
    lengths: tuple[Quantile, ...]
    cluster_sizes: dict[int, int]
    samples: tuple[SampleCluster, ...]
    dropped: tuple[LeftOut, ...]
    kept_pairs: tuple[KeptPair, ...]


def summarise(corpus: Corpus, *, clusters: int = 3, seed: int = 0) -> Summary:
    """The summary of an open corpus, with `clusters` sample clusters drawn by `seed`."""
    lengths = [len(passage.text) for passage in corpus.passages.values()]
    sizes = Counter(len(cluster.passage_ids) for cluster in corpus.clusters)
    pairs = tuple(read_records(corpus.folder / "kept_pairs.jsonl", KeptPair))
    return Summary(
        manifest=corpus.manifest,
        folder=str(corpus.folder),
        lengths=tuple(
            Quantile(share=share, characters=int(value))
            for share, value in zip(_SHARES, np.quantile(lengths, _SHARES, method="inverted_cdf"), strict=True)
        ),
        cluster_sizes=dict(sorted(sizes.items())),
        samples=_samples(corpus, clusters, seed),
        dropped=_left_out(tuple(read_records(corpus.folder / "dropped.jsonl", DroppedPassage))),
        kept_pairs=pairs,
    )


def _samples(corpus: Corpus, count: int, seed: int) -> tuple[SampleCluster, ...]:
    drawn = seeded(seed, corpus.name, "sample clusters").sample(corpus.clusters, min(count, len(corpus.clusters)))
    return tuple(
        SampleCluster(
            cluster_id=cluster.cluster_id, passages=tuple(_sample(corpus, one) for one in cluster.passage_ids)
        )
        for cluster in drawn
    )


def _sample(corpus: Corpus, passage_id: str) -> SamplePassage:
    passage = corpus.passages[passage_id]
    title = " › ".join(dict.fromkeys(part for part in (passage.title, passage.heading) if part))
    return SamplePassage(passage_id=passage_id, title=title, beginning=first_words(passage.text))


def first_words(text: str) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text[: 4 * _FIRST_CHARACTERS].split())
    return line if len(line) <= _FIRST_CHARACTERS else line[: _FIRST_CHARACTERS - 1] + "…"


def _left_out(dropped: Sequence[DroppedPassage]) -> tuple[LeftOut, ...]:
    counts = Counter(one.reason for one in dropped)
    return tuple(
        LeftOut(
            reason=reason,
            count=count,
            examples=tuple([one for one in dropped if one.reason == reason][:_EXAMPLES]),
        )
        for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )
