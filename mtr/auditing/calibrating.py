"""Judges before answers that people have marked: what is asked, and what each judge's readings are worth."""

from collections.abc import Mapping, Sequence

from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold
from mtr.errors import InputError
from mtr.evaluation.calibration import Calibration, calibrate
from mtr.evaluation.marked import MarkedAnswer
from mtr.records import Record
from mtr.verdicts import Criterion, JudgedBy, JudgedTurn

_MARKS: Mapping[str, tuple[str, ...]] = {
    "answer_faithfulness": ("faithfulness",),
    "answer_supported": ("faithfulness",),
    "answer_quality": ("quality", "appropriateness"),
    "query_evidence_alignment": ("alignment",),
    "passage_answers": ("alignment",),
}


_WRITTEN = "written"
_KINDS: Mapping[JudgedBy, Mapping[str, str]] = {
    "scale": {_WRITTEN: "written", "expected score": "score"},
    "claims": {_WRITTEN: "written"},
    "yes_no": {_WRITTEN: "written", "P(yes)": "probability"},
    "choice": {},
}
"""The readings that a kind of reply gives, and the fields of a verdict they stand in."""


class Reading(Record):
    """One judge's readings of one kind against people's marks of one criterion."""

    judge: str
    criterion: str
    reading: str
    marks: str
    calibration: Calibration


def marks_of(criterion: str, answers: Sequence[MarkedAnswer]) -> str:
    """The human criterion that a judge's one is held against: of the same name, else the usual one.

    InputError lists the criteria that the file has marks of.
    """
    known = sorted({name for answer in answers for name in answer.marks})
    for name in (criterion, *_MARKS.get(criterion, ())):
        if name in known:
            return name
    raise InputError(f"criterion {criterion}: the file has no marks of it, only of {', '.join(known)}; see --marks")


def as_dataset(answers: Sequence[MarkedAnswer], name: str) -> Dataset:
    """The answers as turns whose gold is what people were shown."""
    passages: dict[str, AnyPassage] = {}
    turns: list[AnyTurn] = []
    for answer in answers:
        shown = [_placed(passage, passages) for passage in answer.passages]
        turns.append(
            AnyTurn(
                query_id=answer.item_id,
                conversation_id=answer.cluster,
                turn=1 + sum(said.speaker == "user" for said in answer.history),
                query=answer.query,
                history=answer.history,
                answer=answer.answer or None,
                gold=tuple(Gold(passage_id=one) for one in dict.fromkeys(shown)),
                written_by=answer.written_by,
            )
        )
    return Dataset(name=name, layout="marks", passages=passages, turns=tuple(turns))


def _placed(passage: AnyPassage, passages: dict[str, AnyPassage]) -> str:
    """The id under which the passage is kept: its own, or one with a number where another text has that."""
    name, number = passage.passage_id, 1
    while name in passages and passages[name].text != passage.text:
        number += 1
        name = f"{passage.passage_id}#{number}"
    passages.setdefault(name, passage.model_copy(update={"passage_id": name}))
    return name


def readings(
    answers: Sequence[MarkedAnswer],
    judged: Sequence[JudgedTurn],
    criteria: Sequence[Criterion],
    marks: Mapping[str, str],
    *,
    seed: int,
) -> tuple[Reading, ...]:
    """Every judge's written score, expected score and P(yes), where it has them, against the marks."""
    by_item = {turn.query_id: turn for turn in judged}
    judges = dict.fromkeys(verdict.judge for turn in judged for verdict in turn.verdicts)
    found: list[Reading] = []
    for one in criteria:
        for judge in judges:
            written = [_reading(by_item.get(answer.item_id), one.name, judge, "written") for answer in answers]
            for kind, field in _KINDS[one.reply].items():
                values = [_reading(by_item.get(answer.item_id), one.name, judge, field) for answer in answers]
                if _says_something(kind, values, written):
                    result = calibrate(values, answers, marks[one.name], seed=seed)
                    found.append(
                        Reading(
                            judge=judge, criterion=one.name, reading=kind, marks=marks[one.name], calibration=result
                        )
                    )
    return tuple(found)


def _says_something(kind: str, values: Sequence[float | None], written: Sequence[float | None]) -> bool:
    """Without log probabilities there is no P(yes), and what counts as the score is the written one."""
    return any(value is not None for value in values) and (kind == _WRITTEN or values != written)


def _reading(turn: JudgedTurn | None, criterion: str, judge: str, field: str) -> float | None:
    verdicts = turn.verdicts if turn else ()
    found = [v for v in verdicts if v.criterion == criterion and v.judge == judge and not v.adjudicator]
    values = [value for v in found if (value := getattr(v, field)) is not None]
    return sum(values) / len(values) if values else None
