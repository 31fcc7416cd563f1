"""Corpora for tests, embedded by a loopback endpoint whose vectors say which words a text holds."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from aiohttp import web

from mtr.corpus.build import build_corpus
from mtr.corpus.manifest import CorpusManifest
from mtr.corpus.options import CorpusOptions
from mtr.llm import open_door
from mtr.retrieval.store import PassageStore, open_store
from mtr.retrieval.tokenization import terms_of_text
from support.endpoint import Body, TestEndpoint

DIMENSIONS = 64
MODEL = "test/words"
OPTIONS = CorpusOptions(embedding_model=MODEL)

ANIMALS = {
    "cats.md": "# Cats\n\nA cat sleeps for sixteen hours a day and hunts mice at dusk, when its eyes see best.",
    "dogs.md": "# Dogs\n\nA dog hears sounds four times as far away as its owner does, and it barks at strangers.",
    "owls.md": "# Owls\n\nAn owl turns its head by up to 270 degrees because its eyes cannot move in their sockets.",
    "bees.md": "# Bees\n\nA bee tells the others in the hive by a dance in which direction the flowers are found.",
}


def words_vector(text: str) -> list[float]:
    """A bag of hashed words: texts that share words are near each other."""
    vector = [0.01] * DIMENSIONS
    for term in terms_of_text(text):
        vector[zlib.crc32(term.encode()) % DIMENSIONS] += 1.0
    return vector


def _embeddings(body: Body) -> web.StreamResponse:
    rows = [{"object": "embedding", "index": i, "embedding": words_vector(t)} for i, t in enumerate(body["input"])]
    return web.json_response({"object": "list", "data": rows, "model": body["model"]})


@contextmanager
def embedding_endpoint(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestEndpoint]:
    """An endpoint `test`, which `mtr.toml` in `folder` names and `MTR_CONFIG` leads to."""
    with TestEndpoint(embed=_embeddings) as endpoint:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "mtr.toml").write_text(f'[endpoints.test]\nbase_url = "{endpoint.base_url}"\n', encoding="utf-8")
        monkeypatch.setenv("MTR_CONFIG", str(folder / "mtr.toml"))
        yield endpoint


def texts_embedded(endpoint: TestEndpoint) -> list[str]:
    """All texts the endpoint was sent, in order."""
    return [text for body in endpoint.sent for text in body["input"]]


def write_documents(folder: Path, documents: dict[str, str]) -> Path:
    """The folder, holding these files and no others."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for name, text in documents.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


async def build(name: str, *paths: Path, options: CorpusOptions = OPTIONS) -> CorpusManifest:
    """A corpus of the documents there, behind a door of its own."""
    async with open_door():
        return await build_corpus(name, paths, options)


def store_of(manifest: CorpusManifest) -> PassageStore:
    """The store of vectors that a build wrote."""
    return open_store(manifest.collection)
