"""Relevance judgements and ranked answers, in TREC's and BEIR's files: what every metric is computed from."""

from mtr.relevance.qrels import Qrels, qrels_rows, read_qrels, write_beir_qrels, write_qrels
from mtr.relevance.ranking import Ranking
from mtr.relevance.runs import Run, read_run, run_name, write_run

__all__ = [
    "Qrels",
    "Ranking",
    "Run",
    "qrels_rows",
    "read_qrels",
    "read_run",
    "run_name",
    "write_beir_qrels",
    "write_qrels",
    "write_run",
]
