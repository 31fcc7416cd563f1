"""How far a long stage is: counted where it is done, shown while it runs."""

import asyncio
import io
from pathlib import Path

import pytest
from support.animals import TEXTS, corpus
from support.benches import job_of
from support.corpora import MODEL, embedding_endpoint
from support.jurors import towers

from mtr import progress
from mtr.benchmarking.run import BenchTerms, bench
from mtr.llm import embed, open_door
from mtr.progress import watched
from mtr.relevance import Ranking, Run
from mtr.retrieval.asked import PointwiseReranker
from mtr.retrieval.listwise import ListwiseReranker
from mtr.retrieval.searchable import Searchable
from mtr.settings import load_settings
from mtr.steps import count_done, heard_steps

FOUND = Run("bm25", {query: Ranking(("cat", "owl", "dog"), (3.0, 2.0, 1.0)) for query in ("q", "r", "s")})
QUERIES = {"q": "mice", "r": "night", "s": " "}


async def judged(query: str, passage: Searchable, sample: int) -> float:
    return 0.5


async def ordered(query: str, passages: object, sample: int) -> list[int]:
    return [1, 0]


@pytest.mark.parametrize("reranker", [PointwiseReranker("llm", judged), ListwiseReranker("list", ordered)])
async def test_a_query_is_counted_when_all_its_passages_are_reranked(
    reranker: PointwiseReranker | ListwiseReranker,
) -> None:
    heard: list[int] = []
    with heard_steps(heard.append):
        await reranker.rerank(QUERIES, FOUND, corpus())
    assert sum(heard) == 2, "the blank query asks nobody"


async def test_texts_are_counted_when_embedded_and_when_kept_from_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[int] = []
    texts = [text for text in TEXTS.values() if text.strip()]
    with embedding_endpoint(tmp_path, monkeypatch), heard_steps(heard.append):
        async with open_door(load_settings()):
            await embed(texts, model=MODEL, kind="passage")
            assert sum(heard) == len(texts)
            await embed([*texts, "A bee dances."], model=MODEL, kind="passage")
    assert sum(heard) == 2 * len(texts) + 1


async def test_where_nobody_listens_nothing_happens() -> None:
    count_done()
    heard: list[int] = []
    with heard_steps(heard.append):
        await asyncio.gather(*(asyncio.to_thread(count_done) for _ in range(3)))
    count_done(7)
    assert heard == [1, 1, 1]


async def test_a_line_tells_how_many_how_fast_and_how_long_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PLAIN_SECONDS", 0.0)
    written = asyncio.Event()

    class Stream(io.StringIO):
        def flush(self) -> None:
            written.set()

    stream = Stream()
    async with watched("passages", 10, tuple, stream):
        count_done(4)
        await written.wait()
    line = stream.getvalue().splitlines()[0]
    assert line.startswith("4 of 10 passages · ") and "passages/min" in line and line.count("left") == 1


async def test_each_stage_of_a_benchmark_is_watched(tmp_path: Path) -> None:
    seen: list[tuple[str, int]] = []

    class Watch:
        def __init__(self, things: str, asked: int) -> None:
            seen.append((things, asked))

        async def __aenter__(self) -> None: ...

        async def __aexit__(self, *error: object) -> None: ...

    job = job_of(towers(6))
    await bench(job, BenchTerms(out=tmp_path / "out", meter=tuple, say=str, watch=Watch))
    turns, passages = len(job.turns), sum(len(part.passages) for part in job.parts)
    assert seen == [("queries", turns), ("passages", passages), ("queries", turns)]
