"""Runs that others published, scored again; skipped where the folder that MTR_SHARED names is not there."""

import json
import os
from pathlib import Path

import pytest

from mtr.evaluation.metrics import RunScores, parse_metrics, score_run
from mtr.relevance import read_qrels, read_run

CUTOFFS = (1, 3, 5, 10)
CAST = {
    "raw": (0.304, 0.3059),
    "oracle": (0.544, 0.5475),
    "cv": (0.467, 0.4697),
    "rule_based": (0.437, 0.4392),
    "self_learn": (0.435, 0.4376),
    "rule_based_cv": (0.492, 0.4950),
    "self_learn_cv": (0.491, 0.4943),
}
"""NDCG@3 as published, over 174 turns, and over the 173 that are judged."""


def shared(*parts: str) -> Path:
    folder = os.environ.get("MTR_SHARED")
    if not folder:
        pytest.skip("MTR_SHARED is not set")
    return Path(folder).joinpath("data", *parts)


def scored(qrels: Path, run: Path, *metrics: str) -> RunScores:
    return score_run(read_qrels(qrels), read_run(run), parse_metrics(metrics))


def test_every_figure_of_mtrag() -> None:
    rows = json.loads(shared("mtrag", "runs", "published_scores.json").read_text(encoding="utf-8"))
    names = [f"{measure}@{k}" for measure in ("nDCG", "Recall") for k in CUTOFFS]
    found, wanted = {}, {}
    for row in rows:
        run = shared("mtrag", "runs", f"{row['system']}.{row['setup']}.{row['domain']}.trec.gz")
        qrels = shared("mtrag", "retrieval_tasks", row["domain"], "qrels", "dev.tsv")
        scores = scored(qrels, run, *names)
        assert len(scores.query_ids) == row["queries"] and not scores.unjudged
        for name, metric in zip(names, scores.values, strict=True):
            measure, k = name.split("@")
            found[run.name, name] = round(scores.mean(metric), 5)
            wanted[run.name, name] = row[measure][k]
    assert len(found) == 192 and found == wanted


@pytest.mark.parametrize("name", CAST)
def test_cast_2019(name: str) -> None:
    files = {path.name.split(".")[0].removeprefix("bert_base_").removeprefix("run_"): path
             for path in shared("cast", "2019", "runs").glob("*.trec.gz")}  # fmt: skip
    scores = scored(shared("cast", "2019", "2019qrels.txt.gz"), files[name], "nDCG@3")
    (metric,) = scores.values
    assert (len(scores.query_ids), scores.missing, scores.unjudged) == (173, (), ())
    published, judged = CAST[name]
    assert round(scores.mean(metric), 4) == judged
    assert round(scores.mean(metric) * 173 / 174, 3) == published
