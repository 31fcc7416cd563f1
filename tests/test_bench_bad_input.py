"""What a benchmark makes of bad input, from the data set or the retriever to the table: an error, or what is stated.

Rubbish of single parts is tested beside them: run files and rankings in test_relevance.py, a user's retriever and
HTTP in test_retrievers.py, long queries in test_query_strategies.py.
"""

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

import pytest
from support.benches import job_of, result
from support.corpora import MODEL, embedding_endpoint
from support.jurors import towers

from mtr.datasets.records import AnyPassage, Dataset
from mtr.errors import EndpointError, InputError
from mtr.evaluation.benchmark import BenchSummary, SystemFigures
from mtr.llm import open_door
from mtr.llm.tokens import count_tokens
from mtr.relevance import read_run
from mtr.retrieval.http_retriever import HttpRetriever
from mtr.settings import load_settings

SPECS = ("bm25", f"dense:{MODEL}", f"chroma:{MODEL}", f"hybrid:bm25+dense:{MODEL}")
LONG = "Where is the harbour, and when was it built? " * 2500
ODD = {
    "c0::1": "the of and",
    "c0::2": "",
    "c0::3": " \n\t",
    "c1::1": LONG + "How many lamps has the tower of Alderdale?",
}


def odd_towers() -> Dataset:
    """Towers with odd queries, and passages that are blank or named like a number."""
    dataset = towers(9)
    turns = [turn.model_copy(update={"query": ODD.get(turn.query_id, turn.query)}) for turn in dataset.turns]
    odd = [AnyPassage(passage_id=name, text=text) for name, text in (("blank", " \n"), ("empty", ""), ("7", "the of"))]
    passages = {**dataset.passages, **{one.passage_id: one for one in odd}}
    return dataset.model_copy(update={"turns": tuple(turns), "passages": passages})


@pytest.fixture(scope="module")
def benched(tmp_path_factory: pytest.TempPathFactory) -> tuple[BenchSummary, Path]:
    """The odd towers under every retriever of ours, more passages asked for than there are."""
    folder = tmp_path_factory.mktemp("odd")
    with pytest.MonkeyPatch.context() as patch, embedding_endpoint(folder, patch):
        patch.setenv("MTR_HOME", str(folder / "home"))
        return asyncio.run(_benched(folder / "out")), folder / "out"


async def _benched(out: Path) -> BenchSummary:
    async with open_door(load_settings()):
        job = job_of(odd_towers(), retrievers=SPECS, queries=("last_turn", "history"), k=500, query_tokens=64)
        return await result(job, out)


@pytest.mark.parametrize("spec", SPECS)
def test_every_retriever_states_what_it_makes_of_them(spec: str, benched: tuple[BenchSummary, Path]) -> None:
    summary, _ = benched
    figures = {one.name: one for one in summary.systems}[f"{spec}·last_turn"].figures
    lost = 3 if spec == "bm25" else 2
    assert (figures.judged, figures.missing) == (9, lost), "stop words alone find nothing by words, blank finds nothing"


def test_nothing_blank_is_found_and_never_more_than_there_is(benched: tuple[BenchSummary, Path]) -> None:
    runs = [read_run(path) for path in (benched[1] / "runs").iterdir()]
    assert len(runs) == 8
    for run in runs:
        for ranking in run.rankings.values():
            assert len(ranking) <= 10 and not {"blank", "empty"} & set(ranking.passage_ids)


def test_a_query_of_twenty_thousand_tokens_is_searched_by_what_was_said_last(
    benched: tuple[BenchSummary, Path],
) -> None:
    assert count_tokens(LONG) > 20_000
    run = next(read_run(path) for path in (benched[1] / "runs").iterdir() if path.name == "bm25.history.trec.gz")
    assert run.rankings["c1::1"].passage_ids[0] == "p4"


def own(monkeypatch: pytest.MonkeyPatch, answer: Callable[[Sequence[str]], object]) -> str:
    """A Python retriever that answers so."""

    class Search:
        def index(self, passages: Sequence[object]) -> None:
            """Nothing is kept."""

        def retrieve(self, queries: Mapping[str, str], k: int) -> object:
            return answer(list(queries))

    module = ModuleType("odd_search")
    module.Search = Search  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "odd_search", module)
    return "python:odd_search:Search"


async def test_ids_that_the_corpus_does_not_hold_are_counted_and_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = own(monkeypatch, lambda names: {name: ["elsewhere", f"p{place}"] for place, name in enumerate(names, 1)})
    summary = await result(job_of(towers(6), retrievers=(spec,), metrics=("R@1", "R@2")), tmp_path / "out")
    system: SystemFigures = summary.systems[0]
    assert system.unknown == 1 and system.figures.means["R@1"].mean == 0 and system.figures.means["R@2"].mean == 1
    assert "1 passage unknown to the corpus" in (tmp_path / "out/report.md").read_text()


@pytest.mark.parametrize(
    ("ranking", "message"),
    [
        ([["p1", float("nan")]], "score nan is not a finite number"),
        ([["p1", float("inf")]], "score inf is not a finite number"),
        (["p1", "p2", "p1"], "'p1' stands twice"),
        ([[1, 0.5]], "passage id 1 is not text"),
        ([1, 2], "1 is not .id, score."),
        (None, "None is no ranking"),
    ],
)
async def test_a_ranking_that_says_nothing_stops_the_benchmark_and_names_the_query(
    ranking: object, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = own(monkeypatch, lambda names: dict.fromkeys(names, ranking))
    with pytest.raises(InputError, match=f"c0::1.*{message}"):
        await result(job_of(towers(6), retrievers=(spec,)), tmp_path / "out")
    assert not (tmp_path / "out/summary.json").exists()


async def test_what_was_finished_before_a_server_failed_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(self: HttpRetriever, queries: Mapping[str, str], k: int) -> object:
        raise EndpointError("no answer within 60 s")

    monkeypatch.setattr(HttpRetriever, "retrieve", fail)
    job = job_of(towers(6), retrievers=("bm25", "http://127.0.0.1:9/search"))
    with pytest.raises(EndpointError, match="within 60 s"):
        await result(job, tmp_path / "out")
    said: list[str] = []
    with pytest.raises(EndpointError):
        await result(job, tmp_path / "out", said)
    assert said[0] == "bm25·last_turn: kept from an earlier run"
