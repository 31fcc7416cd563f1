"""What a dry run prints: a table of calls, tokens and money, and their sum."""

from collections.abc import Sequence
from typing import Protocol

import typer

from mtr.cli.tables import print_table

_HEADINGS = ("calls", "prompt tokens", "completion tokens", "usd")


class Estimated(Protocol):
    """A line of an estimate; `usd` is None where the model has no price."""

    @property
    def calls(self) -> float:
        """Calls."""

    @property
    def prompt_tokens(self) -> float:
        """Tokens read."""

    @property
    def completion_tokens(self) -> float:
        """Tokens written."""

    @property
    def usd(self) -> float | None:
        """US dollars."""


def print_estimates(title: str, names: Sequence[str], lines: Sequence[tuple[Sequence[str], Estimated]]) -> None:
    """The lines, each after its own names under the headings `names`, then the sum."""
    rows = [
        (*own, round(one.calls), round(one.prompt_tokens), round(one.completion_tokens), _usd(one.usd))
        for own, one in lines
    ]
    print_table(f"{title}; nothing was called", (*names, *_HEADINGS), rows)
    tokens = round(sum(one.prompt_tokens + one.completion_tokens for _, one in lines))
    prices = [one.usd for _, one in lines if one.usd is not None]
    known = f"${sum(prices):.4f}" if len(prices) == len(lines) else "not known: give prices in mtr.toml"
    typer.echo(f"calls {round(sum(one.calls for _, one in lines)):,}, tokens {tokens:,}, cost {known}")


def _usd(usd: float | None) -> str | None:
    return None if usd is None else f"{usd:.4f}"
