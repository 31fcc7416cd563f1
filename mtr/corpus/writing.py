"""The last steps of a build: clusters from exact neighbours, the BM25 index, and the folder, swapped in whole."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mtr.beir import write_passages
from mtr.corpus.clustering import greedy_clusters
from mtr.corpus.folder import replaced
from mtr.corpus.manifest import CorpusManifest, write_manifest
from mtr.corpus.options import CorpusOptions
from mtr.corpus.preparing import Prepared
from mtr.corpus.progress import Progress
from mtr.records import Cluster, Passage
from mtr.retrieval.bm25 import BM25Index
from mtr.retrieval.exact import nearest
from mtr.storage import write_records


def cluster_passages(
    passages: Sequence[Passage], vectors: NDArray[np.float32], options: CorpusOptions, progress: Progress
) -> tuple[Cluster, ...]:
    """Every passage in one cluster, by greedy traversal over exact neighbours; `vectors` is (n, d)."""
    with progress.step("neighbours and clusters", len(passages)) as step:
        neighbours, _ = nearest(vectors, vectors, options.neighbours, exclude_self=True)
        walks = greedy_clusters(neighbours, options.cluster_size)
        step.result = f"{len(walks):,} clusters"
    width = len(str(len(walks)))
    return tuple(
        Cluster(cluster_id=f"c{number:0{width}d}", passage_ids=tuple(passages[row].passage_id for row in walk))
        for number, walk in enumerate(walks, 1)
    )


def write_folder(
    folder: Path, prepared: Prepared, clusters: Sequence[Cluster], manifest: CorpusManifest, progress: Progress
) -> None:
    """Replace the corpus folder; InputError leaves the one before."""
    with progress.step("write") as step, replaced(folder) as fresh:
        write_passages(fresh / "corpus.jsonl", prepared.passages)
        write_records(fresh / "clusters.jsonl", clusters)
        write_records(fresh / "dropped.jsonl", prepared.dropped)
        write_records(fresh / "kept_pairs.jsonl", prepared.kept_pairs)
        BM25Index.build(prepared.passages).save(fresh / "bm25")
        write_manifest(fresh, manifest)
        step.result = str(folder)
