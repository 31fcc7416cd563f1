"""`mtr prompts`: see, make, check and compare domains."""

from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="Domains: folders of prompts that say what each role is told.")

Domain = Annotated[str, typer.Argument(help="name of a domain, as `mtr prompts list` shows it")]


@app.command("list")
def list_domains() -> None:
    """The domains, and the roles of each with the sha256 of its prompt. Example: mtr prompts list"""
    from mtr.prompts import domains
    from mtr.prompts.listing import describe_domain

    for domain in domains():
        typer.echo(describe_domain(domain))


@app.command()
def show(domain: Domain, role: Annotated[str, typer.Argument(help="a role, such as answerer")]) -> None:
    """The messages of a role as they are sent, prefix included. Example: mtr prompts show general answerer"""
    from mtr.prompts.listing import describe_role, marked

    mark = typer.style("{{\\1}}", fg="yellow", bold=True)
    typer.echo(marked(describe_role(domain, role), mark))


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="name of the new domain: small letters, digits, _ and -")],
    source: Annotated[str, typer.Option("--from", help="the domain to copy")] = "general",
) -> None:
    """Copy a domain into ./prompts, to be edited there. Example: mtr prompts new medicine --from general"""
    from mtr.prompts.making import new_domain

    typer.echo(new_domain(name, source))
    typer.echo(f"edit its files, then: mtr prompts check {name}", err=True)


@app.command()
def check(domain: Annotated[str | None, typer.Argument(help="a domain; all of them without it")] = None) -> None:
    """Report every fault at once, with file and line; exit 1 when there is one. Example: mtr prompts check medicine"""
    from mtr.prompts import domains
    from mtr.prompts.checking import check_domain

    faults = {name: check_domain(name) for name in ([domain] if domain else domains())}
    for fault in (fault for found in faults.values() for fault in found):
        typer.echo(fault)
    for name, found in faults.items():
        typer.echo(f"{name}: {len(found) or 'no'} {'fault' if len(found) < 2 else 'faults'}", err=True)
    if any(faults.values()):
        raise typer.Exit(1)


@app.command()
def diff(
    domain: Domain,
    other: Annotated[
        str | None, typer.Argument(help="compared with; the shipped version or general without it")
    ] = None,
) -> None:
    """What a domain changed, as a unified diff. Example: mtr prompts diff medicine"""
    from mtr.prompts.making import diff_domain

    typer.echo(diff_domain(domain, other), nl=False)
