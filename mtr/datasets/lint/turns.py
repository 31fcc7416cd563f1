"""Rules about turns: answers that are missing, one speaker twice in a row, numbers that leave a gap."""

from collections.abc import Iterator
from itertools import pairwise

from mtr.datasets.lint.finding import Hit, Rule
from mtr.datasets.lint.material import Material
from mtr.datasets.lint.text_keys import is_blank
from mtr.datasets.records import AnyTurn


def _no_answer(material: Material) -> Iterator[Hit]:
    """Silent where no turn has an answer: such a set is for retrieval only."""
    if all(turn.answer is None for turn in material.turns):
        return
    for turn in material.turns:
        if turn.answer is None and turn.answerable is not False:
            yield Hit(material.place_of(turn), turn.query_id, "the turn has no answer (null), others have one")


def _blank_answer(material: Material) -> Iterator[Hit]:
    for turn in material.turns:
        for answer in (turn.answer, *turn.other_answers):
            if answer is not None and is_blank(answer):
                yield Hit(material.place_of(turn), turn.query_id, f"an answer of the turn is empty: {answer!r}")


def _roles_in_a_row(material: Material) -> Iterator[Hit]:
    """Each place once, although every later turn repeats its history; silent where nobody ever answers."""
    if all(said.speaker == "user" for turn in material.turns for said in turn.history):
        return
    told: set[tuple[str, int, str]] = set()
    for turn in material.turns:
        speakers = [*(said.speaker for said in turn.history), "user"]
        texts = [*(said.text for said in turn.history), turn.query]
        for place, (before, now) in enumerate(pairwise(speakers), 2):
            key = (turn.conversation_id, place, texts[place - 1])
            if before == now and key not in told:
                told.add(key)
                message = f"messages {place - 1} and {place} of the conversation are both the {now}'s"
                yield Hit(material.place_of(turn), turn.query_id, message)


def _conversations(material: Material) -> Iterator[list[AnyTurn]]:
    """The turns of each conversation, sorted by number."""
    found: dict[str, list[AnyTurn]] = {}
    for turn in material.turns:
        found.setdefault(turn.conversation_id, []).append(turn)
    return (sorted(turns, key=lambda turn: turn.turn) for turns in found.values())


def _gaps(material: Material) -> Iterator[tuple[AnyTurn, int]]:
    """A turn that stands after a gap, and the number before the gap (0 before the first turn)."""
    for turns in _conversations(material):
        before = 0
        for turn in turns:
            if turn.turn > before + 1:
                yield turn, before
            before = turn.turn


def _told(turn: AnyTurn) -> bool:
    """Whether the history holds every earlier turn, also those that are no items of the set."""
    return sum(said.speaker == "user" for said in turn.history) >= turn.turn - 1


def _missing(turn: AnyTurn, before: int) -> str:
    first, last = before + 1, turn.turn - 1
    numbers = f"turn {first} is" if first == last else f"turns {first} to {last} are"
    return f"{numbers} missing before turn {turn.turn} of {turn.conversation_id!r}"


def _gap(material: Material) -> Iterator[Hit]:
    for turn, before in _gaps(material):
        if not _told(turn):
            message = f"{_missing(turn, before)}, in its history too"
            yield Hit(material.place_of(turn), turn.query_id, message)


def _left_out(material: Material) -> Iterator[Hit]:
    for turn, before in _gaps(material):
        if _told(turn):
            message = f"{_missing(turn, before)}, its history has them"
            yield Hit(material.place_of(turn), turn.query_id, message)


def _number_twice(material: Material) -> Iterator[Hit]:
    """Two query ids with one number; a query given twice is told by another rule."""
    for turns in _conversations(material):
        for before, turn in pairwise(turns):
            if before.turn == turn.turn and before.query_id != turn.query_id:
                message = f"turn {turn.turn} of {turn.conversation_id!r} is {before.query_id!r} already"
                yield Hit(material.place_of(turn), turn.query_id, message)


TURN_RULES = (
    Rule("answer-missing", "warning", "a turn without an answer in a set that has answers", _no_answer),
    Rule("answer-blank", "warning", "an empty answer", _blank_answer),
    Rule("roles-in-a-row", "warning", "two messages of one speaker in a row", _roles_in_a_row),
    Rule("turn-gap", "warning", "turns missing in a conversation, also in the history", _gap),
    Rule(
        "turn-repeat",
        "warning",
        "two queries with one turn number; in a tree (CAsT 2022) these are branches",
        _number_twice,
    ),
    Rule("turn-left-out", "note", "turns that only the history of later ones has", _left_out),
)
