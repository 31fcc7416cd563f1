"""Sheets for people to mark: a CSV file with a row for each item and an empty column for each criterion.

item_id, conversation_id   whose row it is
history                    what was said before: `user: …` and `assistant: …`, a message may run over several lines
query
passage_1, passage_2, …    as many as the items have; a title stands on a line of its own
answer
<criterion> (<low>-<high>) to be filled with a number; a blank cell is no mark
notes                      whatever the person likes; read by nobody
instructions               in the first row only

Columns that no item has a text for are left out. `mtr.evaluation.people_reading` reads the sheets back.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from mtr.datasets.records import AnyPassage, Said
from mtr.errors import InputError
from mtr.evaluation.marked import Item, Scale
from mtr.evaluation.sheets import write_sheet

ITEM, CONVERSATION, HISTORY, QUERY, ANSWER = "item_id", "conversation_id", "history", "query", "answer"
PERSON, NOTES, INSTRUCTIONS = "person", "notes", "instructions"
TEXTS = (ITEM, CONVERSATION, HISTORY, QUERY, ANSWER, PERSON, NOTES, INSTRUCTIONS)
PASSAGE = re.compile(r"passage_[1-9][0-9]*")
HOW_TO = (
    "Mark every row by itself, with the row's own passages only. Write one number of the scale in the heading into "
    "each cell; leave it blank where you cannot tell. Do not change or sort single columns. Save as CSV UTF-8."
)
_HEADING = re.compile(r"(?P<name>[a-z][a-z0-9_]*) ?\((?P<low>-?\d+(?:\.\d+)?) ?[-–] ?(?P<high>-?\d+(?:\.\d+)?)\)")
_SPEAKER = re.compile(r"^(user|assistant): ?", re.MULTILINE)
_QUOTED_SPEAKER = re.compile(r"^ ( *(?:user|assistant):)", re.MULTILINE)
_TO_QUOTE = re.compile(r"^( *(?:user|assistant):)", re.MULTILINE)


def write_people_sheet(
    path: Path, items: Sequence[Item], scales: Mapping[str, Scale], *, instructions: str = HOW_TO
) -> None:
    """Write the sheet. InputError: no item, an item twice, or a criterion that cannot be a heading."""
    ids = [item.item_id for item in items]
    if not items or len(set(ids)) < len(ids):
        raise InputError(f"{path}: a sheet needs items, each once; there are {len(ids)}, {len(set(ids))} different")
    criteria = [heading(name, scale) for name, scale in scales.items()]
    passages = max(len(item.passages) for item in items)
    columns = {
        ITEM: ids,
        CONVERSATION: [item.conversation_id for item in items],
        HISTORY: [history_text(item.history) for item in items],
        QUERY: [item.query for item in items],
        **{f"passage_{number + 1}": [_passage(item, number) for item in items] for number in range(passages)},
        ANSWER: [item.answer for item in items],
    }
    columns = {name: cells for name, cells in columns.items() if any(cells)}
    columns |= dict.fromkeys([*criteria, NOTES], [""] * len(items))
    columns[INSTRUCTIONS] = [instructions, *[""] * (len(items) - 1)]
    write_sheet(path, list(columns), list(zip(*columns.values(), strict=True)))


def heading(criterion: str, scale: Scale) -> str:
    """The column of a criterion, its scale included. InputError when it could not be read back."""
    text = f"{criterion} ({scale.low:g}-{scale.high:g})"
    if read_heading(text) != (criterion, scale):
        raise InputError(
            f"{text!r} cannot head a column; criteria are small letters, digits and _, scales short numbers"
        )
    return text


def read_heading(text: str) -> tuple[str, Scale] | None:
    """A criterion and its scale, or None where the heading is of another kind."""
    match = _HEADING.fullmatch(text.strip())
    if match is None or float(match["low"]) >= float(match["high"]):
        return None
    return match["name"], Scale(low=float(match["low"]), high=float(match["high"]))


def history_text(history: Sequence[Said]) -> str:
    """The history as one cell; a line that only looks like the start of a message is moved in by a blank."""
    return "\n".join(f"{said.speaker}: " + _TO_QUOTE.sub(r" \1", said.text) for said in history)


def read_history(text: str) -> tuple[Said, ...]:
    """What `history_text` was given; a text before the first speaker is the user's."""
    begins = list(_SPEAKER.finditer(text))
    if not begins or text[: begins[0].start()].strip():
        return read_history(f"user: {text}") if text.strip() else ()
    ends = [match.start() - 1 for match in begins[1:]] + [len(text)]
    return tuple(
        Said(
            speaker="user" if match[1] == "user" else "assistant",
            text=_QUOTED_SPEAKER.sub(r"\1", text[match.end() : end]),
        )
        for match, end in zip(begins, ends, strict=True)
    )


def passage_text(passage: AnyPassage) -> str:
    """A passage as one cell, its title first where the text does not begin with it."""
    titled = passage.title and not passage.text.startswith(passage.title)
    return f"{passage.title}\n{passage.text}" if titled else passage.text


def _passage(item: Item, number: int) -> str:
    return passage_text(item.passages[number]) if number < len(item.passages) else ""
