"""Scoring a run: metrics of many queries at once against pytrec-eval-terrier, which runs trec_eval's C code by query.

    python -m benchmarks.metrics [--small]

pytrec-eval-terrier begins with dicts of passage to score, ours with rankings, which retrievers hand on checked and in
order; what that takes is told apart. Both end with each query's score under each metric. The usual five metrics look at
20 ranks, the deep ones at all. Scores have ties; grades go from 0 to 3.
"""

import random
import sys
from collections.abc import Mapping, Sequence

import numpy as np
import pytrec_eval

from benchmarks.harness import Measured, measure, print_figure, print_machine, size_options
from mtr.evaluation.metrics import DEFAULT_METRICS, Metric, RunScores, parse_metrics, score_run
from mtr.relevance import Qrels, Run

CORPUS, DEPTH, JUDGED, REPEAT = 50_000, 100, 20, 3
NAMES: Mapping[str, str] = {
    "R@1": "recall_1",
    "R@5": "recall_5",
    "R@20": "recall_20",
    "MRR@20": "recip_rank",
    "nDCG@20": "ndcg_cut_20",
    "R@100": "recall_100",
    "MAP": "map",
    "MRR": "recip_rank",
    "nDCG": "ndcg",
}
"""The names that trec_eval has; its reciprocal rank has no cutoff, so that MRR@20 is timed and not compared."""

DEEP = parse_metrics(["R@100", "MAP", "MRR", "nDCG"])
Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]
Theirs = Mapping[str, Mapping[str, float]]


def synthetic_run(queries: int) -> tuple[Grades, Scores]:
    """Qrels of `JUDGED` passages a query, and a run of `DEPTH`; half of the judged passages are in it."""
    source = random.Random(1)
    corpus = [f"document-{number}#{number % 7}:0-400" for number in range(CORPUS)]
    grades: Grades = {}
    scores: Scores = {}
    for number in range(queries):
        drawn = source.sample(corpus, DEPTH + JUDGED // 2)
        query_id = f"c{number // 8}::{number % 8}"
        grades[query_id] = {name: source.randrange(4) for name in drawn[-JUDGED:]}
        scores[query_id] = {name: round(source.random(), 3) for name in drawn[:DEPTH]}
    return grades, scores


def ordered(scores: Scores) -> Run:
    """The run checked and in order."""
    return Run.ranked("run", {query_id: passages.items() for query_id, passages in scores.items()})


def evaluate(grades: Grades, scores: Scores, metrics: Sequence[Metric]) -> Theirs:
    """query_id → measure → score, by pytrec-eval-terrier."""
    evaluator = pytrec_eval.RelevanceEvaluator(grades, {NAMES[str(metric)] for metric in metrics})
    found: Theirs = evaluator.evaluate(scores)
    return found


def furthest(mine: RunScores, other: Theirs, metrics: Sequence[Metric]) -> float:
    """The greatest difference of any query under any metric that both have."""
    columns = [(mine.values[one], NAMES[str(one)]) for one in metrics if str(one) != "MRR@20"]
    gaps = [np.abs(values - [other[one][name] for one in mine.query_ids]).max() for values, name in columns]
    return float(max(gaps))


def compared(grades: Grades, scores: Scores, run: Run, metrics: Sequence[Metric]) -> tuple[float, float, float]:
    """CPU seconds of ours and theirs, and the greatest difference of a score."""
    qrels = Qrels(grades)
    mine: Measured[RunScores] = measure(lambda: score_run(qrels, run, metrics), REPEAT)
    other = measure(lambda: evaluate(grades, scores, metrics), REPEAT)
    names = ", ".join(map(str, metrics))
    print(f"{names}: pytrec-eval-terrier {other.cpu:.3f} CPU-s, ours {mine.cpu:.3f}")
    return mine.cpu, other.cpu, furthest(mine.result, other.result, metrics)


def main() -> int:
    """Print the ratios; 1 when the goal is missed or a score differs."""
    queries = 1_000 if size_options("Metrics against pytrec-eval-terrier") else 10_000
    print_machine(["numpy", "pytrec-eval-terrier"])
    grades, scores = synthetic_run(queries)
    put = measure(lambda: ordered(scores), REPEAT)
    print(f"{queries} queries × {DEPTH} passages, {JUDGED} judged; checking and putting in order {put.cpu:.3f} CPU-s")
    usual = compared(grades, scores, put.result, DEFAULT_METRICS)
    deep = compared(grades, scores, put.result, DEEP)
    gap = max(usual[2], deep[2])
    equal = print_figure("greatest difference of a score", gap, "≤ 1e-12", gap <= 1e-12)
    ratio = usual[0] / usual[1]
    reached = print_figure("the usual metrics / pytrec, CPU", ratio, "≤ 0.15", ratio <= 0.15)
    print(f"the deep ones / pytrec: {deep[0] / deep[1]:.3g}; all of it, order included: "
          f"{(usual[0] + put.cpu) / usual[1]:.3g} (no goals)")  # fmt: skip
    return 0 if equal and reached else 1


if __name__ == "__main__":
    sys.exit(main())
