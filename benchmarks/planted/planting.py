"""A clean set of invented places, and the same set with a fault in every turn.

conversations.jsonl holds a place a line, with a conversation of three turns about it; a turn has its own passage.
`key` are the words of the passage that the answer turns on, `instead` others that would fit as well.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold, Said
from mtr.records import Record
from mtr.seeding import seeded
from mtr.storage import read_records

Kind = Literal["wrong gold", "missing gold", "unfaithful"]
KINDS: tuple[Kind, ...] = ("wrong gold", "missing gold", "unfaithful")
_FILE = Path(__file__).with_name("conversations.jsonl")
_OTHER_ENTRIES = 3
_ENTRIES = (
    "May I take photographs? Yes, but please without a flash and without a stand.",
    "Is there somewhere to sit down? There are benches along the southern wall, and chairs can be had on request.",
    "Can I pay with a card? Cards are taken, but small sums are better paid in coins.",
    "Where are lost things kept? In a basket beside the entrance, and after some months they are given away.",
    "Is there a toilet? There is one behind the main building, and the key hangs on a hook beside the door.",
    "Can I bring a pushchair? Yes, but it has to be carried over a few steps.",
    "Who do I tell when something is broken? Leave a note in the box; it is read every evening.",
    "Are groups welcome? They are, if they send a few lines beforehand.",
    "Is the place heated? Only a little, so bring something warm in the cold months.",
    "May I help? Volunteers are always wanted, and nobody has to be an expert.",
)
"""Entries of a page of questions and answers that answer none of the set's queries."""


class PlaceTurn(Record):
    """A turn as written: its passage under a heading, the query in its conversation and standing alone."""

    heading: str
    text: str
    query: str
    standalone_query: str
    answer: str
    key: str
    instead: str


class Place(Record):
    """A place with its conversation."""

    place: str
    turns: tuple[PlaceTurn, PlaceTurn, PlaceTurn]


class Planted(Record):
    """The set with its faults, and the query ids of each kind."""

    dataset: Dataset
    faults: Mapping[Kind, frozenset[str]]


def places() -> tuple[Place, ...]:
    """The places of the file."""
    return tuple(read_records(_FILE, Place))


def clean(known: Sequence[Place], count: int) -> Dataset:
    """The first `count` turns, by whole conversations, over the passages of all places."""
    passages = [
        AnyPassage(passage_id=_id(place, number), title=place.place, heading=turn.heading, text=turn.text)
        for place in known
        for number, turn in enumerate(place.turns)
    ]
    turns = tuple(_turn(place, number) for place in known[: -(-count // 3)] for number in range(3))
    return Dataset(name="places", layout="own", passages={one.passage_id: one for one in passages}, turns=turns)


def planted(known: Sequence[Place], count: int, seed: int) -> Planted:
    """The set with one fault of each kind in every conversation, at turns drawn by seed.

    A wrong gold is another passage of the place with the answer that belongs to it; the right one is not in the corpus.
    A missing gold is a page of questions and answers that holds the standalone query with its answer, and is not
    marked. An unfaithful answer has other words in the place of its key. What was said before is always clean.
    """
    dataset = clean(known, count)
    passages, turns = dict(dataset.passages), list(dataset.turns)
    faults: dict[Kind, set[str]] = {kind: set() for kind in KINDS}
    for at, turn in enumerate(dataset.turns):
        place, number = known[at // 3], at % 3
        kind = kind_of(place, number, seed)
        faults[kind].add(turn.query_id)
        written = place.turns[number]
        if kind == "wrong gold":
            del passages[_id(place, number)]
            other = seeded(seed, turn.query_id, "other").choice([one for one in range(3) if one != number])
            changes = {"gold": (Gold(passage_id=_id(place, other)),), "answer": place.turns[other].answer}
            turns[at] = turn.model_copy(update=changes)
        elif kind == "missing gold":
            page = _second_gold(place, written, seed)
            passages[page.passage_id] = page
        else:
            turns[at] = turn.model_copy(update={"answer": written.answer.replace(written.key, written.instead)})
    with_faults = dataset.model_copy(update={"passages": passages, "turns": tuple(turns)})
    return Planted(dataset=with_faults, faults={kind: frozenset(ids) for kind, ids in faults.items()})


def kind_of(place: Place, number: int, seed: int) -> Kind:
    """The fault of a turn, counted from 0."""
    return seeded(seed, place.place, "kinds").sample(KINDS, len(KINDS))[number]


def _second_gold(place: Place, turn: PlaceTurn, seed: int) -> AnyPassage:
    draw = seeded(seed, place.place, "page")
    entries = [*draw.sample(_ENTRIES, _OTHER_ENTRIES), f"{turn.standalone_query} {turn.answer}"]
    draw.shuffle(entries)
    name = f"{_id(place, place.turns.index(turn))} again"
    return AnyPassage(passage_id=name, title=place.place, heading="Questions and answers", text=" ".join(entries))


def _turn(place: Place, number: int) -> AnyTurn:
    turn = place.turns[number]
    history = [
        said
        for before in place.turns[:number]
        for said in (Said(speaker="user", text=before.query), Said(speaker="assistant", text=before.answer))
    ]
    return AnyTurn(
        query_id=f"{place.place}::{number + 1}",
        conversation_id=place.place,
        turn=number + 1,
        query=turn.query,
        history=tuple(history),
        standalone_query=turn.standalone_query,
        answer=turn.answer,
        gold=(Gold(passage_id=_id(place, number)),),
    )


def _id(place: Place, number: int) -> str:
    return f"{place.place}/{place.turns[number].heading}"
