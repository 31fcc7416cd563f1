"""`mtr doctor`: what is wrong on this machine, and the command that mends it."""

import typer

COLOURS = {"ok": typer.colors.GREEN, "warn": typer.colors.YELLOW, "wrong": typer.colors.RED}


def doctor() -> None:
    """Look at Python, packages, models, endpoints, Chroma and disk; exit 1 when something is wrong.

    Example: mtr doctor
    """
    from mtr.doctor import examine

    levels = []
    for finding in examine():
        levels.append(finding.level)
        level = typer.style(f"{finding.level:6}", fg=COLOURS[finding.level])
        typer.echo(f"{level}{finding.subject}: {finding.detail}")
        if finding.mend:
            typer.echo(f"      → {finding.mend}")
    wrong, warnings = levels.count("wrong"), levels.count("warn")
    typer.echo(f"{len(levels)} looked at, {wrong} wrong, {warnings} to know about", err=True)
    if wrong:
        raise typer.Exit(1)
