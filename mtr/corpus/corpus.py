"""A corpus as the rest of MTR sees it: passages by id, and clusters."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock

from mtr.beir import read_passages
from mtr.corpus.folder import settle_when_free
from mtr.corpus.manifest import CorpusManifest, read_manifest, state_of
from mtr.corpus.options import corpus_folder
from mtr.errors import InputError
from mtr.records import Cluster, Passage
from mtr.retrieval.bm25 import BM25Index
from mtr.retrieval.store import row_key
from mtr.storage import read_records
from mtr.words import tokens


@dataclass(frozen=True)
class Corpus:
    """`passages` in corpus order; every passage is in one cluster, and `cluster_of` names it."""

    name: str
    folder: Path
    manifest: CorpusManifest
    passages: Mapping[str, Passage]
    clusters: tuple[Cluster, ...]
    cluster_of: Mapping[str, str]
    bm25: BM25Index = field(repr=False)

    @cached_property
    def members(self) -> Mapping[str, tuple[str, ...]]:
        """The passages of each cluster, in walking order."""
        return {cluster.cluster_id: cluster.passage_ids for cluster in self.clusters}

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word of the passages, their titles and headings, as `mtr.words.tokens` cuts them."""
        texts = (f"{p.title}\n{p.heading}\n{p.text}" for p in self.passages.values())
        return frozenset(word for text in texts for word in tokens(text))

    @cached_property
    def passages_of(self) -> Mapping[str, tuple[str, ...]]:
        """The passages of each document, in order."""
        found: dict[str, list[str]] = {}
        for passage in self.passages.values():
            found.setdefault(passage.document_id, []).append(passage.passage_id)
        return {document_id: tuple(ids) for document_id, ids in found.items()}


_opened: dict[Path, tuple[tuple[int, int], Corpus]] = {}
_opening = Lock()


def open_corpus(name: str) -> Corpus:
    """The corpus of this name, read once a process until it is built again.

    InputError: there is none (with those there are), or its files do not belong together.
    """
    folder = corpus_folder(name)
    with _opening:
        settle_when_free(folder)
        stamp = _stamp(folder)
        if folder in _opened and _opened[folder][0] == stamp:
            return _opened[folder][1]
        try:
            corpus = _read(folder)
        except InputError:
            if _stamp(folder) == stamp:
                raise
            stamp = _stamp(folder)
            corpus = _read(folder)
        _opened[folder] = (stamp, corpus)
        return corpus


def _stamp(folder: Path) -> tuple[int, int]:
    """What changes when the corpus is replaced: the manifest's inode and time; zeros where there is none."""
    path = folder / "manifest.json"
    if not path.is_file():
        return (0, 0)
    about = path.stat()
    return (about.st_ino, about.st_mtime_ns)


def _read(folder: Path) -> Corpus:
    manifest = read_manifest(folder)
    passages = {passage.passage_id: passage for passage in read_passages(folder / "corpus.jsonl")}
    clusters = tuple(read_records(folder / "clusters.jsonl", Cluster))
    bm25 = BM25Index.load(folder / "bm25")
    cluster_of = {passage_id: cluster.cluster_id for cluster in clusters for passage_id in cluster.passage_ids}
    whole = state_of(map(row_key, passages.values())) == manifest.state
    if not whole or cluster_of.keys() != passages.keys() or bm25.passage_ids != tuple(passages):
        raise InputError(
            f"the files in {folder} do not belong together (edited, or half copied); "
            "build the corpus again with `mtr corpus build`"
        )
    return Corpus(folder.name, folder, manifest, passages, clusters, cluster_of, bm25)
