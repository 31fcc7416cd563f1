import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtr.corpus import shingles as module
from mtr.corpus.shingles import band_keys, band_rows, folded, jaccard, shingles


def test_folding_and_shingles() -> None:
    assert folded("  The\n\tStraße ") == "the strasse"
    assert shingles("abcdef") == {"abcde", "bcdef"}
    assert shingles("abc") == {"abc"}
    assert shingles("") == {""}
    assert jaccard(shingles("abcdef"), shingles("abcdeg")) == pytest.approx(1 / 3)


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.5, 0.7, 0.9, 1.0])
def test_bands_find_a_pair_just_at_the_threshold(threshold: float) -> None:
    rows = band_rows(threshold)
    bands = module.PERMUTATIONS // rows
    assert 1 - (1 - threshold**rows) ** bands >= 0.985
    assert band_rows(0.7) == 5


@given(st.lists(st.text(max_size=9), min_size=1, max_size=8))
def test_keys_depend_on_the_text_alone(texts: list[str]) -> None:
    together = band_keys(texts, 5).tolist()
    assert together == [band_keys([text], 5)[0].tolist() for text in texts]


def test_keys_are_the_same_whatever_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"a passage of some length, number {at}" for at in range(20)]
    whole = band_keys(texts, 5).tolist()
    monkeypatch.setattr(module, "_BLOCK_CHARACTERS", 50)
    assert band_keys(texts, 5).tolist() == whole
    assert band_keys([], 5).shape == (0, 25)


def test_repeats_and_order_of_shingles_do_not_matter() -> None:
    assert band_keys(["abcabcabcabc"], 5).tolist() == band_keys(["abcabcabcabcabcabc"], 5).tolist()
