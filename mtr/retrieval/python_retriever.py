"""A retriever of the user's own: a Python object with `index` and `retrieve`, blocking or async."""

import asyncio
import inspect
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from mtr.errors import InputError
from mtr.relevance import Run
from mtr.retrieval.answered import run_of
from mtr.retrieval.searchable import Searchable


class PythonRetriever:
    """Hands passages and queries on, and checks what comes back."""

    def __init__(self, name: str, inner: Any) -> None:
        """`inner` has `index(passages)` and `retrieve(queries, k)`, as in `mtr.retrieval.protocols.Retriever`."""
        self.name, self._inner = name, inner

    async def index(self, passages: Sequence[Searchable]) -> None:
        """Hand the passages on."""
        await _called(self._inner.index, passages)

    async def retrieve(self, queries: Mapping[str, str], k: int) -> Run:
        """What the object answers: a `Run`, or rankings by query id."""
        return run_of(self.name, queries, k, await _called(self._inner.retrieve, queries, k))


def load_object(place: str) -> Any:
    """The object at `module:name`, modules of the current folder included; a class or function is called.

    InputError: there is no such module or name, or what it gives is no retriever.
    """
    found = named_object(place)
    made = found() if callable(found) else found
    if lacking := [one for one in ("index", "retrieve") if not callable(getattr(made, one, None))]:
        raise InputError(f"python:{place}: {type(made).__name__} has no method {lacking[0]}; a retriever has both")
    return made


def named_object(place: str) -> Any:
    """What `module:name` names, modules of the current folder included; InputError when there is no such thing."""
    module, colon, name = place.partition(":")
    if not colon or not all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
        raise InputError(f"python:{place}: write python:module:name, such as python:my_search:Retriever")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise InputError(f"python:{place}: {error}; the module is looked for in the current folder too") from error
    return found


async def _called(method: Callable[..., Any], *values: object) -> object:
    """The method's result; one that blocks runs in a thread."""
    if inspect.iscoroutinefunction(method):
        return await method(*values)
    result = await asyncio.to_thread(method, *values)
    return await result if isinstance(result, Awaitable) else result
