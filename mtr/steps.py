"""How far a long piece of work is: told where the work is done, heard where a user waits for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Hear = Callable[[int], None]

_hearer: ContextVar[Hear | None] = ContextVar("hearer of steps", default=None)


def count_done(count: int = 1) -> None:
    """So many more passages, queries or texts are done; nothing happens where nobody listens."""
    hear = _hearer.get()
    if hear is not None and count:
        hear(count)


@contextmanager
def heard_steps(hear: Hear) -> Iterator[None]:
    """Hand on the steps of the body, and of the tasks and threads that it starts."""
    token = _hearer.set(hear)
    try:
        yield
    finally:
        _hearer.reset(token)
