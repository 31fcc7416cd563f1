"""A user's own retriever, a Python object or a server: what it is sent, and what of its answers is refused."""

import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web
from support.animals import corpus, ids
from support.posting import server

from mtr.datasets.records import AnyPassage
from mtr.errors import EndpointError, InputError
from mtr.retrieval.answered import run_of
from mtr.retrieval.http_retriever import HttpRetriever, checked_url
from mtr.retrieval.specs import Surroundings, retriever_maker
from mtr.settings import Settings


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
    retriever = retriever_maker(f"python:{name}:Search", Surroundings(Settings(), "words"))()
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
