"""`mtr bench`: retrievers by query strategies by rerankers on one data set."""

from pathlib import Path
from typing import Annotated

import typer

from mtr.cli.path_first import PathFirst

app = typer.Typer(
    cls=PathFirst,
    no_args_is_help=False,
    help="Retrievers by query strategies by rerankers: `mtr bench PATH`, options as of `mtr bench run`.",
)


@app.command("run")
def run(
    dataset: Annotated[Path | None, typer.Argument(help="The data set, see `mtr datasets list`.")] = None,
    layout: Annotated[str, typer.Option("--format", help="Its layout; own ones need none.")] = "",
    retriever: Annotated[
        list[str] | None,
        typer.Option(help="bm25, dense:MODEL, hybrid:bm25+dense:MODEL, python:MODULE:NAME, http:URL; once for each."),
    ] = None,
    query: Annotated[
        list[str] | None,
        typer.Option(help="last_turn, history, history:N, all_queries, standalone, rewritten:MODEL; once for each."),
    ] = None,
    rerank: Annotated[
        list[str] | None,
        typer.Option(help="llm:MODEL@20, list:MODEL@20 or cross:MODEL@100, joined by + for two stages."),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(help="Such as nDCG@10, once for each; R@1, R@5, R@20, MRR@20 and nDCG@20 without."),
    ] = None,
    k: Annotated[int | None, typer.Option(help="Passages kept of each ranking; 100 without.", min=1)] = None,
    query_tokens: Annotated[
        int | None, typer.Option(help="Longer queries lose their beginning; 512 tokens without.", min=1)
    ] = None,
    sample: Annotated[int | None, typer.Option(help="At most so many judged turns, drawn by seed.", min=1)] = None,
    seed: Annotated[int | None, typer.Option(help="Enters sample, intervals and tests; 7 without.")] = None,
    domain: Annotated[str, typer.Option(help="Prompt folder; by the data set's language without it.")] = "",
    file: Annotated[
        Path | None, typer.Option("--file", help="A TOML file with the same; options go before it.")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Rank anew what an earlier run has finished; the ledger is kept.")
    ] = False,
    budget_tokens: Annotated[int | None, typer.Option(help="The most tokens this run may newly use.", min=1)] = None,
    budget_usd: Annotated[
        float | None, typer.Option(help="The most US dollars this run may newly spend.", min=0)
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The benchmark's folder; results/NAME without it.")] = None,
) -> None:
    """Benchmark retrievers. Stopped in any way, the same command goes on where it was.

    Example: mtr bench datasets/handbook --retriever bm25 --retriever hybrid --query last_turn --query standalone
    """
    from mtr.benchmarking.options import checked_options, read_bench_file
    from mtr.cli.benching import BenchOrder, run_bench
    from mtr.errors import InputError

    given = read_bench_file(file) if file else None
    place = dataset or (given.dataset if given else None)
    if place is None:
        raise InputError("name a data set, on the command line or as `dataset` in the file")
    said = {
        "retrievers": tuple(retriever or ()),
        "queries": tuple(query or ()),
        "rerank": tuple(rerank or ()),
        "metrics": tuple(metric or ()),
        "k": k,
        "query_tokens": query_tokens,
        "sample": sample,
        "seed": seed,
        "domain": domain,
    }
    options = checked_options(given, said)
    where = out or (given.out if given else None)
    name = layout or (given.format if given else None)
    run_bench(options, BenchOrder(place, name or None, where, budget_tokens, budget_usd, fresh))


@app.command("explain")
def explain_reranking(
    folder: Annotated[Path, typer.Argument(help="A finished benchmark with a funnel.", show_default=False)],
    rerank: Annotated[
        str, typer.Option(help="The reranked system, or its funnel; needed where there are several.")
    ] = "",
    k: Annotated[
        int | None, typer.Option(help="Passages reranked; 20 without, or as many as the funnel looked at.", min=1)
    ] = None,
    metric: Annotated[str, typer.Option(help="What is compared.")] = "nDCG@5",
    cases: Annotated[int, typer.Option(help="Turns shown of each kind.", min=0)] = 3,
    dataset: Annotated[Path | None, typer.Option(help="Where the data set lies now, if it was moved.")] = None,
    layout: Annotated[str, typer.Option("--format", help="Its layout, where that has changed.")] = "",
    out: Annotated[Path | None, typer.Option(help="Also write explain.md and explain.html into this folder.")] = None,
) -> None:
    """What a reranker does to the top of the rankings: scores before and after, and turns it mended and spoiled.

    Example: mtr bench explain results/handbook --metric nDCG@5 --cases 3 --out results/handbook
    """
    from mtr.benchmarking.explain import ExplainOptions, explain
    from mtr.evaluation.report import rerank_html, rerank_markdown
    from mtr.storage import replace_text

    study, found = explain(folder, ExplainOptions(rerank, k, metric, dataset, layout or None))
    typer.echo(rerank_markdown(study, found, cases))
    if out is not None:
        replace_text(out / "explain.md", rerank_markdown(study, found, cases))
        replace_text(out / "explain.html", rerank_html(study, found, cases))
        typer.echo(f"study {out}/explain.html", err=True)
