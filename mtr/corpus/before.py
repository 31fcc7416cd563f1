"""The corpus as it was before a build: whose vectors can be used again, and what of it is removed afterwards."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from mtr.corpus.manifest import CorpusManifest, read_manifest
from mtr.corpus.options import CorpusOptions
from mtr.errors import InputError
from mtr.retrieval.store import PassageStore, drop_other_collections, open_store


@dataclass(frozen=True)
class Before:
    """`manifest` is None for a new or unreadable corpus, `store` for one embedded by another model or elsewhere."""

    manifest: CorpusManifest | None
    store: PassageStore | None

    @classmethod
    def open(cls, folder: Path, options: CorpusOptions) -> Self:
        """What there is; whatever cannot be read is made anew."""
        try:
            manifest = read_manifest(folder)
        except InputError:
            return cls(None, None)
        if _kinds(manifest.options) != _kinds(options):
            return cls(manifest, None)
        try:
            return cls(manifest, open_store(manifest.collection, url=options.chroma_url))
        except InputError:
            return cls(manifest, None)

    def removed(self, reused: int) -> int:
        """How many of its passages the new corpus does not have."""
        return self.manifest.counts.passages - reused if self.manifest and self.store else 0

    def clear(self, now: CorpusManifest) -> None:
        """Remove its collection, and what crashed builds left, once the corpus is `now`."""
        drop_other_collections(now.name, now.collection, url=now.options.chroma_url)
        if now.options.chroma_url and self.manifest and self.manifest.options.chroma_url is None:
            drop_other_collections(now.name, now.collection)


def _kinds(options: CorpusOptions) -> tuple[str, str | None]:
    return (options.embedding_model, options.chroma_url)
