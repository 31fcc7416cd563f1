"""Rerankers and funnels: the order they give, and what is left as it was."""

import sys
from collections.abc import Sequence
from types import ModuleType

import pytest
from support.animals import corpus, ids

from mtr.errors import EndpointError, InputError, ReplyError
from mtr.relevance import Run
from mtr.retrieval.asked import PointwiseReranker
from mtr.retrieval.cross_encoder import CrossEncoderReranker
from mtr.retrieval.funnel import Stage, rerank
from mtr.retrieval.listwise import ListwiseReranker, windows
from mtr.retrieval.searchable import Searchable


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
