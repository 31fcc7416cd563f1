"""mtRAG's human evaluations (IBM mt-rag-benchmark, Apache-2.0): answers of models and of people, marked by people.

A JSON line for each answer: `task_id` (`<conversation><::><turn>`), `model` (the writer; "reference" is a person),
`history` (its last message is the query), `passages`, `response`, and `human`: for each of naturalness,
appropriateness, completeness and faithfulness the marks from 1 to 4, in no known order of people. Most have three;
some have two, and then the third place is simply absent.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field

from mtr.datasets.foreign import Foreign, read_lines
from mtr.datasets.records import AnyPassage, Said
from mtr.errors import InputError
from mtr.evaluation.marked import MarkedAnswer, Scale

CRITERIA = ("naturalness", "appropriateness", "completeness", "faithfulness")
SCALE = Scale(low=1, high=4)
_PERSON = "reference"


class _Message(Foreign):
    speaker: Literal["user", "agent"]
    text: str


class _Passage(Foreign):
    passage_id: str = Field(min_length=1)
    title: str | None = None
    text: str


class _Answer(Foreign):
    task_id: str = Field(min_length=1)
    model: str = Field(min_length=1)
    history: tuple[_Message, ...] = Field(min_length=1)
    passages: tuple[_Passage, ...] = ()
    response: str
    human: Mapping[str, tuple[float | None, ...]]


def load_mtrag(path: Path) -> tuple[MarkedAnswer, ...]:
    """The answers of human_evaluations.jsonl, plain or gzipped. InputError names the line and field that is wrong."""
    return tuple(_marked(line, f"{path}:{number}") for number, line in read_lines(path, _Answer))


def _marked(line: _Answer, where: str) -> MarkedAnswer:
    if line.history[-1].speaker != "user":
        raise InputError(f"{where}: history: its last message must be the user's query; mend the file")
    for criterion in CRITERIA:
        for mark in line.human.get(criterion, ()):
            if mark is not None and not SCALE.holds(mark):
                raise InputError(f"{where}: human.{criterion}: {mark:g} is not a mark from 1 to 4; mend the file")
    return MarkedAnswer(
        item_id=f"{line.task_id}/{line.model}",
        conversation_id=line.task_id.split("<::>")[0],
        history=tuple(
            Said(speaker="user" if said.speaker == "user" else "assistant", text=said.text)
            for said in line.history[:-1]
        ),
        query=line.history[-1].text,
        passages=tuple(
            AnyPassage(passage_id=one.passage_id, title=one.title or "", text=one.text) for one in line.passages
        ),
        answer=line.response,
        marks={criterion: line.human.get(criterion, ()) for criterion in CRITERIA},
        scales=dict.fromkeys(CRITERIA, SCALE),
        written_by=() if line.model == _PERSON else (line.model,),
    )
