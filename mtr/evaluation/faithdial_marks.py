"""FaithDial's audit of gold responses (Dziri et al. 2022, MIT): 200 responses to a message, with evidence.

A CSV file with the columns `evidence`, `history` (the message before), `response`, `BEGIN` (the kind) and `VRM`. The
kind becomes one mark of faithfulness, 1 or 0, so there is nothing to say of agreement among people:

    Entailment             1     all of it is stated by the evidence
    Uncooperative          1     stated by the evidence, though it does not fit the conversation
    Partial Hallucination  0     some of it is not stated
    Hallucination          0     nothing of it is stated
    Generic                None  it says nothing that evidence could state

Conversations are not named; responses to the same evidence count as one.
"""

from pathlib import Path

from mtr.datasets.records import AnyPassage
from mtr.errors import InputError
from mtr.evaluation.marked import MarkedAnswer, Scale
from mtr.evaluation.sheets import Row, read_sheet

CRITERION = "faithfulness"
SCALE = Scale(low=0, high=1)
KINDS: dict[str, float | None] = {
    "Entailment": 1,
    "Uncooperative": 1,
    "Partial Hallucination": 0,
    "Hallucination": 0,
    "Generic": None,
}
COLUMNS = ("evidence", "history", "response", "BEGIN")


def load_faithdial(path: Path) -> tuple[MarkedAnswer, ...]:
    """The responses of gold_wow.csv. InputError names the line and column that is wrong."""
    sheet = read_sheet(path)
    if missing := [column for column in COLUMNS if column not in sheet.headings]:
        raise InputError(f"{path}:1: column {missing[0]!r} is missing; FaithDial's audit has {', '.join(COLUMNS)}")
    known: dict[str, str] = {}
    return tuple(_marked(path, row, known) for row in sheet.rows)


def _marked(path: Path, row: Row, known: dict[str, str]) -> MarkedAnswer:
    kind, evidence = row.cells["BEGIN"].strip(), row.cells["evidence"]
    if kind not in KINDS:
        raise InputError(f"{path}:{row.line}: BEGIN: {kind!r} is none of {', '.join(KINDS)}; mend the cell")
    name = known.setdefault(evidence, f"evidence-{len(known) + 1}")
    return MarkedAnswer(
        item_id=f"line-{row.line}",
        conversation_id=name,
        query=row.cells["history"],
        passages=(AnyPassage(passage_id=name, text=evidence),),
        answer=row.cells["response"],
        marks={CRITERION: (KINDS[kind],)},
        scales={CRITERION: SCALE},
    )
