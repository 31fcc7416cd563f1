"""Compiled loops: one way to hand a function to numba, also where its cache cannot be written."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """`function` as machine code, kept on disk between processes.

    Numba keeps it beside the source, else in the user's cache folder (`NUMBA_CACHE_DIR` names another). Where neither
    can be written the function is compiled afresh in each process, which costs about a second.
    Importing this module imports numba, so import modules that use it inside the function that needs them.
    """
    try:
        return cast(F, numba.njit(cache=True)(function))
    except RuntimeError:
        return cast(F, numba.njit(function))
