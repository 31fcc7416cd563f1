from collections.abc import Callable

import numba
import pytest

from mtr.jit import compiled


def double(value: int) -> int:
    return 2 * value


def test_without_a_writable_cache_it_compiles_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    njit = numba.njit

    def nowhere_to_write(function: Callable[[int], int] | None = None, *, cache: bool = False) -> Callable[[int], int]:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return njit(function)

    monkeypatch.setattr(numba, "njit", nowhere_to_write)
    assert compiled(double)(21) == 42
