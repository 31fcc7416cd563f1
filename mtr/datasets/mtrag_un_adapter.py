"""MTRAG-UN (IBM mt-rag-benchmark): 507 single tasks, a third of them unanswerable or underspecified. Apache-2.0.

reference.jsonl  {"conversation_id", "task_id", "turn" (a string), "Collection", "input": [{"speaker", "text"}],
                  "targets": [{"text", "metadata"}], "contexts": [{"document_id", "title", "text"}],
                  "answerability": [one]}
qrels/*.tsv      query-id, corpus-id, score; ids are the task ids

A task is the last turn of a conversation: the last of `input` is the query, the rest its history, the first of
`targets` the answer. The passages are those that stand in some task's contexts, a closed pool. Gold is what the qrels
judge (332 tasks, all answerable or partial, exactly their contexts); the contexts of underspecified tasks are no gold.
`answerability`: ANSWERABLE and PARTIAL are answerable, UNANSWERABLE is not, UNDERSPECIFIED is neither (None). The
subset is the `Collection`, `ibmcloud` being called `cloud` as in the qrels and in mtRAG. Targets say who wrote them.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pydantic import Field

from mtr.datasets.foreign import Foreign, find_files, need_file, read_lines
from mtr.datasets.gathering import Passages, assistant, gather, user
from mtr.datasets.judgements import Judgements, read_judgements
from mtr.datasets.records import AnyPassage, AnyTurn, Dataset
from mtr.datasets.said_before import answer_of
from mtr.errors import InputError

LAYOUT = "mtrag_un"
LICENCE = "Apache-2.0; passages keep the terms of their sources"
ANSWERABLE = {"ANSWERABLE": True, "PARTIAL": True, "UNANSWERABLE": False}


class _Writer(Foreign):
    author_type: str = ""
    author_id: str = ""


class _Text(Foreign):
    speaker: str = ""
    text: str
    metadata: _Writer = _Writer()


class _Context(Foreign):
    document_id: str = Field(min_length=1)
    title: str | None = None
    text: str


class _Task(Foreign):
    conversation_id: str
    task_id: str = Field(min_length=1)
    turn: int = Field(ge=1)
    collection: str = Field(alias="Collection", default="")
    input: tuple[_Text, ...] = Field(min_length=1)
    targets: tuple[_Text, ...] = ()
    contexts: tuple[_Context, ...] = ()
    answerability: tuple[str, ...] = ()


def load(path: Path) -> Dataset:
    """The data set in the folder `path`, or of the reference file `path`."""
    folder = path.parent if path.is_file() else path
    file = path if path.is_file() else need_file(folder, "reference.jsonl", "reference*.jsonl")
    qrels = find_files(folder, "qrels/*.tsv")
    judgements = read_judgements(*qrels)
    passages = Passages()
    turns: list[AnyTurn] = []
    told = Counter[str]()
    unjudged = 0
    for number, task in read_lines(file, _Task):
        if task.input[-1].speaker != "user":
            raise InputError(f"{file}:{number}: input: the last message is not the user's; a task ends with its query")
        told.update(task.answerability)
        turn = _turn(task, judgements)
        unjudged += bool(task.contexts and not turn.gold)
        turns.append(turn)
        for context in task.contexts:
            passages.add(_passage(context, _subset(task)))
    notes = [f"answerability: {', '.join(f'{name} {n}' for name, n in sorted(told.items())) or 'not said'}"]
    if not qrels:
        notes.append(f"no gold: {folder}/qrels/*.tsv is not there")
    elif unjudged:
        notes.append(f"{unjudged} tasks have contexts without judgements; those passages are in the pool, and no gold")
    notes += judgements.notes()
    return gather(path, LAYOUT, passages, turns, notes=notes, repeats=True, licence=LICENCE, language="en")


def _subset(task: _Task) -> str:
    return "cloud" if task.collection == "ibmcloud" else task.collection


def _passage(context: _Context, subset: str) -> AnyPassage:
    return AnyPassage(passage_id=context.document_id, title=context.title or "", text=context.text, subset=subset)


def _turn(task: _Task, judgements: Judgements) -> AnyTurn:
    answers = [target for target in task.targets if answer_of(target.text) is not None]
    return AnyTurn(
        query_id=task.task_id,
        conversation_id=task.conversation_id,
        turn=task.turn,
        query=task.input[-1].text,
        history=tuple(user(one.text) if one.speaker == "user" else assistant(one.text) for one in task.input[:-1]),
        answer=answers[0].text if answers else None,
        other_answers=tuple(target.text for target in answers[1:]),
        gold=judgements.of(task.task_id),
        subset=_subset(task),
        answerable=ANSWERABLE.get(task.answerability[0]) if len(task.answerability) == 1 else None,
        written_by=tuple(_models(answers[:1])),
    )


def _models(answers: list[_Text]) -> Iterator[str]:
    return (one.metadata.author_id for one in answers if one.metadata.author_type == "model" and one.metadata.author_id)
