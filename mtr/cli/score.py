"""`mtr score`: ready runs against relevance judgements."""

from pathlib import Path
from typing import Annotated

import typer


def score(
    qrels: Annotated[Path, typer.Argument(help="TREC qrels or BEIR's TSV, gzip too.", show_default=False)],
    runs: Annotated[list[Path], typer.Argument(help="TREC run files, gzip too.", show_default=False)],
    metric: Annotated[
        list[str] | None,
        typer.Option(help="Such as nDCG@10, once for each; R@1, R@5, R@20, MRR@20 and nDCG@20 without."),
    ] = None,
    conversations: Annotated[
        bool,
        typer.Option(
            "--conversations/--queries",
            help="Draw and flip whole conversations, named by the part of a query id before :: or <::>; or queries.",
        ),
    ] = True,
    separator: Annotated[
        str, typer.Option(help="What stands between conversation and turn in other query ids, such as _ in 31_4.")
    ] = "",
    seed: Annotated[int, typer.Option(help="Enters intervals and tests.")] = 7,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
    per_query: Annotated[Path | None, typer.Option(help="Also write each query's scores, as JSON lines.")] = None,
) -> None:
    """Score runs: means with 95 % intervals and, of several runs, which are told apart.

    Example: mtr score qrels/test.tsv bm25.trec dense.trec.gz --metric nDCG@10 --metric "R(rel=2)@20"
    """
    from mtr.cli.scoring import print_comparison
    from mtr.evaluation.metrics import DEFAULT_METRICS, parse_metrics
    from mtr.evaluation.run_comparison import (
        by_conversation,
        by_query,
        by_separator,
        compare_runs,
        query_scores,
        read_runs,
        score_runs,
    )
    from mtr.relevance import read_qrels
    from mtr.storage import write_records

    metrics = parse_metrics(metric) if metric else DEFAULT_METRICS
    scores = score_runs(read_qrels(qrels), read_runs(runs), metrics)
    conversation_of = by_separator(separator) if separator else by_conversation
    compared = compare_runs(scores, seed=seed, conversation_of=conversation_of if conversations else by_query)
    if per_query is not None:
        write_records(per_query, query_scores(scores))
    if as_json:
        typer.echo(compared.model_dump_json(indent=2))
    else:
        print_comparison(compared, qrels.name)
