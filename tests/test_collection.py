"""The nearest passages of a whole corpus: fusion of both rankings, strays, order, concurrency, damage."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.corpora import ANIMALS, OPTIONS, embedding_endpoint, words_vector, write_documents
from support.endpoint import TestEndpoint

from mtr.corpus.build import build_corpus
from mtr.corpus.corpus import open_corpus
from mtr.errors import InputError
from mtr.llm import open_door
from mtr.retrieval.collection import Collection, _opened, open_collection
from mtr.retrieval.exact import nearest
from mtr.retrieval.fusion import reciprocal_rank_fusion
from mtr.retrieval.searchable import searchable_text

NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
DOCUMENTS = ANIMALS | {
    f"note{n}.txt": f"On day {word} the keeper of the lighthouse counted {word} ships and wrote {word} {word} letters."
    for n, word in enumerate(NUMBERS)
}


@pytest.fixture(name="endpoint")
def _endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestEndpoint]:
    with embedding_endpoint(tmp_path / "config", monkeypatch) as endpoint:
        yield endpoint


async def _open(folder: Path) -> Collection:
    await build_corpus("notes", [write_documents(folder, DOCUMENTS)], OPTIONS)
    return open_collection(open_corpus("notes"))


async def test_nearest_is_the_fusion_of_exact_dense_and_bm25_ranks(endpoint: TestEndpoint, tmp_path: Path) -> None:
    async with open_door():
        collection = await _open(tmp_path / "documents")
        corpus = collection.corpus
        passages = list(corpus.passages.values())
        vectors = np.array([words_vector(searchable_text(one)) for one in passages], np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        for query in ("which animal turns its head", "seven ships", "eleven letters of the keeper", "zzz"):
            vector = np.array([words_vector(query)], np.float32)
            rows, scores = nearest(vector / np.linalg.norm(vector), vectors, len(passages))
            order = sorted(zip(-scores[0].round(5), rows[0], strict=True))
            dense = [passages[row].passage_id for _, row in order]
            lexical = [one for one, _ in corpus.bm25.search(query, len(passages))]
            wanted = reciprocal_rank_fusion([dense, lexical])
            assert await collection.nearest(query, 5) == tuple(wanted[:5])
            assert await collection.nearest(query, 500) == tuple(wanted)
            assert len(wanted) == len(passages)


async def test_the_query_is_embedded_as_a_query_once(endpoint: TestEndpoint, tmp_path: Path) -> None:
    async with open_door():
        collection = await _open(tmp_path / "documents")
        sent = len(endpoint.sent)
        found = await asyncio.gather(*(collection.nearest("bees that dance", 3) for _ in range(20)))
        assert len(set(found)) == 1
        assert found[0][0].startswith("bees.md")
        assert len(endpoint.sent) == sent + 1


async def test_many_at_once_agree_with_one_at_a_time(endpoint: TestEndpoint, tmp_path: Path) -> None:
    async with open_door():
        collection = await _open(tmp_path / "documents")
        queries = [f"the {word} ships and the owl" for word in NUMBERS] * 3
        alone = [await collection.nearest(query, 4) for query in queries]
        assert await asyncio.gather(*(collection.nearest(query, 4) for query in queries)) == alone


async def test_equal_scores_go_in_corpus_order(endpoint: TestEndpoint, tmp_path: Path) -> None:
    async with open_door():
        collection = await _open(tmp_path / "documents")
        rows = list(collection.corpus.passages.values())
        same = np.full((len(rows), 64), 1 / 8, np.float32)
        collection.store.upsert(rows, same)
        assert collection.dense(same[:1], 500) == [[row.passage_id for row in rows]]


async def test_rows_that_are_lost_are_noticed_and_stored_again(endpoint: TestEndpoint, tmp_path: Path) -> None:
    async with open_door():
        collection = await _open(tmp_path / "documents")
        collection.store._collection.delete(ids=sorted(collection.store.keys())[:2])
        _opened.clear()
        with pytest.raises(InputError, match=f"in 2 of {len(DOCUMENTS)} passages"):
            open_collection(collection.corpus)
        sent = len(endpoint.sent)
        await build_corpus("notes", [tmp_path / "documents"], OPTIONS)
        assert open_collection(open_corpus("notes")).store.count() == len(DOCUMENTS)
        assert len(endpoint.sent) == sent


async def test_who_holds_a_corpus_that_was_built_again_is_told(endpoint: TestEndpoint, tmp_path: Path) -> None:
    async with open_door():
        held = await _open(tmp_path / "documents")
        await build_corpus("notes", [write_documents(tmp_path / "documents", ANIMALS)], OPTIONS)
        with pytest.raises(InputError, match="built again"):
            await held.nearest("ships", 3)
        assert len(await open_collection(open_corpus("notes")).nearest("ships", 50)) == len(ANIMALS)
