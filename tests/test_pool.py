"""Pools: which passages a move may draw on, in which order, and which move a turn really made."""

from pathlib import Path
from typing import Any, cast

import pytest
from support.conversations import make_turn
from support.passages import passage

from mtr.conversation.plan import PlannedTurn
from mtr.conversation.pool import (
    centre_of,
    move_made,
    own_clusters,
    passage_pool,
    starting_cluster,
    switch_options,
    wider_pool,
)
from mtr.corpus.corpus import Corpus
from mtr.records import Cluster, Move, Passage, Turn

NOTHING = cast(Any, None)
ALL = frozenset({"c0", "c1", "c2", "lone"})
WALKS = {"c0": ("a1", "b1", "c1", "d1"), "c1": ("a2", "e1"), "c2": ("e2", "f1", "f2"), "lone": ("g1",)}


def make_corpus(walks: dict[str, tuple[str, ...]]) -> Corpus:
    """Passages named by document (a letter) and number, in these clusters."""
    ids = sorted(passage_id for walk in walks.values() for passage_id in walk)
    passages: dict[str, Passage] = {
        name: passage(name, f"Text of {name}.").model_copy(update={"document_id": name[0]}) for name in ids
    }
    return Corpus(
        name="letters",
        folder=Path("letters"),
        manifest=NOTHING,
        passages=passages,
        clusters=tuple(Cluster(cluster_id=name, passage_ids=walk) for name, walk in walks.items()),
        cluster_of={passage_id: name for name, walk in walks.items() for passage_id in walk},
        bm25=NOTHING,
    )


CORPUS = make_corpus(WALKS)


def turns_of(*gold: str) -> list[Turn]:
    """Kept turns with this gold."""
    made = (
        make_turn(number, passage("p", "x The value y. It ends.", heading="H")) for number in range(1, len(gold) + 1)
    )
    return [turn.model_copy(update={"gold": (name,)}) for turn, name in zip(made, gold, strict=True)]


def pool(
    move: Move,
    turns: list[Turn],
    *,
    start: str = "",
    refers_to: int | None = None,
    seed: int = 1,
    own: frozenset[str] = ALL,
) -> list[str]:
    """The pool of the next turn, each passage once."""
    planned = PlannedTurn(turn=len(turns) + 1, move=move, refers_to=refers_to)
    return list(dict.fromkeys(passage_pool(CORPUS, planned, turns, start, seed, own)))


def test_an_opening_draws_on_its_cluster_and_then_on_its_documents() -> None:
    found = pool("open", [], start="c1")
    assert set(found[:2]) == {"a2", "e1"}
    assert found[2:] == ["a1", "e2"]
    assert len({tuple(pool("open", [], start="c0", seed=seed)) for seed in range(10)}) > 1


def test_a_follow_up_stays_then_goes_to_the_nearest_in_walking_order() -> None:
    assert pool("follow_up", turns_of("a1", "b1")) == ["b1", "a1", "c1", "d1"]
    assert pool("follow_up", turns_of("d1")) == ["d1", "c1", "b1", "a1"]


def test_a_shift_leaves_the_passages_asked_about_to_the_end() -> None:
    assert pool("shift", turns_of("a1", "b1")) == ["c1", "d1", "a1", "b1"]
    assert pool("shift", turns_of("f1"))[:2] == ["e2", "f2"]


def test_a_switch_starts_at_the_chosen_passage() -> None:
    assert pool("switch", turns_of("a1"), start="f1") == ["f1", "e2", "f2"]


def test_a_return_starts_at_the_gold_it_refers_to() -> None:
    assert pool("return", turns_of("b1", "f1", "e2"), refers_to=1)[0] == "b1"
    assert pool("return", turns_of("b1", "f1", "e2"), refers_to=2)[0] == "f1"


def test_the_pool_is_widened_around_what_the_turn_sets_out_from() -> None:
    turns = turns_of("a1", "e1")
    later = PlannedTurn(turn=3, move="follow_up", refers_to=2)
    back = PlannedTurn(turn=3, move="return", refers_to=1)
    switch = PlannedTurn(turn=3, move="switch")
    assert centre_of(CORPUS, PlannedTurn(turn=1, move="open"), [], "c1") in CORPUS.members["c1"]
    assert [centre_of(CORPUS, one, turns, "f1") for one in (later, back, switch)] == ["e1", "a1", "f1"]


def test_a_switch_is_not_widened_into_what_the_conversation_has_touched() -> None:
    nearest, turns = ["f2", "a2", "b1"], turns_of("a1")
    switch, shift = PlannedTurn(turn=2, move="switch"), PlannedTurn(turn=2, move="shift", refers_to=1)
    assert wider_pool(CORPUS, shift, turns, nearest, ALL) == ("f2", "a2", "b1")
    assert wider_pool(CORPUS, shift, turns, nearest, frozenset({"c0"}))[0] == "b1"
    assert "b1" not in wider_pool(CORPUS, switch, turns, nearest, ALL)


def test_switch_options_lie_in_untouched_clusters() -> None:
    for seed in range(10):
        options = switch_options(CORPUS, ["c0"], seed, (0, 0, 2), ALL)
        clusters = [CORPUS.cluster_of[one.passage_id] for one in options]
        assert sorted(clusters) == ["c1", "c2"]
    assert switch_options(CORPUS, ["c0", "c1", "c2"], 1, (0,), ALL) == ()


def test_switch_options_depend_on_seed_and_names_alone() -> None:
    drawn = [switch_options(CORPUS, [], seed, (0, 1), ALL) for seed in range(12)]
    assert drawn == [switch_options(CORPUS, [], seed, (0, 1), ALL) for seed in range(12)]
    assert len(set(drawn)) > 1
    assert len({switch_options(CORPUS, [], 1, (attempt,), ALL) for attempt in range(12)}) > 1


def test_what_belongs_to_another_conversation_is_tried_last() -> None:
    own = frozenset({"c1"})
    assert pool("open", [], start="c1", own=own)[2:] == ["a1", "e2"]
    assert pool("follow_up", turns_of("e1"), own=frozenset({"c0"})) == ["e1", "a2", "e2"]
    assert pool("follow_up", turns_of("a2"), own=frozenset({"c0"}))[2:] == ["a1"]
    for seed in range(10):
        assert CORPUS.cluster_of[switch_options(CORPUS, [], seed, (0,), frozenset({"c2"}))[0].passage_id] == "c2"


def test_the_clusters_are_shared_out_while_each_conversation_has_two() -> None:
    large = make_corpus({f"c{number}": (f"a{number}", f"b{number}") for number in range(10)})
    for slots in (2, 3, 5):
        parts = [own_clusters(large, 7, slot, slots) for slot in range(slots)]
        assert sum(map(len, parts)) == len(frozenset().union(*parts)) == 10
        assert all(
            starting_cluster(large, 7, slot, attempt, slots) in parts[slot] for slot in (0, 1) for attempt in (0, 1)
        )
    assert len(own_clusters(large, 7, 5, 6)) == 10


def test_conversations_open_in_different_clusters_while_they_last() -> None:
    opened = [starting_cluster(CORPUS, 7, slot, 0, 3) for slot in range(3)]
    assert sorted(opened) == ["c0", "c1", "c2"]
    assert starting_cluster(CORPUS, 7, 3, 0, 3) == opened[0]


def test_another_attempt_opens_elsewhere() -> None:
    for slot in range(2):
        first, second = (starting_cluster(CORPUS, 7, slot, attempt, 2) for attempt in range(2))
        assert first != second


def test_clusters_of_one_passage_are_used_where_there_are_no_others() -> None:
    lonely = make_corpus({"x": ("a1",), "y": ("b1",)})
    assert {starting_cluster(lonely, 7, slot, 0, 2) for slot in range(2)} == {"x", "y"}


@pytest.mark.parametrize(
    ("planned", "gold", "made"),
    [
        ("follow_up", "a1", "follow_up"),
        ("follow_up", "b1", "shift"),
        ("shift", "b1", "shift"),
        ("shift", "a1", "follow_up"),
        ("switch", "a1", "switch"),
        ("return", "c1", "return"),
        ("return", "b1", "shift"),
    ],
)
def test_the_move_made(planned: Move, gold: str, made: Move) -> None:
    anchor = CORPUS.passages["c1"] if planned == "return" else None
    assert move_made(planned, CORPUS.passages[gold], turns_of("c1", "a1"), anchor) == made


def test_the_first_turn_opens() -> None:
    assert move_made("open", CORPUS.passages["a1"], [], None) == "open"
