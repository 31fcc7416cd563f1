import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.clustering_oracle import oracle_clusters

from mtr.corpus.clustering import greedy_clusters
from mtr.errors import InputError


def table(rows: list[list[int]]) -> NDArray[np.int32]:
    return np.array(rows, dtype=np.int32)


def random_table(source: random.Random) -> NDArray[np.int32]:
    """Small graphs of every kind: hubs, gaps, passages in their own list, neighbours within islands only."""
    n, k = source.randint(1, 40), source.randint(1, 8)
    island = source.choice([n, n, max(1, n // 3), 5])
    gaps = source.choice([0, 0.1, 0.6])
    hub = source.choice([0, 0.3])
    rows = []
    for passage in range(n):
        start = passage - passage % island
        choices = range(start, min(n, start + island))
        row = [start if source.random() < hub else source.choice(choices) for _ in range(k)]
        rows.append([-1 if source.random() < gaps else neighbour for neighbour in row])
    return table(rows)


def test_a_thousand_random_graphs_equal_the_oracle() -> None:
    source = random.Random(20)
    for _ in range(1000):
        neighbours, size = random_table(source), source.randint(1, 9)
        assert greedy_clusters(neighbours, size) == oracle_clusters(neighbours.tolist(), size)


@st.composite
def tables(draw: st.DrawFn) -> NDArray[np.int32]:
    n, k = draw(st.integers(1, 25)), draw(st.integers(0, 6))
    row = st.lists(st.integers(-1, n - 1), min_size=k, max_size=k)
    return np.array(draw(st.lists(row, min_size=n, max_size=n)), dtype=np.int32).reshape(n, k)


@given(tables(), st.integers(1, 10))
@settings(max_examples=150, deadline=None)
def test_every_passage_is_in_exactly_one_cluster(neighbours: NDArray[np.int32], size: int) -> None:
    clusters = greedy_clusters(neighbours, size)
    assert sorted(passage for members in clusters for passage in members) == list(range(len(neighbours)))
    assert all(clusters)
    assert clusters == oracle_clusters(neighbours.tolist(), size)


def test_the_walk_steps_to_the_first_unvisited_neighbour_and_starts_anew_at_the_smallest() -> None:
    assert greedy_clusters(table([[2, 1], [0, 3], [0, 3], [2, 1]]), 2) == [[0, 2], [1, 3]]


def test_a_member_of_a_short_cluster_is_put_just_before_its_neighbour() -> None:
    rows = [[1, 2], [2, 0], [3, 1], [2, 1], [2, 3]]
    assert greedy_clusters(table(rows), 4) == [[0, 1, 4, 2, 3]]


def test_a_mate_that_moved_is_a_neighbour_elsewhere_and_a_cluster_that_grew_is_not_dissolved() -> None:
    rows = [[1, 2], [0, -1], [3, -1], [2, -1], [5, 2], [4, -1]]
    assert greedy_clusters(table(rows), 3) == [[1, 0, 5, 4, 2, 3]]


def test_what_was_put_into_a_short_cluster_moves_on_with_it() -> None:
    rows = [[1, 2], [0, 4], [3, -1], [2, 5], [5, -1], [6, -1], [7, -1], [-1, -1]]
    assert greedy_clusters(table(rows), 4) == oracle_clusters(rows, 4)


def test_members_without_a_neighbour_elsewhere_stay_together_in_order() -> None:
    assert greedy_clusters(table([[1], [2], [0], [4], [3]]), 8) == [[0, 1, 2], [3, 4]]
    assert greedy_clusters(table([[-1], [-1]]), 8) == [[0], [1]]


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("k", [0, 2])
def test_fewer_passages_than_the_cluster_size(n: int, k: int) -> None:
    neighbours = np.full((n, k), -1, dtype=np.int32)
    assert greedy_clusters(neighbours, 8) == [[row] for row in range(n)]


def test_a_hub_with_many_guests_takes_no_quadratic_time() -> None:
    n = 200_000
    neighbours = np.zeros((n, 1), dtype=np.int32)
    clusters = greedy_clusters(neighbours, 8)
    assert [len(members) for members in clusters] == [n]
    assert clusters[0][-1] == 0


def test_other_whole_numbers_and_strides_serve() -> None:
    rows = [[1, 2], [2, 0], [0, 1]]
    wide = np.array(rows, dtype=np.int64)
    assert greedy_clusters(np.asfortranarray(wide), 2) == oracle_clusters(rows, 2)


def test_nonsense_is_named() -> None:
    with pytest.raises(InputError, match=r"passage 1: \[7\] names a row that does not exist"):
        greedy_clusters(table([[1], [7]]))
    with pytest.raises(InputError, match=r"passage 0: \[-2\]"):
        greedy_clusters(table([[-2], [0]]))
    with pytest.raises(InputError, match="passage 0"):
        greedy_clusters(np.array([[2**32], [0]]))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="cluster_size is 0"):
        greedy_clusters(table([[0]]), 0)
    with pytest.raises(InputError, match="shape"):
        greedy_clusters(np.zeros((2, 2), dtype=np.float32))  # type: ignore[arg-type]
