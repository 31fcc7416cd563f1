"""RAG systems of the user's own: by HTTP, as a Python callable, as ready answers; and what is said of their faults."""

import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web
from support import jurors, rag_towers
from support.endpoint import TestEndpoint
from support.posting import server
from support.rag_runs import run

from mtr.answers import Answered
from mtr.auditing.options import AuditOptions
from mtr.cli.ragging import rag_job
from mtr.errors import EndpointError, FatalEndpointError, InputError
from mtr.evaluation.rag_turns import RAG_CRITERIA, Right
from mtr.rag.answers_file import AnswersFile
from mtr.rag.given import KnownPassages
from mtr.rag.http_system import HttpSystem
from mtr.rag.options import checked_rag_options
from mtr.rag.python_system import PythonSystem
from mtr.settings import Settings, load_settings

DATASET = rag_towers.towers(4)
KNOWN = KnownPassages(DATASET.passages)
TURN = DATASET.turns[1]
GOOD: dict[str, object] = {"answer": " Yes. ", "passages": ["p2", {"id": "p9", "text": "Other."}], "more": 1}


def retrieved(answered: Answered) -> list[tuple[str, str]]:
    return [(one.passage_id, one.text) for one in answered.retrieved or ()]


async def test_a_server_is_told_the_turn_and_not_what_answers_it() -> None:
    bodies: list[dict[str, object]] = []

    def answer(body: dict[str, object]) -> web.StreamResponse:
        bodies.append(body)
        return web.json_response({**GOOD, "prompt_tokens": 7, "completion_tokens": 2, "usd": 0.5})

    with server(answer) as url:
        answered = await HttpSystem("mine", url, KNOWN).answer(TURN, 3)
    (body,) = bodies
    assert body.keys() == {"query_id", "query", "history", "k", "subset"} and body["k"] == 3
    assert body["history"] == [{"speaker": "user", "text": rag_towers.query_of(1)}]
    assert (answered.answer, answered.refused, answered.tokens, answered.usd) == ("Yes.", None, 9, 0.5)
    assert retrieved(answered) == [("p2", ""), ("p9", "Other.")] and (answered.seconds or 0) > 0


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (lambda: web.Response(status=500), EndpointError, "gave no answer to 'c0::2': Server error '500"),
        (lambda: web.Response(text="<html>"), EndpointError, "gave no answer to 'c0::2'"),
        (lambda: web.Response(status=302, headers={"Location": "http://x.example/"}), EndpointError, "302"),
        (lambda: web.json_response({"text": "x"}), InputError, r"mine for 'c0::2' gave .*: answer: Field required"),
        (lambda: web.json_response({"answer": 3}), InputError, "answer: Input should be a valid string"),
        (lambda: web.json_response({"answer": "x", "passages": 4}), InputError, "passages: Input should be"),
        (lambda: web.json_response({"answer": "x", "passages": [{}]}), InputError, "neither an id nor a text"),
        (lambda: web.json_response({"answer": "x", "passages": ["a", "b"]}), InputError, "2 passages where 1 at most"),
        (lambda: web.json_response([1]), InputError, "it has to give"),
    ],
)
async def test_a_server_that_answers_rubbish(
    answer: Callable[[], web.StreamResponse], error: type[Exception], message: str
) -> None:
    with server(lambda body: answer()) as url, pytest.raises(error, match=message):
        await HttpSystem("mine", url, KNOWN).answer(TURN, 1)


async def test_a_server_that_does_not_answer_in_time_or_is_not_there() -> None:
    release = threading.Event()

    def answer(body: dict[str, object]) -> web.StreamResponse:
        release.wait(5)
        return web.json_response(GOOD)

    with server(answer) as url:
        with pytest.raises(EndpointError, match=r"did not answer 'c0::2' within 0\.05 s; see that it runs"):
            await HttpSystem("mine", url, KNOWN, seconds=0.05).answer(TURN, 3)
        release.set()
    with pytest.raises(EndpointError, match="gave no answer"):
        await HttpSystem("mine", url, KNOWN).answer(TURN, 3)


def test_another_machine_has_to_be_named_in_the_settings() -> None:
    with pytest.raises(InputError, match=r'retriever_hosts = \["rag\.example\.com"\]'):
        HttpSystem("mine", "http://rag.example.com/x", KNOWN)
    with pytest.raises(InputError, match="no address of a RAG system"):
        HttpSystem("mine", "ftp://127.0.0.1/x", KNOWN)


MODULE = """
import asyncio, threading
release = threading.Event()
def plain(query, history, k): return {"answer": query[:8], "passages": [{"id": "p2"}][:k]}
async def later(query, history, k): return plain(query, history, k)
class Whole:
    def answer(self, query, history, k): return f"{len(history)} before"
def slow(query, history, k): release.wait(20)
async def slow_later(query, history, k): await asyncio.sleep(20)
def rubbish(query, history, k): return ["no", "answer"]
def broken(query, history, k): raise ZeroDivisionError("on purpose")
def other(question): return ""
NOTHING = 3
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module of the user's."""
    name = f"own_rag_{abs(hash(str(tmp_path)))}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return name


@pytest.mark.parametrize(("name", "answer"), [("plain", "How many"), ("later", "How many"), ("Whole", "1 before")])
async def test_a_python_callable(module: str, name: str, answer: str) -> None:
    system = PythonSystem("mine", f"{module}:{name}", KNOWN)
    answered = await system.answer(TURN, 2)
    assert answered.answer == answer
    assert answered.retrieved is None if name == "Whole" else retrieved(answered) == [("p2", "")]


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("slow", EndpointError, r"did not answer 'c0::2' within 0\.05 s; mend it"),
        ("slow_later", EndpointError, r"did not answer 'c0::2' within 0\.05 s"),
        ("rubbish", InputError, r"gave \['no', 'answer'\]: the whole: .*; it has to give"),
        ("broken", ZeroDivisionError, "on purpose"),
    ],
)
async def test_a_python_callable_with_a_fault(module: str, name: str, error: type[Exception], message: str) -> None:
    seconds = 0.05 if name.startswith("slow") else 60
    system = PythonSystem("mine", f"{module}:{name}", KNOWN, seconds=seconds)
    with pytest.raises(error, match=message):
        await system.answer(TURN, 2)
    sys.modules[module].release.set()


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("nowhere", "write python:module:name"),
        ("no_such_module_at_all:x", "No module named"),
        ("{}:absent", "has no attribute 'absent'"),
        ("{}:NOTHING", "int cannot be called and has no method answer"),
        ("{}:other", r"it is called as answer\(query=…, history=…, k=…\)"),
    ],
)
def test_what_is_no_python_system(module: str, place: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        PythonSystem("mine", place.format(module), KNOWN)


def test_a_changed_module_is_another_system(module: str, tmp_path: Path) -> None:
    before = PythonSystem("mine", f"{module}:plain", KNOWN).key
    (tmp_path / f"{module}.py").write_text(MODULE + "\n# changed\n")
    assert PythonSystem("mine", f"{module}:plain", KNOWN).key != before


async def test_ready_answers_by_k_and_without(tmp_path: Path) -> None:
    lines: list[dict[str, object]] = [
        {"query_id": TURN.query_id, "k": 2, "answer": "two"},
        {"query_id": TURN.query_id, "k": 5, "answer": "five", "seconds": 1.5},
        {"query_id": TURN.query_id, "answer": "as made"},
    ]
    path = rag_towers.write_lines(tmp_path / "a.jsonl", lines)
    system = AnswersFile("a", path, [turn.query_id for turn in DATASET.turns], KNOWN)
    assert system.ks((1, 2, 3)) == (None, 2)
    assert [(await system.answer(TURN, k)).answer for k in (None, 2, 5)] == ["as made", "two", "five"]
    assert (await system.answer(DATASET.turns[0], 2)).fault == "the file has no answer to this turn"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([{"query_id": "nobody", "answer": "x"}], r"a\.jsonl:1: query_id: the data set has no turn 'nobody'"),
        ([{"query_id": "c0::1", "answer": "x"}] * 2, r"a\.jsonl:2: query_id: 'c0::1' is answered twice"),
        ([{"query_id": "c0::1", "k": 3, "answer": "x"}] * 2, r"'c0::1' with k 3 is answered twice"),
        ([{"query_id": "c0::1"}], r"a\.jsonl:1: answer: Field required"),
        ([], r"a\.jsonl holds no answer"),
    ],
)
def test_ready_answers_with_a_fault(tmp_path: Path, lines: list[dict[str, object]], message: str) -> None:
    path = rag_towers.write_lines(tmp_path / "a.jsonl", lines)
    with pytest.raises(InputError, match=message):
        AnswersFile("a", path, [turn.query_id for turn in DATASET.turns], KNOWN)


async def test_rubbish_stops_an_evaluation_at_once_and_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    good = {"answer": "The tower is old.", "refused": False}
    mended: list[bool] = []

    def answer(body: dict[str, object]) -> web.StreamResponse:
        asked.append(body["query_id"])
        return web.json_response(good if mended else {"reply": "x"})

    dataset = rag_towers.towers(24)
    with TestEndpoint(reply=rag_towers.model) as endpoint, server(answer) as url:
        monkeypatch.setenv("MTR_CONFIG", str(jurors.write_settings(tmp_path / "mtr.toml", endpoint.base_url)))
        with pytest.raises(FatalEndpointError, match=r"mine for .* gave \{'reply': 'x'\}: answer: Field required"):
            await run(dataset, tmp_path / "rag", f"mine={url}")
        assert len(asked) < 24 and not (tmp_path / "rag").exists()
        mended.append(True)
        summary = await run(dataset, tmp_path / "rag", f"mine=http:{url}")
    assert summary.arms[0].answered == 24 and summary.arms[0].system == "mine"


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        (("magic:x",), "no system 'magic:x'; there are builtin:ENDPOINT/MODEL"),
        (("builtin:",), "no system 'builtin:'"),
        (("builtin:nowhere/x",), "no endpoint 'nowhere'"),
        (("builtin:local/unknown",), "no model 'local/unknown'"),
        (("answers:absent.jsonl",), "absent.jsonl does not exist"),
        (("http://rag.example.com/x",), "another machine"),
        (("http://127.0.0.1:1/x", "http://127.0.0.1:1/x"), "named twice under systems"),
        (("a=http://127.0.0.1:1/x", "a=http://127.0.0.1:1/y"), "two systems are called a; name one of them"),
    ],
)
def test_systems_that_cannot_be_made(systems: tuple[str, ...], message: str) -> None:
    judging = AuditOptions.checked(
        domain="general", judges=("local/qwen2.5-coder-1.5b",), criteria=RAG_CRITERIA, sample=9, seed=7
    )
    with pytest.raises(InputError, match=message):
        rag_job(checked_rag_options(systems=systems, right=Right(), judging=judging), DATASET, Settings())


def test_builtin_systems_are_retrievers_by_strategies_by_funnels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MTR_CONFIG", str(jurors.write_settings(tmp_path / "mtr.toml", "http://127.0.0.1:1/v1")))
    judging = AuditOptions.checked(domain="general", judges=("jury/one",), criteria=RAG_CRITERIA, sample=9, seed=7)
    made: dict[str, object] = {
        "systems": ("mini=builtin:jury/two",),
        "retrievers": ("bm25", "bm25:words"),
        "queries": ("last_turn", "rewritten:jury/three"),
        "right": Right(),
        "judging": judging,
    }
    job = rag_job(checked_rag_options(**made), DATASET, load_settings())
    assert [one.name for one in job.systems] == [
        "mini·bm25·last_turn",
        "mini·bm25·rewritten:jury/three",
        "mini·bm25:words·last_turn",
        "mini·bm25:words·rewritten:jury/three",
    ]
    assert len({one.key for one in job.systems}) == 4 and set(job.models) == {"jury/two", "jury/three", "jury/one"}
    funnel = {**made, "retrievers": ("bm25",), "queries": ("last_turn",), "rerank": ("llm:jury/four@3",)}
    job = rag_job(checked_rag_options(**funnel), DATASET, load_settings())
    assert [one.description for one in job.systems] == ["jury/two on bm25, last_turn, llm:jury/four@3"]
    assert "jury/four" in job.models


def test_right_is_told_by_what_is_judged() -> None:
    judging = AuditOptions.checked(domain="general", judges=("jury/one",), criteria=RAG_CRITERIA[:1], sample=9, seed=7)
    with pytest.raises(InputError, match=r"--right-by answer_relevance: answers are judged by faithfulness_to_retr"):
        checked_rag_options(systems=("a",), right=Right(), judging=judging)
