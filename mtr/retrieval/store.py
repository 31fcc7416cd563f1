"""Where vectors live: one Chroma collection for each state of a corpus, in a folder of ours or on a server by URL.

A collection is filled by one build and never changes afterwards: Chroma keeps what it has loaded in memory, so a
process that reads a collection another one changes would silently miss rows. A corpus built again gets a collection
of its own, and the one before is removed when the new corpus is in place.
"""

import hashlib
import os
import platform
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from mtr.errors import InputError
from mtr.records import Passage
from mtr.retrieval.searchable import searchable_text
from mtr.storage import home

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection as ChromaCollection

BATCH = 5_000
"""Rows a call; Chroma refuses more than 5,461."""

SPACE = "ip"
"""The rows have length 1, so the inner product is the cosine; in its cosine space Chroma scales them once more, and
what comes back differs in the last bit, so that a corpus built again would not be the same."""

_opening = threading.Lock()


def row_key(passage: Passage) -> str:
    """The passage id and a hash of the text that is embedded."""
    return f"{passage.passage_id}#{hashlib.sha256(searchable_text(passage).encode()).hexdigest()[:16]}"


def passage_id_of(key: str) -> str:
    """The passage a row belongs to."""
    return key.rpartition("#")[0]


def collection_name(corpus: str, embedding_model: str, state: str, url: str | None = None) -> str:
    """A name Chroma takes, its own for each corpus, model and state, and on a server for each machine and home."""
    digest = hashlib.sha256("\n".join((corpus, embedding_model, state, _owner(url))).encode()).hexdigest()[:16]
    return f"{re.sub(r'[^a-zA-Z0-9]+', '-', corpus).strip('-')[:40] or 'corpus'}-{digest}"


def chroma_url(given: str | None = None) -> str | None:
    """The server to use: the one given, else `MTR_CHROMA_URL`, else None for the embedded folder."""
    return given or os.environ.get("MTR_CHROMA_URL") or None


class PassageStore:
    """The rows of one collection. Every method blocks: call it through a thread from async code."""

    def __init__(self, collection: "ChromaCollection") -> None:
        """Use `open_store`, which opens or makes the collection."""
        self._collection = collection

    @property
    def name(self) -> str:
        """The collection's name in Chroma."""
        return str(self._collection.name)

    def count(self) -> int:
        """How many rows there are."""
        with chroma_errors():
            return int(self._collection.count())

    def keys(self) -> set[str]:
        """The keys of all rows."""
        with chroma_errors():
            return set(self._collection.get(include=[])["ids"])

    def upsert(self, passages: Sequence[Passage], vectors: NDArray[np.float32]) -> None:
        """Store a row for each passage; `vectors` is (n, d) with rows of length 1."""
        for start in range(0, len(passages), BATCH):
            part = passages[start : start + BATCH]
            with chroma_errors():
                self._collection.upsert(
                    ids=[row_key(passage) for passage in part],
                    embeddings=np.ascontiguousarray(vectors[start : start + BATCH], np.float32),
                    documents=[passage.text for passage in part],
                    metadatas=[_metadata(passage) for passage in part],
                )

    def vectors(self, keys: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        """The stored vectors, (d,) each, of those keys that are there, bit for bit as they were put in."""
        found: dict[str, NDArray[np.float32]] = {}
        for start in range(0, len(keys), BATCH):
            with chroma_errors():
                rows = self._collection.get(ids=list(keys[start : start + BATCH]), include=["embeddings"])
            if rows["embeddings"] is not None:
                found.update(zip(rows["ids"], np.asarray(rows["embeddings"], np.float32), strict=True))
        return found

    def search(self, vectors: NDArray[np.float32], k: int) -> list[list[tuple[str, float]]]:
        """For each vector (q, d) at most k (row key, cosine), best first, by Chroma's approximate index.

        Many vectors in one call cost a third of as many calls.
        """
        if k <= 0 or not len(vectors):
            return [[] for _ in vectors]
        with chroma_errors():
            found = self._collection.query(query_embeddings=vectors, n_results=k, include=["distances"])
        return [
            [(key, 1.0 - distance) for key, distance in zip(keys, distances, strict=True)]
            for keys, distances in zip(found["ids"], found["distances"] or [], strict=True)
        ]


def open_store(name: str, *, url: str | None = None, corpus: str | None = None) -> PassageStore:
    """The collection of this name; made for `corpus` when that is given, else it must exist (InputError)."""
    client = _client(url, str(home() / "chroma"))
    with chroma_errors(url):
        if corpus is None:
            return PassageStore(client.get_collection(name, embedding_function=None))
        return PassageStore(
            client.get_or_create_collection(
                name,
                embedding_function=None,
                metadata={"corpus": corpus, "owner": _owner(url)},
                configuration={"hnsw": {"space": SPACE}},
            )
        )


def drop_other_collections(corpus: str, keep: str, *, url: str | None = None) -> None:
    """Remove the collections of this corpus's earlier states, and what a crash left."""
    client = _client(url, str(home() / "chroma"))
    mine = {"corpus": corpus, "owner": _owner(url)}
    with chroma_errors(url):
        for collection in client.list_collections():
            if collection.metadata == mine and collection.name != keep:
                client.delete_collection(collection.name)


def row_counts(*, url: str | None = None) -> dict[str, int]:
    """How many rows each collection has; opens the store, and makes an empty one where there was none."""
    client = _client(url, str(home() / "chroma"))
    with chroma_errors(url):
        return {collection.name: collection.count() for collection in client.list_collections()}


def _owner(url: str | None) -> str:
    return f"{platform.node()}:{home()}" if url else "here"


def _metadata(passage: Passage) -> dict[str, str | int]:
    return {
        "passage_id": passage.passage_id,
        "document_id": passage.document_id,
        "title": passage.title,
        "start": passage.span.start,
        "end": passage.span.end,
    }


def _client(url: str | None, folder: str) -> "ClientAPI":
    with _opening:
        return _connect(url, folder)


@cache
def _connect(url: str | None, folder: str) -> "ClientAPI":
    """One client a path and process: two on one folder spoil each other's view."""
    import chromadb  # noqa: PLC0415 - takes a second or two
    from chromadb.config import Settings  # noqa: PLC0415

    settings = Settings(anonymized_telemetry=False)
    with chroma_errors(url):
        if url is None:
            return chromadb.PersistentClient(path=folder, settings=settings)
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"{url!r} is no Chroma URL; write it like http://127.0.0.1:8000")
        secure = parts.scheme == "https"
        port = parts.port or (443 if secure else 8000)
        return chromadb.HttpClient(host=parts.hostname, port=port, ssl=secure, settings=settings)


@contextmanager
def chroma_errors(url: str | None = None) -> Iterator[None]:
    """Chroma's own errors, with what to do."""
    from chromadb.errors import ChromaError, NotFoundError  # noqa: PLC0415 - takes a second or two
    from httpx import HTTPError  # noqa: PLC0415 - comes with chromadb

    try:
        yield
    except InputError:
        raise
    except NotFoundError as error:
        raise InputError(
            f"Chroma holds no such collection ({error}): the corpus was built again meanwhile, or its rows were "
            "removed; start over, and if that does not help build it again with `mtr corpus build`"
        ) from error
    except ChromaError as error:
        raise InputError(f"Chroma failed: {error}; see that the disk has room, then build again") from error
    except (ValueError, HTTPError) as error:
        where = f"Chroma at {url}" if url else "Chroma"
        raise InputError(
            f"{where} does not serve: {error}; start it with `chroma run`, or leave the URL out"
        ) from error
