"""The command line: every command parses, makes one library call, and prints."""

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from mtr.cli import audit, bench, corpus, datasets, models, prompts
from mtr.cli.calibrate import calibrate
from mtr.cli.doctor import doctor
from mtr.cli.generate import generate
from mtr.cli.questions import questions
from mtr.cli.rag import rag
from mtr.cli.score import score
from mtr.cli.trace import trace
from mtr.errors import BudgetError, MtrError, ShortfallError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Builds, audits and benchmarks conversational retrieval test sets.",
)
app.add_typer(corpus.app, name="corpus")
app.add_typer(datasets.app, name="datasets")
app.command()(generate)
app.command()(questions)
app.command()(trace)
app.command()(calibrate)
app.add_typer(audit.app, name="audit")
app.add_typer(bench.app, name="bench")
app.command()(rag)
app.command()(score)
app.add_typer(prompts.app, name="prompts")
app.add_typer(models.app, name="models")
app.command()(doctor)


def main() -> None:
    """The program `mtr`. What a user can mend prints as one line: exit 2; a shortfall or a spent budget: exit 1."""
    try:
        app()
    except MtrError as error:
        _stop([error])
    except ExceptionGroup as group:
        ours, others = group.split(MtrError)
        if ours is None or others is not None:
            raise
        _stop(list(_leaves(ours)))


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    if version:
        from importlib.metadata import version as version_of

        typer.echo(version_of("mtr"))
        raise typer.Exit


def _stop(errors: list[MtrError]) -> None:
    for error in dict.fromkeys(str(error) for error in errors):
        typer.echo(f"error: {error}", err=True)
    sys.exit(1 if all(isinstance(error, BudgetError | ShortfallError) for error in errors) else 2)


def _leaves(group: ExceptionGroup[MtrError]) -> Iterator[MtrError]:
    """The errors that tasks running side by side raised, without the groups they came in."""
    for error in group.exceptions:
        if isinstance(error, ExceptionGroup):
            yield from _leaves(error)
        else:
            yield error
