"""Metrics of retrieval: pure functions on ranked grades, their names, and the scores of a run, query by query."""

from mtr.evaluation.metrics.metric import DEFAULT_METRICS, Metric, parse_metrics
from mtr.evaluation.metrics.scoring import RunScores, score_run

__all__ = ["DEFAULT_METRICS", "Metric", "RunScores", "parse_metrics", "score_run"]
