"""Building a corpus: documents in, a folder and a Chroma collection out, either the new state or the one before.

The new state gets a collection of its own; when it is full the folder is swapped, and only then is the collection of
the state before removed: wherever a crash falls, the folder that is there finds its rows.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mtr.corpus.before import Before
from mtr.corpus.demo import demo_documents
from mtr.corpus.demo_vectors import keep_shipped_vectors
from mtr.corpus.describing import count
from mtr.corpus.documents import LoadedDocuments, load_documents
from mtr.corpus.embedding import embed_passages, store_passages
from mtr.corpus.folder import build_lock
from mtr.corpus.manifest import BuildRun, CorpusManifest, state_of
from mtr.corpus.options import CorpusOptions, corpus_folder
from mtr.corpus.preparing import prepare
from mtr.corpus.progress import Progress, silent
from mtr.corpus.writing import cluster_passages, write_folder
from mtr.errors import InputError
from mtr.llm import current_door
from mtr.retrieval.store import chroma_url, collection_name, row_key

DEMO = "demo"
_EXAMPLES = 3


@dataclass(frozen=True)
class _Source:
    names: tuple[str, ...]
    load: Callable[[], LoadedDocuments]


async def build_corpus(
    name: str, paths: Sequence[Path], options: CorpusOptions, progress: Progress | None = None
) -> CorpusManifest:
    """Build the corpus `name` from files and folders, or bring it up to date with them.

    Only passages whose text is new are embedded; those no longer in the documents are removed. InputError when no
    passage survives, another process builds this corpus, or something cannot be written: the corpus is then as before.
    """

    def load() -> LoadedDocuments:
        return load_documents(paths, text_column=options.text_column, id_column=options.id_column)

    source = _Source(tuple(str(path) for path in paths), load)
    return await _build(name, source, options, progress or silent())


async def build_demo_corpus(options: CorpusOptions | None = None, progress: Progress | None = None) -> CorpusManifest:
    """The corpus `demo`, from Python's own language reference; most of its vectors come with the project."""

    def load() -> LoadedDocuments:
        return LoadedDocuments(documents=tuple(demo_documents()), skipped=())

    options = options or CorpusOptions()
    await keep_shipped_vectors(options.embedding_model)
    return await _build(DEMO, _Source(("pydoc_data.topics",), load), options, progress or silent())


async def _build(name: str, source: _Source, options: CorpusOptions, progress: Progress) -> CorpusManifest:
    begun = time.monotonic()
    folder = corpus_folder(name)
    options = options.model_copy(update={"chroma_url": chroma_url(options.chroma_url)})
    with build_lock(folder):
        (await current_door()).settings.endpoint_of(options.embedding_model)
        loaded = await asyncio.to_thread(_load, source, progress)
        prepared = await asyncio.to_thread(prepare, loaded.documents, options, progress)
        before = await asyncio.to_thread(Before.open, folder, options)
        embedded = await embed_passages(prepared.passages, before.store, options.embedding_model, progress)
        clusters = await asyncio.to_thread(cluster_passages, prepared.passages, embedded.vectors, options, progress)
        state = state_of(map(row_key, prepared.passages))
        manifest = CorpusManifest(
            name=folder.name,
            sources=source.names,
            options=options,
            counts=await asyncio.to_thread(count, loaded, prepared, clusters),
            collection=collection_name(folder.name, options.embedding_model, state, options.chroma_url),
            dimension=embedded.vectors.shape[1],
            state=state,
            run=BuildRun(
                embedded=embedded.embedded,
                reused=embedded.reused,
                removed=before.removed(embedded.reused),
                seconds=round(time.monotonic() - begun, 1),
            ),
        )
        await asyncio.to_thread(store_passages, prepared.passages, embedded.vectors, manifest, progress)
        await asyncio.to_thread(write_folder, folder, prepared, clusters, manifest, progress)
        await asyncio.to_thread(before.clear, manifest)
    return manifest


def _load(source: _Source, progress: Progress) -> LoadedDocuments:
    with progress.step("load") as step:
        loaded = source.load()
        step.result = f"{len(loaded.documents):,} documents, {len(loaded.skipped):,} skipped"
    if not loaded.documents:
        examples = "; ".join(f"{skipped.source}: {skipped.reason}" for skipped in loaded.skipped[:_EXAMPLES])
        raise InputError(f"no document could be read from {', '.join(source.names)} ({examples or 'nothing there'})")
    return loaded
