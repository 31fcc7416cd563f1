"""Printing rows on stdout: a drawn table for people at a terminal, tab-separated lines for everything else."""

import sys
from collections.abc import Iterable, Sequence


def print_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print the rows under a title; a cell is text or a number, None is an empty cell."""
    cells = [[_cell(value) for value in row] for row in rows]
    if sys.stdout.isatty():
        _draw(title, headings, cells)
        return
    sys.stdout.write("\n".join([f"# {title}", "\t".join(headings), *("\t".join(row) for row in cells), "\n"]))


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}" if sys.stdout.isatty() else str(value)
    return " ".join(str(value).split())


def _draw(title: str, headings: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold")
    for place, heading in enumerate(headings):
        numeric = all(row[place].replace(",", "").replace(".", "").isdigit() for row in cells)
        table.add_column(heading, justify="right" if cells and numeric else "left", overflow="fold")
    for row in cells:
        table.add_row(*(cell.replace("[", r"\[") for cell in row))
    Console().print(table)
