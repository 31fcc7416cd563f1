"""Reads MTR's own data-set folder, checking each line and that the files fit each other."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import BaseModel, Field

from mtr.beir import read_passages
from mtr.datasets.manifest import Manifest, read_manifest
from mtr.datasets.own import QRELS_HEADER, TracedStep, qrels_lines, query_id
from mtr.datasets.staging import is_staged
from mtr.errors import InputError
from mtr.records import Conversation, Passage, Record
from mtr.storage import numbered_records, read_records


class OwnDataset(Record):
    """A data set in memory."""

    name: str
    manifest: Manifest
    passages: dict[str, Passage]
    conversations: tuple[Conversation, ...]


class _BeirQuery(BaseModel):
    id: str = Field(alias="_id")
    text: str


def read_dataset(folder: Path) -> OwnDataset:
    """The data set in `folder`. InputError names the file and line of the first thing wrong."""
    check_whole(folder)
    manifest = read_manifest(folder)
    passages = read_corpus(folder / "corpus.jsonl")
    conversations = tuple(read_conversations(folder, passages))
    _check_queries(folder / "queries.jsonl", {_id: query for _id, query, _ in _texts(conversations)})
    _check_queries(folder / "standalone_queries.jsonl", {_id: text for _id, _, text in _texts(conversations)})
    _check_qrels(folder / "qrels/test.tsv", conversations)
    return OwnDataset(name=folder.name, manifest=manifest, passages=passages, conversations=conversations)


def check_whole(folder: Path) -> None:
    """InputError when writing the folder was cut short."""
    if is_staged(folder):
        raise InputError(f"{folder} was not written to its end; run its `mtr generate` command again")


def read_corpus(path: Path) -> dict[str, Passage]:
    """The passages of corpus.jsonl by id; an id given twice is an error."""
    passages: dict[str, Passage] = {}
    for passage in read_passages(path):
        if passage.passage_id in passages:
            raise InputError(f"{path}: _id: {passage.passage_id!r} stands twice; passage ids are unique")
        passages[passage.passage_id] = passage
    return passages


def read_conversations(folder: Path, passages: Mapping[str, Passage]) -> Iterator[Conversation]:
    """The conversations, each turn's gold and evidence found verbatim in `passages`."""
    path = folder / "conversations.jsonl"
    seen: set[str] = set()
    for number, conversation in numbered_records(path, Conversation):
        name = conversation.conversation_id
        if name in seen:
            raise InputError(f"{path}:{number}: conversation_id: {name!r} stands twice")
        seen.add(name)
        for fault in _faults(conversation, passages):
            raise InputError(f"{path}:{number}: {name}, {fault}")
        yield conversation


def _faults(conversation: Conversation, passages: Mapping[str, Passage]) -> Iterator[str]:
    for place, turn in enumerate(conversation.turns, 1):
        if turn.turn != place:
            yield f"turns: number {turn.turn} stands where {place} belongs"
        if turn.refers_to is not None and not 1 <= turn.refers_to < turn.turn:
            yield f"turn {turn.turn}: refers_to: {turn.refers_to} is not an earlier turn"
        for passage_id in turn.gold:
            if passage_id not in passages:
                yield f"turn {turn.turn}: gold: {passage_id!r} is not in corpus.jsonl"
        for one in turn.evidence:
            if one.passage_id not in turn.gold:
                yield f"turn {turn.turn}: evidence: {one.passage_id!r} is not gold of this turn"
            elif passages[one.passage_id].text[one.start : one.end] != one.text:
                yield f"turn {turn.turn}: evidence: {one.text[:60]!r} is not at {one.start}:{one.end} of its passage"


def _texts(conversations: tuple[Conversation, ...]) -> Iterator[tuple[str, str, str]]:
    for conversation in conversations:
        for turn in conversation.turns:
            yield query_id(conversation.conversation_id, turn.turn), turn.query, turn.standalone_query


def _check_queries(path: Path, texts: Mapping[str, str]) -> None:
    seen: set[str] = set()
    for number, line in numbered_records(path, _BeirQuery):
        if line.id not in texts or line.id in seen or texts[line.id] != line.text:
            raise InputError(f"{path}:{number}: {line.id!r} is not the query that conversations.jsonl has")
        seen.add(line.id)
    if missing := sorted(set(texts) - seen):
        raise InputError(f"{path}: {missing[0]!r} and {len(missing) - 1} more queries are missing")


def _check_qrels(path: Path, conversations: tuple[Conversation, ...]) -> None:
    if not path.is_file():
        raise InputError(f"{path} does not exist or is not a file")
    expected = [QRELS_HEADER]
    for conversation in conversations:
        for turn in conversation.turns:
            expected.extend(qrels_lines(query_id(conversation.conversation_id, turn.turn), turn))
    with path.open(encoding="utf-8") as file:
        for number, (line, right) in enumerate(zip([*file, ""], [*expected, ""], strict=False), 1):
            if line != right:
                message = f"{path}:{number}: {line.strip()!r} stands where {right.strip()!r} belongs"
                raise InputError(f"{message}; qrels and the gold in conversations.jsonl must agree")


def read_traces(folder: Path, conversation_id: str) -> tuple[TracedStep, ...]:
    """The steps of one conversation; InputError lists conversations when there is none of that name."""
    path = folder / "traces.jsonl"
    steps: list[TracedStep] = []
    names: dict[str, None] = {}
    for step in read_records(path, TracedStep):
        names[step.conversation_id] = None
        if step.conversation_id == conversation_id:
            steps.append(step)
    if not steps:
        known = ", ".join(list(names)[:10]) + (" …" if len(names) > 10 else "")
        raise InputError(f"{folder} has no conversation {conversation_id!r}; it has: {known or 'none'}")
    return tuple(steps)
