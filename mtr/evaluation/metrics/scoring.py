"""The scores of a run: every metric of every judged query first, means second."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mtr.errors import InputError
from mtr.evaluation.metrics.gains import exponential_gain, linear_gain, ndcg
from mtr.evaluation.metrics.grades import UNJUDGED, Floats, GradedRun, graded
from mtr.evaluation.metrics.metric import Metric
from mtr.evaluation.metrics.ranks import average_precision, reciprocal_rank
from mtr.evaluation.metrics.sets import f1, judged, precision, recall, success
from mtr.relevance import Qrels, Run


@dataclass(frozen=True)
class RunScores:
    """The scores of one run on the judged queries, in the order of the qrels.

    `values[metric][i]` belongs to `query_ids[i]`. `missing` queries are judged and have no passage in the run: they
    count 0. `unjudged` queries of the run are dropped. `nothing_relevant` queries are judged and have no passage of a
    grade above 0: they count 0, as in trec_eval.
    """

    run: str
    query_ids: tuple[str, ...]
    values: Mapping[Metric, Floats]
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    nothing_relevant: tuple[str, ...]

    def mean(self, metric: Metric) -> float:
        """The mean over all judged queries."""
        return float(self.values[metric].mean())


def score_run(qrels: Qrels, run: Run, metrics: Sequence[Metric]) -> RunScores:
    """Score a run; InputError where the qrels hold no query."""
    query_ids = tuple(qrels.grades)
    if not query_ids:
        raise InputError("the qrels hold no query, so there is nothing to score")
    grades = graded(qrels, run, query_ids, _depth(metrics))
    relevant = grades.relevant(1)
    return RunScores(
        run=run.name,
        query_ids=query_ids,
        values={metric: _values(metric, grades) for metric in metrics},
        missing=tuple(one for one in query_ids if one not in run.rankings or not len(run.rankings[one])),
        unjudged=tuple(one for one in run.rankings if one not in qrels.grades),
        nothing_relevant=tuple(query_ids[place] for place in np.flatnonzero(relevant == 0)),
    )


def _depth(metrics: Sequence[Metric]) -> int | None:
    """How many ranks are needed; None is all."""
    cutoffs = [metric.cutoff for metric in metrics]
    return None if None in cutoffs else max((cutoff for cutoff in cutoffs if cutoff), default=1)


def _values(metric: Metric, grades: GradedRun) -> Floats:
    """(n,): the metric of each query; without a cutoff it looks at the whole ranking and all that is judged."""
    k = metric.cutoff or max(grades.found.shape[1], grades.ideal.shape[1])
    hits, relevant = grades.hits(metric.rel), grades.relevant(metric.rel)
    match metric.measure:
        case "R":
            return recall(hits, relevant, k)
        case "P":
            return precision(hits, k)
        case "F1":
            return f1(hits, relevant, k)
        case "Success":
            return success(hits, k)
        case "MRR":
            return reciprocal_rank(hits, k)
        case "MAP":
            return average_precision(hits, relevant, k)
        case "nDCG":
            return ndcg(linear_gain(grades.found), linear_gain(grades.ideal), k)
        case "nDCG_exp":
            return ndcg(exponential_gain(grades.found), exponential_gain(grades.ideal), k)
        case "judged":
            return judged(grades.found != UNJUDGED, grades.retrieved, k)
