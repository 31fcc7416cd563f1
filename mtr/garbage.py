"""Garbage collection while a batch runs: thousands of short-lived objects a second, hardly any of them in cycles."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

NEW_OBJECTS = 10_000


@contextmanager
def collected_seldom() -> Iterator[None]:
    """Inside the block the collector looks for cycles each time so many objects are new, instead of each 700.

    With a hundred conversations at once it would take a tenth of a run's CPU, most of it for objects long known to it.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(NEW_OBJECTS, before[0]), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
