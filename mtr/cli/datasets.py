"""`mtr datasets`: which layouts are read, what is in a data set, what is wrong with it, and writing it anew."""

import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mtr.cli.tables import print_table

if TYPE_CHECKING:
    from mtr.datasets.lint import Finding

_WARNINGS, _ERRORS = 1, 3

app = typer.Typer(no_args_is_help=True, help="Data sets of any layout: list, show, lint, convert.")

DataSet = Annotated[Path, typer.Argument(help="The file or folder of a data set.", show_default=False)]
Layout = Annotated[
    str | None, typer.Option("--format", help="Its layout, as `mtr datasets list` names it; recognised where plain.")
]


@app.command("list")
def list_layouts() -> None:
    """List the layouts that can be read, and what sets of each give: for every turn (yes), for some, or never (no).

    Example: mtr datasets list
    """
    from mtr.datasets.adapters import ADAPTERS
    from mtr.datasets.giving import GIVES

    rows = [(one.name, one.description, *GIVES[one.name]) for one in ADAPTERS.values()]
    headings = ("layout", "what it is", "answers", "standalone queries", "gold", "passages")
    print_table("layouts", headings, rows)


@app.command()
def show(
    path: DataSet,
    layout: Layout = None,
    seed: Annotated[int, typer.Option(help="Which three turns are drawn.")] = 0,
) -> None:
    """Show what is in a data set: counts, what it lacks, and three turns with their history and gold.

    Example: mtr datasets show downloads/mtrag --format mtrag
    """
    from mtr.datasets.adapters import load_dataset
    from mtr.datasets.counting import count, count_rows
    from mtr.datasets.showing import sample_turns, turn_text
    from mtr.transcript import printable

    dataset = load_dataset(path, layout)
    counts = count(dataset)
    about = (("layout", dataset.layout), ("licence", dataset.licence or "not stated"), ("language", dataset.language))
    print_table(f"data set {printable(dataset.name)}", ("what", "value"), [*about, *count_rows(counts)])
    print_table("gold", ("gold passages of a turn", "turns"), counts.gold_per_turn.items())
    if dataset.notes:
        print_table("notes", ("what it lacks, or what could not be matched",), [(printable(n),) for n in dataset.notes])
    for turn in sample_turns(dataset, seed=seed):
        typer.echo(turn_text(dataset, turn))


@app.command()
def lint(
    path: DataSet,
    layout: Layout = None,
    first: Annotated[int, typer.Option(help="Findings shown of each rule.", min=1)] = 10,
    show_all: Annotated[bool, typer.Option("--all", help="Show every finding.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Every finding as a JSON line; counts to stderr.")] = False,
) -> None:
    """Look for faults in a data set: ids, gold, texts, answers, turns, languages. No model is asked; nothing changes.

    Exit code: 0 when nothing but notes was found, 1 for warnings, 3 for errors in the set (2: it could not be read).

    Example: mtr datasets lint downloads/scifact --all
    """
    from mtr.datasets.lint import lint as find

    counts: Counter[str] = Counter()
    for finding in find(path, layout):
        counts[finding.rule] += 1
        if as_json:
            typer.echo(finding.model_dump_json())
        elif show_all or counts[finding.rule] <= first:
            typer.echo(_line(finding))
        elif counts[finding.rule] == first + 1:
            typer.echo(f"{finding.severity}: {finding.rule}: more of these are counted below; --all shows them")
    raise typer.Exit(_sum_up(counts, as_json))


def _line(finding: "Finding") -> str:
    from mtr.transcript import printable

    return " ".join(printable(f"{finding.place()}: {finding.severity}: {finding.rule}: {_said(finding)}").split("\n"))


def _said(finding: "Finding") -> str:
    """The message, and the id unless the message names it."""
    named = not finding.id or repr(finding.id) in finding.message
    return finding.message if named else f"{finding.id!r}: {finding.message}"


def _sum_up(counts: Counter[str], as_json: bool) -> int:
    """Print how many findings each rule has; the exit code."""
    from mtr.datasets.lint import RULES

    found = [(rule.severity, rule.name, counts[rule.name], rule.about) for rule in RULES.values() if counts[rule.name]]
    severities = {severity for severity, *_ in found}
    if as_json:
        for severity, name, number, _ in found:
            typer.echo(f"{severity}\t{name}\t{number}", err=True)
    else:
        print_table("findings", ("severity", "rule", "findings", "what it finds"), found)
    return _ERRORS if "error" in severities else _WARNINGS if "warning" in severities else 0


@app.command()
def convert(
    path: DataSet,
    out: Annotated[Path, typer.Option(help="The folder to write; new, empty, or of an earlier conversion.")],
    layout: Layout = None,
    to: Annotated[
        Literal["own", "mtrag"], typer.Option(help="A BEIR folder with every turn whole, or mtRAG's retrieval tasks.")
    ] = "own",
) -> None:
    """Write a data set of any layout as a folder that MTR and other tools read, with a data card.

    Example: mtr datasets convert downloads/quac.json --format quac --out datasets/quac
    """
    from mtr.datasets.adapters import load_dataset
    from mtr.datasets.converting import convert as write

    words = [*_words(path, layout), "--out", str(out), "--to", to]
    note = write(load_dataset(path, layout), out, to=to, command=shlex.join(words))
    typer.echo(f"{out}: {len(note.files)} files; read {out / 'README.md'}")


def _words(path: Path, layout: str | None) -> Iterator[str]:
    yield from ("mtr", "datasets", "convert", str(path))
    if layout is not None:
        yield from ("--format", layout)
