"""`mtr calibrate`: judges against the marks of people."""

from pathlib import Path
from typing import Annotated

import typer

CRITERIA = ("answer_faithfulness", "answer_supported")


def calibrate(
    labels: Annotated[
        str, typer.Option(help="mtrag, faithdial, or a file of human marks: theirs, a filled-in sheet, JSON lines.")
    ],
    layout: Annotated[str, typer.Option("--format", help="mtrag, faithdial or own; recognised without it.")] = "",
    judge: Annotated[list[str] | None, typer.Option(help="ENDPOINT/MODEL, once for each judge.")] = None,
    criteria: Annotated[
        list[str] | None, typer.Option(help="Criterion, once for each; faithfulness in both forms without.")
    ] = None,
    marks: Annotated[str, typer.Option(help="The file's own criterion to compare with; by name without it.")] = "",
    sample: Annotated[int, typer.Option(help="At most so many items, drawn by seed.", min=1)] = 300,
    seed: Annotated[int, typer.Option(help="Enters the sample, folds and resamples.")] = 7,
    domain: Annotated[str, typer.Option(help="Prompt folder, see `mtr prompts list`.")] = "general",
    concurrency: Annotated[int | None, typer.Option(help="Items at once; 1 for the embedded model, else 8.")] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="The most tokens this run may newly use.", min=1)] = None,
    budget_usd: Annotated[float | None, typer.Option(help="The most US dollars it may newly spend.", min=0)] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print an estimate; call nothing.")] = False,
    store: Annotated[bool, typer.Option(help="Keep the cuts of P(yes) for later audits.")] = True,
    out: Annotated[Path | None, typer.Option(help="Write every figure as JSON lines to this file.")] = None,
) -> None:
    """Hold judges against people's marks: correlation, AUC, the best cut of P(yes), and how well people agree.

    Example: mtr calibrate --labels mtrag --judge openai/gpt-4o-mini
    """
    from mtr.auditing.calibrating import as_dataset, marks_of
    from mtr.auditing.job import prepare
    from mtr.auditing.options import AuditOptions
    from mtr.cli.auditing import AuditOrder, print_estimate
    from mtr.cli.calibrating import Comparison, run_calibration
    from mtr.cli.judgements import code_of_judgements
    from mtr.evaluation.human_marks import find_labels, load_marks
    from mtr.settings import load_settings

    settings = load_settings()
    path, named = find_labels(labels)
    answers = load_marks(path, layout or named)
    names = tuple(dict.fromkeys(criteria or CRITERIA))
    compared = {name: marks or marks_of(name, answers) for name in names}
    options = AuditOptions.checked(
        domain=domain,
        judges=tuple(dict.fromkeys(judge or [settings.model_for("judge")])),
        criteria=names,
        sample=sample,
        seed=seed,
    )
    job = prepare(options, as_dataset(answers, path.name), settings, code_of_judgements())
    if dry_run:
        print_estimate(job, settings)
        return
    drawn = tuple(answer for answer in answers if answer.item_id in job.turns)
    order = AuditOrder(out, concurrency, budget_tokens, budget_usd)
    run_calibration(Comparison(job, drawn, compared, store), settings, order)
