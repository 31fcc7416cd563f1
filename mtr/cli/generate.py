"""`mtr generate`: conversations over a corpus, as a data-set folder."""

from pathlib import Path
from typing import Annotated, Literal

import typer

MODEL_HELP = "Model of this role, ENDPOINT/MODEL; --model without it."


def generate(
    name: Annotated[str, typer.Argument(help="The corpus, see `mtr corpus list`.", show_default=False)],
    conversations: Annotated[int, typer.Option(help="How many, exactly.", min=1)] = 10,
    turns: Annotated[int, typer.Option(help="Turns of each, exactly.", min=1)] = 4,
    domain: Annotated[str, typer.Option(help="Prompt folder, see `mtr prompts list`.")] = "general",
    seed: Annotated[int, typer.Option(help="The same seed and replies give the same files.")] = 7,
    model: Annotated[str, typer.Option(help="ENDPOINT/MODEL for every role; mtr.toml's roles without it.")] = "",
    user_simulator_model: Annotated[str, typer.Option(help=MODEL_HELP)] = "",
    uniqueness_verifier_model: Annotated[str, typer.Option(help=MODEL_HELP)] = "",
    answerer_model: Annotated[str, typer.Option(help=MODEL_HELP)] = "",
    answer_verifier_model: Annotated[str, typer.Option(help=MODEL_HELP)] = "",
    topic_planner_model: Annotated[str, typer.Option(help=MODEL_HELP)] = "",
    contextualizer_model: Annotated[str, typer.Option(help=MODEL_HELP)] = "",
    switch_share: Annotated[
        float | None, typer.Option(help="Share of conversations with one hard topic switch.", show_default="0.5")
    ] = None,
    far_reference_share: Annotated[
        float | None, typer.Option(help="Share of turns that refer two or more turns back.", show_default="0.1")
    ] = None,
    uniqueness: Annotated[
        Literal["retry", "multi-gold"],
        typer.Option(help="Another passage answers too: retry with another fact, or take it as a further gold."),
    ] = "retry",
    concurrency: Annotated[
        int | None, typer.Option(help="Conversations at once; 1 for the embedded model, else 8.", min=1)
    ] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="The most tokens this run may newly use.", min=1)] = None,
    budget_usd: Annotated[
        float | None, typer.Option(help="The most US dollars this run may newly spend.", min=0)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print an estimate; call nothing.")] = False,
    human_cost_per_turn: Annotated[
        float | None, typer.Option(help="US dollars a human-made turn costs; the manifest gives the ratio.", min=0)
    ] = None,
    audit: Annotated[
        bool,
        typer.Option("--audit", help="Put each conversation before the judges at once; the audit is in OUT/audit."),
    ] = False,
    judge: Annotated[
        list[str] | None, typer.Option(help="A judge of --audit, ENDPOINT/MODEL, once for each; mtr.toml's without it.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The data-set folder; datasets/NAME-BATCH without it.")] = None,
    show: Annotated[bool, typer.Option("--print", help="Print each conversation as a readable transcript.")] = False,
) -> None:
    """Make conversations over a corpus. Stopped in any way, the same command goes on where it was.

    Example: mtr generate handbook --conversations 50 --turns 6 --model openai/gpt-4o-mini --budget-usd 5
    """
    from mtr.cli.dialogues import code_of_conversations
    from mtr.cli.generating import Order, print_estimate, run_job
    from mtr.corpus_job import bind_models
    from mtr.errors import InputError
    from mtr.generation.job import prepare
    from mtr.generation.options import FAR_REFERENCE_SHARE, ROLES, SWITCH_SHARE, GenerateOptions, share
    from mtr.settings import load_settings

    settings = load_settings()
    by_role = {
        "user_simulator": user_simulator_model,
        "uniqueness_verifier": uniqueness_verifier_model,
        "answerer": answerer_model,
        "answer_verifier": answer_verifier_model,
        "topic_planner": topic_planner_model,
        "contextualizer": contextualizer_model,
    }
    options = GenerateOptions.checked(
        corpus=name,
        conversations=conversations,
        turns=turns,
        domain=domain,
        seed=seed,
        models=bind_models(ROLES, settings, model, by_role),
        switch_share=share(switch_share, SWITCH_SHARE, turns),
        far_reference_share=share(far_reference_share, FAR_REFERENCE_SHARE, turns),
        uniqueness=uniqueness,
    )
    job = prepare(options, settings, code_of_conversations())
    if dry_run:
        print_estimate(options, settings)
        return
    if judge and not audit:
        raise InputError("--judge names a judge of --audit; add --audit, or leave it out")
    judges = tuple(dict.fromkeys(judge or [settings.model_for("judge")])) if audit else ()
    order = Order(out, concurrency, human_cost_per_turn, budget_tokens, budget_usd, show, judges)
    run_job(job, settings, order)
