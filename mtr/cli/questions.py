"""`mtr questions`: single-turn queries of graded difficulty over a corpus, as a data-set folder."""

from pathlib import Path
from typing import Annotated

import typer

MODEL_HELP = "Model of this role, ENDPOINT/MODEL; --model without it."
SHARE_HELP = "Share of {} questions; the three shares are taken of their sum."


def questions(
    name: Annotated[str, typer.Argument(help="The corpus, see `mtr corpus list`.", show_default=False)],
    count: Annotated[int, typer.Option(help="How many, exactly.", min=1)] = 100,
    easy: Annotated[float, typer.Option(help=SHARE_HELP.format("easy"), min=0)] = 40,
    medium: Annotated[float, typer.Option(help=SHARE_HELP.format("medium"), min=0)] = 35,
    hard: Annotated[float, typer.Option(help=SHARE_HELP.format("hard"), min=0)] = 25,
    unanswerable: Annotated[int, typer.Option(help="So many more, which no passage of the corpus answers.", min=0)] = 0,
    domain: Annotated[str, typer.Option(help="Prompt folder, see `mtr prompts list`.")] = "general",
    seed: Annotated[int, typer.Option(help="The same seed and replies give the same files.")] = 7,
    model: Annotated[str, typer.Option(help="ENDPOINT/MODEL for every role; mtr.toml's roles without it.")] = "",
    user_simulator_model: Annotated[str, typer.Option(help=MODEL_HELP)] = "",
    query_writer_model: Annotated[str, typer.Option(help=MODEL_HELP)] = "",
    uniqueness_verifier_model: Annotated[str, typer.Option(help=MODEL_HELP)] = "",
    need_verifier_model: Annotated[str, typer.Option(help=MODEL_HELP)] = "",
    answerer_model: Annotated[str, typer.Option(help=MODEL_HELP)] = "",
    answer_writer_model: Annotated[str, typer.Option(help=MODEL_HELP)] = "",
    evidence_verifier_model: Annotated[str, typer.Option(help=MODEL_HELP)] = "",
    contextualizer_model: Annotated[str, typer.Option(help=MODEL_HELP)] = "",
    concurrency: Annotated[
        int | None, typer.Option(help="Questions at once; 1 for the embedded model, else 8.", min=1)
    ] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="The most tokens this run may newly use.", min=1)] = None,
    budget_usd: Annotated[
        float | None, typer.Option(help="The most US dollars this run may newly spend.", min=0)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print an estimate; call nothing.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="The data-set folder; datasets/NAME-questions-BATCH without it.")
    ] = None,
) -> None:
    """Make a question set over a corpus. Stopped in any way, the same command goes on where it was.

    Example: mtr questions handbook --count 200 --hard 50 --unanswerable 20 --model openai/gpt-4o-mini --budget-usd 5
    """
    from mtr.cli.asking import Order, code_of_questions, print_estimate, run_job
    from mtr.corpus_job import bind_models
    from mtr.questions.job import prepare
    from mtr.questions.options import ROLES, QuestionOptions
    from mtr.settings import load_settings

    settings = load_settings()
    by_role = {
        "user_simulator": user_simulator_model,
        "query_writer": query_writer_model,
        "uniqueness_verifier": uniqueness_verifier_model,
        "need_verifier": need_verifier_model,
        "answerer": answerer_model,
        "answer_writer": answer_writer_model,
        "evidence_verifier": evidence_verifier_model,
        "contextualizer": contextualizer_model,
    }
    options = QuestionOptions.checked(
        corpus=name,
        count=count,
        easy=easy,
        medium=medium,
        hard=hard,
        unanswerable=unanswerable,
        domain=domain,
        seed=seed,
        models=bind_models(ROLES, settings, model, by_role),
    )
    job = prepare(options, settings, code_of_questions())
    if dry_run:
        print_estimate(options, settings)
        return
    run_job(job, settings, Order(out, concurrency, budget_tokens, budget_usd))
