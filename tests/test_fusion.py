"""Reciprocal rank fusion: the formula, ties, repeats, emptiness."""

from itertools import permutations

from mtr.retrieval.fusion import reciprocal_rank_fusion


def test_sums_reciprocal_ranks() -> None:
    assert reciprocal_rank_fusion([["a", "b", "c"], ["c", "b"]]) == ["c", "b", "a"]
    assert reciprocal_rank_fusion([["a", "b", "c"], ["c", "d", "b"]], k=0) == ["c", "a", "b", "d"]


def test_a_high_k_favours_agreement() -> None:
    first, second = ["x", "both"], ["y", "both"]
    assert reciprocal_rank_fusion([first, second])[0] == "both"
    assert reciprocal_rank_fusion([["x", "p", "q", "r", "both"], ["y", "s", "t", "u", "both"]], k=0)[0] == "x"


def test_ties_go_by_id_whatever_the_order_of_rankings() -> None:
    rankings = [["b"], ["a"], ["c"]]
    assert {tuple(reciprocal_rank_fusion(order)) for order in permutations(rankings)} == {("a", "b", "c")}


def test_a_repeated_id_counts_once() -> None:
    assert reciprocal_rank_fusion([["a", "b", "b", "b"], ["a"]]) == ["a", "b"]
    assert reciprocal_rank_fusion([["b", "a", "a", "a", "a"]])[0] == "b"


def test_nothing_gives_nothing() -> None:
    assert reciprocal_rank_fusion([]) == []
    assert reciprocal_rank_fusion([[], []]) == []
