"""`mtr trace`: what happened in a conversation, step by step, from what is stored."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mtr.llm.ledger import LedgerEntry


def trace(
    dataset: Annotated[Path, typer.Argument(help="A data-set folder that `mtr generate` made.", show_default=False)],
    conversation: Annotated[str, typer.Argument(help="A conversation's id, such as demo-0001.", show_default=False)],
    turn: Annotated[int | None, typer.Option(help="This turn only.", min=1)] = None,
    full: Annotated[bool, typer.Option("--full", help="Prompts in full, the shared beginning too.")] = False,
) -> None:
    """Print node, prompt, raw reply, how it was read, verdict, tries, tokens and time. Needs no network.

    Example: mtr trace datasets/demo-1a2b3c4d demo-0001 --turn 2
    """
    from mtr.datasets.own_reading import check_whole, read_traces
    from mtr.errors import InputError
    from mtr.tracing import trace_text

    check_whole(dataset)
    steps = read_traces(dataset, conversation)
    if turn is not None:
        turns = sorted({step.turn for step in steps})
        steps = tuple(step for step in steps if step.turn == turn)
        if not steps:
            raise InputError(f"{conversation} has no turn {turn}; it has {turns[0]} to {turns[-1]}")
    entries = _entries(key for step in steps for key in step.calls)
    typer.echo(trace_text(steps, entries, full=full), nl=False)


def _entries(keys: "Iterable[str]") -> "dict[str, LedgerEntry]":
    """What the ledger has of these calls; nothing where there is no ledger."""
    from mtr.errors import InputError
    from mtr.llm.ledger import Ledger
    from mtr.storage import home

    path = home() / "ledger.sqlite"
    if not path.is_file():
        typer.echo(f"no ledger at {path}: prompts and replies cannot be shown", err=True)
        return {}
    ledger = Ledger(path)
    found: dict[str, LedgerEntry] = {}
    for key in keys:
        try:
            found[key] = ledger.entry(key)
        except InputError:
            continue
    ledger.close()
    return found
