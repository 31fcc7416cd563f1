"""Published scores of real sets, where MTR_SHARED leads to them."""

import os
from pathlib import Path

import pytest
from support.benches import job_of, result, score

from mtr.datasets.adapters import load_dataset
from mtr.datasets.records import Dataset


def shared(name: str) -> Dataset:
    """A real data set."""
    folder = os.environ.get("MTR_SHARED")
    if not folder:
        pytest.skip("MTR_SHARED is not set")
    return load_dataset(Path(folder) / "data" / name)


async def test_scifact_as_published(tmp_path: Path) -> None:
    """BM25 of Anserini, k1 .9, b .4, title and text."""
    metrics = ("nDCG@10", "R@100", "R@1000")
    summary = await result(job_of(shared("scifact"), metrics=metrics, k=1000), tmp_path / "out")
    published = {"nDCG@10": 0.6789, "R@100": 0.9253, "R@1000": 0.9767}
    found = {metric: score(summary, "bm25·last_turn", metric) for metric in metrics}
    assert found == pytest.approx(published, abs=0.002)


POOLS = {
    "clapnq": {"last_turn": (0.2527, 0.2217), "standalone": (0.2674, 0.2512), "all_queries": (0.2094, 0.1882)},
    "cloud": {"last_turn": (0.2254, 0.1876), "standalone": (0.2373, 0.2034), "all_queries": (0.1644, 0.1342)},
}
"""R@5 and nDCG@5 of BM25 on mtRAG's pools."""


@pytest.mark.parametrize("subset", POOLS)
async def test_mtrag_pools(tmp_path: Path, subset: str) -> None:
    """The last digits depend on the analyzer, the order of the strategies does not."""
    metrics = ("R@5", "nDCG@5")
    job = job_of(shared(f"mtrag/retrieval_tasks/{subset}"), queries=tuple(POOLS[subset]), metrics=metrics)
    summary = await result(job, tmp_path / "out")
    found = {name: tuple(score(summary, f"bm25·{name}", metric) for metric in metrics) for name in POOLS[subset]}
    assert found["standalone"] > found["last_turn"] > found["all_queries"]
    for name, values in POOLS[subset].items():
        assert found[name] == pytest.approx(values, abs=0.01)
