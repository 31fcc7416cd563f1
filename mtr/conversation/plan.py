"""The plan of a conversation: which move each turn makes, and which earlier turn its wording leans on.

*When* is drawn by seed, so that a batch reaches its shares exactly; *where to* is the topic planner's choice.
"""

from collections.abc import Mapping
from functools import lru_cache

from mtr.errors import InputError
from mtr.records import Move, Record
from mtr.seeding import seeded

_SHIFT_WEIGHT = 0.4
_FIRST_FAR_TURN = 3


class PlannedTurn(Record):
    """The move of a turn; `refers_to` names the earlier turn that its wording takes up, None for none."""

    turn: int
    move: Move
    refers_to: int | None = None


class Shares(Record):
    """What a batch aims at: conversations with one hard switch, turns that refer two or more turns back."""

    conversations: int = 1
    turns: int = 4
    switch_share: float = 0.5
    far_reference_share: float = 0.1


def plan_moves(seed: int, slot: int, shares: Shares) -> tuple[PlannedTurn, ...]:
    """The moves of conversation `slot` (from 0) of a batch; equal for equal arguments.

    Exactly `round(switch_share * conversations)` of the slots have a switch, at a turn from 2 to T - 1; exactly
    `round(far_reference_share * conversations * turns)` turns of the batch are far references.

    Raises:
        InputError: when a share is out of 0..1, or more far references are asked than there are turns to bear them.
    """
    _check(seed, shares)
    draw = seeded(seed, slot, "moves")
    switch = _switch_turn(seed, slot, shares) if slot in _switching_slots(seed, shares) else 0
    far = _far_turns(seed, shares).get(slot, frozenset())
    planned: list[PlannedTurn] = []
    for turn in range(1, shares.turns + 1):
        move, refers_to = _move(turn, switch, turn in far, turn + 1 in far, draw.random())
        planned.append(PlannedTurn(turn=turn, move=move, refers_to=refers_to))
    return tuple(planned)


@lru_cache(maxsize=16)
def far_reference_room(seed: int, shares: Shares) -> int:
    """The most far references this batch can hold: every second turn from the third on, but for the switches."""
    return len(_far_places(seed, shares, {}))


def _move(turn: int, switch: int, far: bool, before_far: bool, drawn: float) -> tuple[Move, int | None]:
    if turn == 1:
        return "open", None
    if turn == switch:
        return "switch", None
    if far:
        after_switch = 0 < switch < turn
        return "return", (switch - 1 if after_switch else turn - 2)
    shifts = before_far or drawn < _SHIFT_WEIGHT
    return ("shift" if shifts else "follow_up"), turn - 1


@lru_cache(maxsize=64)
def _switching_slots(seed: int, shares: Shares) -> frozenset[int]:
    if shares.turns < _FIRST_FAR_TURN:
        return frozenset()
    slots = list(range(shares.conversations))
    seeded(seed, "switching slots").shuffle(slots)
    return frozenset(slots[: _rounded(shares.switch_share * shares.conversations)])


@lru_cache(maxsize=64)
def _far_turns(seed: int, shares: Shares) -> Mapping[int, frozenset[int]]:
    """The far references of the batch: turns by slot."""
    wanted = _rounded(shares.far_reference_share * shares.conversations * shares.turns)
    draw = seeded(seed, "far turns")
    places = _far_places(seed, shares, {slot: draw.choice((3, 4)) for slot in range(shares.conversations)})
    if len(places) < wanted:
        places = _far_places(seed, shares, {})
    draw.shuffle(places)
    chosen: dict[int, frozenset[int]] = {}
    for slot, turn in places[:wanted]:
        chosen[slot] = chosen.get(slot, frozenset()) | {turn}
    return chosen


def _far_places(seed: int, shares: Shares, first: Mapping[int, int]) -> list[tuple[int, int]]:
    """(slot, turn) pairs, none side by side and none at a switch; `first` turn by slot, else 3."""
    switches = {slot: _switch_turn(seed, slot, shares) for slot in _switching_slots(seed, shares)}
    return [
        (slot, turn)
        for slot in range(shares.conversations)
        for turn in range(first.get(slot, _FIRST_FAR_TURN), shares.turns + 1, 2)
        if turn != switches.get(slot)
    ]


def _switch_turn(seed: int, slot: int, shares: Shares) -> int:
    return seeded(seed, slot, "switch turn").randint(2, shares.turns - 1)


def _rounded(value: float) -> int:
    return int(value + 0.5)


@lru_cache(maxsize=64)
def _check(seed: int, shares: Shares) -> None:
    for name in ("switch_share", "far_reference_share"):
        if not 0 <= getattr(shares, name) <= 1:
            raise InputError(f"--{name.replace('_', '-')} is {getattr(shares, name)}; it must lie between 0 and 1")
    wanted, room = (
        _rounded(shares.far_reference_share * shares.conversations * shares.turns),
        far_reference_room(seed, shares),
    )
    if wanted > room:
        raise InputError(
            f"--far-reference-share {shares.far_reference_share} asks for {wanted} turns that refer far back, but "
            f"{shares.conversations} conversations of {shares.turns} turns hold at most {room}; lower it"
        )
