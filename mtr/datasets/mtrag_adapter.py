"""mtRAG (IBM mt-rag-benchmark): 110 human conversations over four subsets. Apache-2.0; passages keep their own terms.

retrieval_tasks/<subset>/<subset>_lastturn.jsonl   {"_id", "text"}: the query as typed
retrieval_tasks/<subset>/<subset>_rewrite.jsonl    the standalone query
retrieval_tasks/<subset>/<subset>_questions.jsonl  all that the user said so far, a line each
retrieval_tasks/<subset>/qrels/dev.tsv             query-id, corpus-id, score
corpus_pool/<subset>.jsonl                         the passages; the published folder is called corpora/
conversations.jsonl                                answers and the turns without gold; a reconstruction, may be absent

Ids are `<conversation><::><turn>`. Each text begins with the marker `|user|: `, which is taken off. The path is the
folder that holds `retrieval_tasks`, or one subset in it. Without conversations.jsonl the histories hold the user's part
only, from the questions file, and turns without gold (unanswerable ones, chit-chat) do not appear. Last turns have no
answer where nobody rated one: None. Which turns are unanswerable these files do not say, so `answerable` is None.
Two subsets may share a passage id; passages carry their subset.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from mtr.datasets.foreign import Foreign, find_file, need_file, read_lines
from mtr.datasets.gathering import Passages, assistant, gather, read_corpus, user
from mtr.datasets.judgements import Judgements, read_judgements
from mtr.datasets.query_ids import split_query_id
from mtr.datasets.records import AnyTurn, Dataset, Said
from mtr.errors import InputError

LAYOUT = "mtrag"
LICENCE = "Apache-2.0; passages keep the terms of their sources"
TASKS = "retrieval_tasks"
POOLS = ("corpus_pool", "corpora", "corpora/passage_level")
_MARKER = re.compile(r"(?:^|\n)\|user\|: ?")


class _Query(Foreign):
    query_id: str = Field(alias="_id", min_length=1)
    text: str


class _Turn(Foreign):
    turn: int = Field(ge=1)
    task_id: str = Field(min_length=1)
    question: str
    answer: str | None = None


class _Conversation(Foreign):
    conversation_id: str = Field(min_length=1)
    domain: str
    turns: tuple[_Turn, ...]


@dataclass(frozen=True)
class _Tasks:
    """The files of one subset: queries as typed, rewrites and what the user said, by query id."""

    subset: str
    lastturn: Mapping[str, str]
    rewrite: Mapping[str, str]
    questions: Mapping[str, Sequence[str]]
    judgements: Judgements


def load(path: Path) -> Dataset:
    """The data set in the folder `path`: all subsets, or the one that `path` is."""
    folders = _subset_folders(path)
    inside = next((above for above in (path, *path.resolve().parents) if (above / TASKS).is_dir()), None)
    root = inside or path
    passages = Passages()
    tasks = [_read_tasks(folder) for folder in folders]
    notes: list[str] = []
    for one in tasks:
        pool = find_file(root, *(f"{place}/{one.subset}.jsonl" for place in POOLS))
        if pool is None:
            notes.append(f"{one.subset}: no passages, {root}/{POOLS[0]}/{one.subset}.jsonl is not there")
        else:
            read_corpus(pool, passages, one.subset)
        notes += [f"{one.subset}: {note}" for note in one.judgements.notes()]
    conversations = find_file(root, "conversations.jsonl")
    if conversations is None:
        notes.append("no conversations.jsonl: no answers, no turns without gold, and only queries in the histories")
    turns = [turn for one in tasks for turn in _turns(one, conversations)]
    return gather(path, LAYOUT, passages, turns, notes=notes, licence=LICENCE, language="en")


def _subset_folders(path: Path) -> list[Path]:
    """The folders of the subsets, sorted by name."""
    top = path / TASKS if (path / TASKS).is_dir() else path
    places = [top, *sorted(top.iterdir())] if top.is_dir() else []
    folders = [place for place in places if find_file(place, f"{place.resolve().name}_lastturn.jsonl")]
    if not folders:
        wanted = f"{TASKS}/<subset>/<subset>_lastturn.jsonl"
        raise InputError(f"{path} holds no subset of mtRAG; name the folder that has {wanted}, or that of one subset")
    return folders


def _read_tasks(folder: Path) -> _Tasks:
    subset = folder.resolve().name
    questions = find_file(folder, f"{subset}_questions.jsonl")
    rewrite = find_file(folder, f"{subset}_rewrite.jsonl")
    return _Tasks(
        subset=subset,
        lastturn=_first_said(need_file(folder, f"{subset}_lastturn.jsonl")),
        rewrite=_first_said(rewrite) if rewrite else {},
        questions=_said(questions) if questions else {},
        judgements=read_judgements(need_file(folder, "qrels/dev.tsv", "qrels/*.tsv")),
    )


def _said(path: Path) -> dict[str, list[str]]:
    """What the user said, message by message, by query id."""
    return {line.query_id: _messages(line.text) for _, line in read_lines(path, _Query)}


def _first_said(path: Path) -> dict[str, str]:
    """The one message of each line; a text of several lines is one message."""
    return {line.query_id: _MARKER.sub("", line.text, count=1) for _, line in read_lines(path, _Query)}


def _messages(text: str) -> list[str]:
    starts = [match.start() for match in _MARKER.finditer(text)]
    ends = [*starts[1:], len(text)]
    return [_MARKER.sub("", text[start:end], count=1) for start, end in zip(starts, ends, strict=True)]


def _turns(tasks: _Tasks, conversations: Path | None) -> Iterator[AnyTurn]:
    told: set[str] = set()
    for _, conversation in read_lines(conversations, _Conversation) if conversations else ():
        if conversation.domain == tasks.subset:
            for turn in _told(conversation, tasks):
                told.add(turn.query_id)
                yield turn
    for query_id, text in tasks.lastturn.items():
        if query_id not in told:
            before = tasks.questions.get(query_id, [])[:-1]
            yield _turn(query_id, text, tuple(user(message) for message in before), None, tasks)


def _told(conversation: _Conversation, tasks: _Tasks) -> Iterator[AnyTurn]:
    history: list[Said] = []
    for turn in conversation.turns:
        query = tasks.lastturn.get(turn.task_id, turn.question)
        yield _turn(turn.task_id, query, tuple(history), turn.answer, tasks)
        history.append(user(turn.question))
        if turn.answer is not None:
            history.append(assistant(turn.answer))


def _turn(query_id: str, query: str, history: tuple[Said, ...], answer: str | None, tasks: _Tasks) -> AnyTurn:
    conversation_id, turn = split_query_id(query_id)
    return AnyTurn(
        query_id=query_id,
        conversation_id=conversation_id,
        turn=turn,
        query=query,
        history=history,
        standalone_query=tasks.rewrite.get(query_id),
        answer=answer or None,
        gold=tasks.judgements.of(query_id),
        subset=tasks.subset,
    )
