"""Garbage collection during a batch: seldom inside, as before outside."""

import gc

import pytest

from mtr.garbage import NEW_OBJECTS, collected_seldom


def test_the_threshold_is_raised_inside_and_put_back() -> None:
    before = gc.get_threshold()
    with collected_seldom():
        assert gc.get_threshold() == (max(NEW_OBJECTS, before[0]), *before[1:])
    assert gc.get_threshold() == before


def test_a_higher_threshold_of_the_callers_stays_and_an_error_puts_it_back() -> None:
    before = gc.get_threshold()
    gc.set_threshold(2 * NEW_OBJECTS, 7, 7)
    try:
        with pytest.raises(ValueError, match="stop"), collected_seldom():
            assert gc.get_threshold() == (2 * NEW_OBJECTS, 7, 7)
            raise ValueError("stop")
        assert gc.get_threshold() == (2 * NEW_OBJECTS, 7, 7)
    finally:
        gc.set_threshold(*before)
