"""`mtr audit`: a data set before an ensemble of judges."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from mtr.cli.path_first import PathFirst

app = typer.Typer(
    cls=PathFirst,
    no_args_is_help=True,
    help="Judge the gold of any conversational retrieval data set: `mtr audit PATH`, options as of `mtr audit run`.",
)


@app.command("run")
def run(
    path: Annotated[Path, typer.Argument(help="The data set, see `mtr datasets list`.", show_default=False)],
    layout: Annotated[str, typer.Option("--format", help="Its layout; own ones need none.")] = "",
    judge: Annotated[list[str] | None, typer.Option(help="ENDPOINT/MODEL, once for each judge.")] = None,
    criteria: Annotated[list[str] | None, typer.Option(help="Criterion, once for each; the usual six without.")] = None,
    sample: Annotated[int, typer.Option(help="At most so many turns, drawn by seed.", min=1)] = 300,
    seed: Annotated[int, typer.Option(help="Enters the sample and every order of candidates.")] = 7,
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
    out: Annotated[Path | None, typer.Option(help="The audit's folder; audits/NAME-BATCH without it.")] = None,
) -> None:
    """Judge a data set. Stopped in any way, the same command goes on where it was.

    Example: mtr audit datasets/handbook --judge openai/gpt-4o-mini --judge local/qwen2.5-coder-1.5b --sample 100
    """
    from mtr.auditing.calibrations import cuts_for
    from mtr.auditing.job import prepare
    from mtr.auditing.options import AuditOptions
    from mtr.cli.auditing import AuditOrder, print_estimate, run_audit
    from mtr.cli.judgements import code_of_judgements
    from mtr.datasets.adapters import load_dataset
    from mtr.settings import load_settings
    from mtr.verdicts import CRITERIA

    settings = load_settings()
    dataset = load_dataset(path, layout or None)
    domain = domain or ("general_zh" if dataset.language == "zh" else "general")
    judges = tuple(dict.fromkeys(judge or [settings.model_for("judge")]))
    options = AuditOptions.checked(
        domain=domain,
        judges=judges,
        criteria=tuple(dict.fromkeys(criteria or CRITERIA)),
        cuts=cuts_for(judges, domain),
        sample=sample,
        seed=seed,
        rule=tally,
        split_beyond=split_beyond,
        adjudicator=adjudicator,
        exclude_self=exclude_self,
    )
    job = prepare(options, dataset, settings, code_of_judgements())
    if dry_run:
        print_estimate(job, settings)
        return
    run_audit(job, settings, AuditOrder(out, concurrency, budget_tokens, budget_usd))


@app.command("compare")
def compare(
    audits: Annotated[list[Path], typer.Argument(help="Folders of audits, two or more.", show_default=False)],
    out: Annotated[Path | None, typer.Option(help="Also write compare.md and compare.html into this folder.")] = None,
) -> None:
    """Put audits side by side: data set by criterion, judge by criterion, with intervals.

    Example: mtr audit compare audits/handbook audits/mtrag --out comparison
    """
    from mtr.auditing.files import read_summary
    from mtr.errors import InputError
    from mtr.evaluation.report import comparison_html, comparison_markdown
    from mtr.storage import replace_text

    if len(audits) < 2:
        raise InputError("name two audits or more; each is a folder that `mtr audit` wrote")
    summaries = [read_summary(folder) for folder in audits]
    typer.echo(comparison_markdown(summaries))
    if out is not None:
        replace_text(out / "compare.md", comparison_markdown(summaries))
        replace_text(out / "compare.html", comparison_html(summaries))
        typer.echo(f"comparison {out}/compare.html", err=True)


@app.command("sample")
def sample_for_people(
    path: Annotated[Path, typer.Argument(help="The data set.", show_default=False)],
    for_people: Annotated[Path, typer.Option("--for-people", help="The CSV file to write.", show_default=False)],
    layout: Annotated[str, typer.Option("--format", help="Its layout; own ones need none.")] = "",
    sample: Annotated[int, typer.Option(help="At most so many turns, drawn by seed.", min=1)] = 50,
    seed: Annotated[int, typer.Option(help="The seed of the sample; an audit's own draws the same turns.")] = 7,
) -> None:
    """Write a sheet for people to mark. Filled in, it is what `mtr calibrate --labels` reads.

    Example: mtr audit sample datasets/handbook --for-people sheet.csv
    """
    from mtr.auditing.dockets import drawn_turns
    from mtr.auditing.people import items_of, scales_for
    from mtr.datasets.adapters import load_dataset
    from mtr.errors import InputError
    from mtr.evaluation.people import write_people_sheet

    if for_people.exists():
        raise InputError(f"{for_people} exists already; name another file, filled-in sheets are not written over")
    dataset = load_dataset(path, layout or None)
    items = items_of(dataset, drawn_turns(dataset, sample, seed))
    write_people_sheet(for_people, items, scales_for(items))
    typer.echo(f"sheet  {for_people}: {len(items)} of {len(dataset.turns)} turns; copy it for each person")
    typer.echo(f"then   mtr calibrate --labels {for_people} --judge ENDPOINT/MODEL --criteria query_evidence_alignment")
