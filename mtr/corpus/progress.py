"""Telling on stderr how far a long job is: a line a step, with counts, rate and time left."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_REFRESH_SECONDS = 0.2
_PLAIN_REFRESH_SECONDS = 15.0


class Step:
    """One step of a job; `result` is what its line says at the end."""

    def __init__(self, label: str, total: int | None, stream: TextIO | None) -> None:
        """`total` is in the units of `advance`; without a stream nothing is printed."""
        self.label, self.total, self.done, self.result = label, total, 0, ""
        self._stream = stream
        self._begun = self._shown = time.monotonic()
        self._live = stream is not None and stream.isatty()

    def advance(self, count: int = 1) -> None:
        """Count units as done, and show them now and then."""
        self.done += count
        now = time.monotonic()
        if now - self._shown >= (_REFRESH_SECONDS if self._live else _PLAIN_REFRESH_SECONDS):
            self._shown = now
            self._print(self._standing(now - self._begun), last=not self._live)

    def finish(self) -> None:
        """Print the step's last line."""
        self._print(f"{self.result or 'done'} ({time.monotonic() - self._begun:.1f} s)", last=True)

    def _standing(self, seconds: float) -> str:
        rate = self.done / seconds if seconds else 0.0
        if self.total is None or not rate:
            return f"{self.done:,}, {rate:,.1f}/s"
        left = (self.total - self.done) / rate
        return f"{self.done:,} of {self.total:,}, {rate:,.1f}/s, {left:,.0f} s left"

    def _print(self, text: str, *, last: bool) -> None:
        if self._stream is None:
            return
        start, end = ("\r\x1b[K" if self._live else ""), ("\n" if last else "")
        self._stream.write(f"{start}{self.label}: {text}{end}")
        self._stream.flush()


class Progress:
    """Hands out steps that print to one stream."""

    def __init__(self, stream: TextIO | None) -> None:
        """None prints nothing."""
        self._stream = stream

    @contextmanager
    def step(self, label: str, total: int | None = None) -> Iterator[Step]:
        """A step of the job; its last line is printed only when the step succeeds."""
        step = Step(label, total, self._stream)
        yield step
        step.finish()


def silent() -> Progress:
    """For callers that show nothing."""
    return Progress(None)


def on_stderr() -> Progress:
    """For commands."""
    return Progress(sys.stderr)
