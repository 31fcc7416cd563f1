import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mtr.errors import InputError
from mtr.retrieval import exact
from mtr.retrieval.exact import nearest

Vectors = NDArray[np.float32]


def oracle(
    queries: Vectors, passages: Vectors, k: int, exclude_self: bool = False
) -> tuple[list[list[int]], list[list[float]]]:
    """Sort every passage for every query in plain Python."""
    indices, scores = [], []
    for row, query in enumerate(queries.tolist()):
        pairs = [
            (-sum(a * b for a, b in zip(query, passage, strict=True)), at)
            for at, passage in enumerate(passages.tolist())
        ]
        best = sorted(pair for pair in pairs if not (exclude_self and pair[1] == row))[:k]
        indices.append([at for _, at in best] + [-1] * (k - len(best)))
        scores.append([-score for score, _ in best] + [-np.inf] * (k - len(best)))
    return indices, scores


def small_whole_numbers(rows: int, dimensions: int, seed: int, top: int = 2) -> Vectors:
    """Products of small whole numbers are exact in float32, and many of them tie."""
    return np.random.default_rng(seed).integers(-top, top + 1, (rows, dimensions)).astype(np.float32)


@pytest.fixture(params=[5, 16, 2048])
def _blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "BLOCK", request.param)


@pytest.mark.usefixtures("_blocks")
@pytest.mark.parametrize("exclude_self", [False, True])
@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_it_equals_the_oracle_ties_included(seed: int, same: bool, exclude_self: bool) -> None:
    rows, dimensions, k = 1 + seed * 9, 1 + seed % 4, 1 + seed % 9
    passages = small_whole_numbers(rows, dimensions, seed)
    queries = passages if same else small_whole_numbers(7, dimensions, seed + 100)
    indices, scores = nearest(queries, passages, k, exclude_self=exclude_self)
    assert (indices.tolist(), scores.tolist()) == oracle(queries, passages, k, exclude_self)
    assert (indices.dtype, scores.dtype) == (np.int32, np.float32)


@given(st.integers(0, 90), st.integers(0, 95), st.integers(0, 1000), st.booleans())
@settings(max_examples=40, deadline=None)
def test_any_k_among_one_set_equals_the_oracle(n: int, k: int, seed: int, exclude_self: bool) -> None:
    passages = small_whole_numbers(n, 2, seed)
    indices, scores = nearest(passages, passages, k, exclude_self=exclude_self)
    assert (indices.tolist(), scores.tolist()) == oracle(passages, passages, k, exclude_self)


@given(st.integers(0, 12), st.integers(0, 90), st.integers(0, 95), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_any_shape_equals_the_oracle(m: int, n: int, k: int, seed: int) -> None:
    queries, passages = small_whole_numbers(m, 2, seed), small_whole_numbers(n, 2, seed + 1)
    indices, scores = nearest(queries, passages, k)
    assert indices.shape == scores.shape == (m, k)
    assert (indices.tolist(), scores.tolist()) == oracle(queries, passages, k)


def test_all_equal_scores_come_in_row_order() -> None:
    indices, _ = nearest(np.ones((2, 3), np.float32), np.ones((10_000, 3), np.float32), 4)
    assert indices.tolist() == [[0, 1, 2, 3]] * 2


def test_more_asked_than_there_are_is_filled_with_minus_one() -> None:
    passages = np.eye(2, dtype=np.float32)
    indices, scores = nearest(passages, passages, 4, exclude_self=True)
    assert indices.tolist() == [[1, -1, -1, -1], [0, -1, -1, -1]]
    assert np.isneginf(scores[:, 1:]).all()


def test_real_vectors_equal_a_full_sort_and_repeat() -> None:
    vectors = np.random.default_rng(5).normal(size=(600, 48)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    indices, scores = nearest(vectors, vectors, 20, exclude_self=True)
    full = vectors.astype(np.float64) @ vectors.T.astype(np.float64)
    np.fill_diagonal(full, -np.inf)
    assert indices.tolist() == np.argsort(-full, axis=1, kind="stable")[:, :20].tolist()
    assert np.allclose(scores, -np.sort(-full, axis=1)[:, :20], atol=1e-6)
    again, _ = nearest(vectors, vectors, 20, exclude_self=True)
    assert again.tolist() == indices.tolist()


@pytest.mark.parametrize("same", [False, True])
def test_memory_stays_far_below_a_matrix_of_all_pairs(same: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "BLOCK", 512)
    vectors = np.random.default_rng(6).normal(size=(6000, 16)).astype(np.float32)
    nearest(vectors[:10], vectors[:10], 5)
    tracemalloc.start()
    nearest(vectors if same else vectors.copy(), vectors, 10, exclude_self=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6000 * 6000 * 4 / 10


def test_inputs_are_left_as_they_were() -> None:
    vectors = small_whole_numbers(20, 3, 1)
    copy = vectors.copy()
    nearest(vectors, vectors, 3)
    assert np.array_equal(vectors, copy)


def test_nonsense_is_named() -> None:
    good = np.ones((2, 3), np.float32)
    with pytest.raises(InputError, match="3 dimensions and passages 2"):
        nearest(good, np.ones((2, 2), np.float32), 1)
    with pytest.raises(InputError, match="k is -1"):
        nearest(good, good, -1)
    for value in (np.nan, np.inf, -np.inf):
        bad = good.copy()
        bad[1, 2] = value
        with pytest.raises(InputError, match="passages: row 1 holds NaN"):
            nearest(good, bad, 1)
    with pytest.raises(InputError, match="queries must have the shape"):
        nearest(np.ones(3, np.float32), good, 1)
