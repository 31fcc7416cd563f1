"""Plans: shares exact over a batch, whatever its size and seed; where switches and far references may fall."""

import time
from itertools import pairwise, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mtr.conversation.plan import PlannedTurn, Shares, far_reference_room, plan_moves
from mtr.errors import InputError

Batch = list[tuple[PlannedTurn, ...]]


def batch(seed: int, shares: Shares) -> Batch:
    """The plans of all conversations."""
    return [plan_moves(seed, slot, shares) for slot in range(shares.conversations)]


def rounded(value: float) -> int:
    """Half goes up."""
    return int(value + 0.5)


def returns(plans: Batch) -> list[PlannedTurn]:
    """The far references."""
    return [planned for plan in plans for planned in plan if planned.move == "return"]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    conversations=st.integers(1, 25),
    turns=st.integers(1, 9),
    switch_share=st.floats(0, 1),
    far_share=st.floats(0, 0.5),
)
def test_shares_are_exact(seed: int, conversations: int, turns: int, switch_share: float, far_share: float) -> None:
    shares = Shares(conversations=conversations, turns=turns, switch_share=switch_share, far_reference_share=far_share)
    wanted = rounded(far_share * conversations * turns)
    assume(wanted <= far_reference_room(seed, shares))
    plans = batch(seed, shares)
    switching = [plan for plan in plans if any(planned.move == "switch" for planned in plan)]
    assert len(switching) == (rounded(switch_share * conversations) if turns >= 3 else 0)
    assert len(returns(plans)) == wanted
    for plan in plans:
        _check_plan(plan, turns)


def _check_plan(plan: tuple[PlannedTurn, ...], turns: int) -> None:
    assert [planned.turn for planned in plan] == list(range(1, turns + 1))
    assert plan[0].move == "open" and plan[0].refers_to is None
    switches = [planned.turn for planned in plan if planned.move == "switch"]
    assert len(switches) <= 1
    assert all(2 <= turn <= turns - 1 for turn in switches)
    for before, planned in pairwise(plan):
        assert planned.move != "open"
        if planned.move == "switch":
            assert planned.refers_to is None
        elif planned.move == "return":
            assert planned.refers_to is not None and 1 <= planned.refers_to <= planned.turn - 2
            assert before.move in ("shift", "switch")
            assert planned.refers_to < min([s for s in switches if s < planned.turn], default=planned.turn)
        else:
            assert planned.refers_to == planned.turn - 1


@pytest.mark.parametrize(("turns", "moves"), [(1, ["open"]), (2, ["open", "follow_up"])])
def test_short_conversations_have_no_switch(turns: int, moves: list[str]) -> None:
    shares = Shares(conversations=6, turns=turns, switch_share=1, far_reference_share=0)
    for plan in batch(5, shares):
        assert len(plan) == turns
        assert {planned.move for planned in plan} <= {*moves, "shift"}


def test_with_three_turns_a_switch_is_in_the_middle() -> None:
    shares = Shares(conversations=4, turns=3, switch_share=1, far_reference_share=0)
    assert all(plan[1].move == "switch" for plan in batch(1, shares))


def test_switches_fall_on_every_allowed_turn() -> None:
    shares = Shares(conversations=60, turns=6, switch_share=1, far_reference_share=0)
    fallen = {planned.turn for plan in batch(3, shares) for planned in plan if planned.move == "switch"}
    assert fallen == {2, 3, 4, 5}


def test_all_the_room_can_be_used_and_no_more() -> None:
    for seed, turns in product(range(5), (3, 4, 7)):
        room = far_reference_room(seed, Shares(conversations=4, turns=turns))
        full = Shares(conversations=4, turns=turns, far_reference_share=room / (4 * turns))
        assert len(returns(batch(seed, full))) == room
        over = Shares(conversations=4, turns=turns, far_reference_share=(room + 1) / (4 * turns))
        with pytest.raises(InputError, match=rf"asks for {room + 1} turns .* hold at most {room}; lower it"):
            plan_moves(seed, 0, over)


@pytest.mark.parametrize("turns", [1, 2])
def test_short_conversations_have_no_room_for_far_references(turns: int) -> None:
    with pytest.raises(InputError, match="hold at most 0"):
        plan_moves(1, 0, Shares(conversations=10, turns=turns, far_reference_share=0.5))


@pytest.mark.parametrize(
    ("change", "name"),
    [({"switch_share": 1.01}, "--switch-share"), ({"far_reference_share": -0.1}, "--far-reference-share")],
)
def test_a_share_out_of_range_is_named(change: dict[str, float], name: str) -> None:
    with pytest.raises(InputError, match=f"{name} is .* between 0 and 1"):
        plan_moves(1, 0, Shares(**change))


def test_a_large_batch_is_planned_in_no_time() -> None:
    shares = Shares(conversations=3000, turns=8)
    begun = time.process_time()
    batch(1, shares)
    assert time.process_time() - begun < 3


def test_a_plan_depends_on_seed_slot_and_shares_alone() -> None:
    shares = Shares(conversations=10, turns=8)
    assert batch(4, shares) == batch(4, shares)
    assert batch(4, shares) != batch(5, shares)
    assert len(set(batch(4, shares))) > 5
