"""`mtr rag`: whole RAG systems on a data set, their answers before an ensemble of judges, over several k."""

from pathlib import Path
from typing import Annotated, Literal

import typer


def rag(
    dataset: Annotated[Path, typer.Argument(help="The data set, see `mtr datasets list`.", show_default=False)],
    system: Annotated[
        list[str],
        typer.Option(
            help="builtin:ENDPOINT/MODEL, http:URL, python:MODULE:NAME, answers:FILE.jsonl, or NAME=…; once for each.",
            show_default=False,
        ),
    ],
    k: Annotated[str, typer.Option("--k", help="Passages to answer from: 5, 1,3,5,10 or 1..10.")] = "5",
    layout: Annotated[str, typer.Option("--format", help="The data set's layout; own ones need none.")] = "",
    retriever: Annotated[
        list[str] | None, typer.Option(help="Of builtin systems, as of `mtr bench`; bm25 without.")
    ] = None,
    query: Annotated[
        list[str] | None, typer.Option(help="Query strategy, as of `mtr bench`; last_turn without.")
    ] = None,
    rerank: Annotated[list[str] | None, typer.Option(help="Funnel, as of `mtr bench`.")] = None,
    judge: Annotated[list[str] | None, typer.Option(help="ENDPOINT/MODEL, once for each judge.")] = None,
    criteria: Annotated[
        list[str] | None, typer.Option(help="Criterion, once for each; the usual three without.")
    ] = None,
    right_by: Annotated[
        list[str] | None, typer.Option(help="A right answer reaches the cut on each of these; the criteria without.")
    ] = None,
    right_at: Annotated[float, typer.Option(help="The cut of a right answer.", min=1, max=5)] = 4.0,
    sample: Annotated[int, typer.Option(help="At most so many turns, drawn by seed.", min=1)] = 300,
    seed: Annotated[int, typer.Option(help="Enters the sample, intervals and tests.")] = 7,
    tally: Annotated[
        Literal["mean", "median", "majority", "unanimity"], typer.Option(help="How verdicts become one.")
    ] = "mean",
    split_beyond: Annotated[
        float, typer.Option(help="Verdicts further apart than this share of the scale are split.", min=0, max=1)
    ] = 0.5,
    adjudicator: Annotated[str, typer.Option(help="ENDPOINT/MODEL that decides what is split.")] = "",
    exclude_self: Annotated[
        bool, typer.Option("--exclude-self", help="A judge does not judge what its family of models wrote.")
    ] = False,
    domain: Annotated[str, typer.Option(help="Prompt folder; by the data set's language without it.")] = "",
    concurrency: Annotated[
        int | None, typer.Option(help="Turns at once; 1 for the embedded model, else 8.", min=1)
    ] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="The most tokens this run may newly use.", min=1)] = None,
    budget_usd: Annotated[
        float | None, typer.Option(help="The most US dollars this run may newly spend.", min=0)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print an estimate; call nothing.")] = False,
    out: Annotated[Path | None, typer.Option(help="The evaluation's folder; rag/NAME-BATCH without it.")] = None,
) -> None:
    """Evaluate RAG systems: faithfulness, relevance and completeness of their answers beside what they retrieved.

    Stopped in any way, the same command goes on where it was.

    Example: mtr rag datasets/handbook --system builtin:openai/gpt-4o-mini --k 1..10 --judge openai/gpt-4o-mini
    """
    from mtr.auditing.calibrations import cuts_for
    from mtr.auditing.options import AuditOptions
    from mtr.cli.ragging import RagOrder, run_rag
    from mtr.datasets.adapters import load_dataset
    from mtr.evaluation.rag_turns import RAG_CRITERIA, Right
    from mtr.rag.options import checked_rag_options, parse_ks
    from mtr.settings import load_settings

    settings = load_settings()
    found = load_dataset(dataset, layout or None)
    domain = domain or ("general_zh" if found.language == "zh" else "general")
    judges = tuple(dict.fromkeys(judge or [settings.model_for("judge")]))
    named = tuple(dict.fromkeys(criteria or RAG_CRITERIA))
    judging = AuditOptions.checked(
        domain=domain,
        judges=judges,
        criteria=named,
        cuts=cuts_for(judges, domain),
        sample=sample,
        seed=seed,
        rule=tally,
        split_beyond=split_beyond,
        adjudicator=adjudicator,
        exclude_self=exclude_self,
    )
    options = checked_rag_options(
        systems=tuple(system),
        ks=parse_ks(k),
        retrievers=tuple(retriever or ()),
        queries=tuple(query or ()),
        rerank=tuple(rerank or ()),
        right=Right(by=tuple(dict.fromkeys(right_by or named)), at=right_at),
        judging=judging,
    )
    run_rag(options, found, settings, RagOrder(out, concurrency, budget_tokens, budget_usd, dry_run))
