"""MTR's own data-set folder: a BEIR folder plus conversations, traces and a manifest.

corpus.jsonl              {"_id", "title", "text", "metadata": {"doc_id", "start", "end", "source", …}}
queries.jsonl             {"_id": "<conversation_id>::<turn>", "text": query as typed}
standalone_queries.jsonl  the same ids, the text being the standalone query
qrels/test.tsv            query-id, corpus-id, score, under a header
conversations.jsonl       a Conversation a line
traces.jsonl              a TracedStep a line, in the order of the conversations and of their steps
manifest.json             written last; see mtr/datasets/manifest.py
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TextIO

from mtr.beir import write_passages
from mtr.datasets.manifest import Manifest, read_manifest
from mtr.datasets.staging import is_staged, write_staged
from mtr.errors import InputError
from mtr.records import Conversation, Passage, Record, Step, Turn
from mtr.storage import check_can_be_made, json_line, replace_lines, replace_text

QRELS_HEADER = "query-id\tcorpus-id\tscore\n"
FILES = (
    "corpus.jsonl",
    "queries.jsonl",
    "standalone_queries.jsonl",
    "qrels/test.tsv",
    "conversations.jsonl",
    "traces.jsonl",
    "manifest.json",
)


_NOTHING_MORE: Mapping[str, Iterable[str]] = {}


class Made(Record):
    """A conversation and the steps that led to it, in order."""

    conversation: Conversation
    steps: tuple[Step, ...] = ()


class TracedStep(Step):
    """A line of traces.jsonl."""

    conversation_id: str


def query_id(conversation_id: str, turn: int) -> str:
    """The id of a turn's query in queries.jsonl and the qrels."""
    return f"{conversation_id}::{turn}"


def check_folder(folder: Path) -> None:
    """InputError when `folder` holds something that MTR did not write."""
    check_can_be_made(folder, "the data set")
    if not folder.exists() or is_staged(folder) or not any(folder.iterdir()):
        return
    try:
        read_manifest(folder)
    except InputError as error:
        message = f"{folder} is not empty and holds no data set of MTR's; name another folder, or empty this one"
        raise InputError(message) from error


def write_dataset(
    folder: Path,
    passages: Iterable[Passage],
    made: Iterable[Made],
    manifest: Manifest,
    more: Mapping[str, Iterable[str]] = _NOTHING_MORE,
) -> None:
    """Write the folder whole: all files are staged first, then moved in place, the manifest last.

    `more` are files of its own that a kind of data set adds, as the pieces of their text by name.
    The same passages and conversations give the same bytes. InputError: the folder is not MTR's, or cannot be written.
    """
    check_folder(folder)

    def fill(stage: Path) -> None:
        write_passages(stage / "corpus.jsonl", passages)
        _stage_conversations(stage, made)
        for name, pieces in more.items():
            replace_lines(stage / name, pieces)
        replace_text(stage / "manifest.json", manifest.model_dump_json(indent=2) + "\n")

    write_staged(folder, (*more, *FILES), fill)


def _stage_conversations(stage: Path, made: Iterable[Made]) -> None:
    with (
        _open(stage / "queries.jsonl") as queries,
        _open(stage / "standalone_queries.jsonl") as standalone,
        _open(stage / "qrels/test.tsv") as qrels,
        _open(stage / "conversations.jsonl") as conversations,
        _open(stage / "traces.jsonl") as traces,
    ):
        qrels.write(QRELS_HEADER)
        for one in made:
            conversation = one.conversation
            conversations.write(json_line(conversation.model_dump(mode="json")))
            for step in one.steps:
                line = {"conversation_id": conversation.conversation_id, **step.model_dump(mode="json")}
                traces.write(json_line(line))
            for turn in conversation.turns:
                name = query_id(conversation.conversation_id, turn.turn)
                queries.write(json_line({"_id": name, "text": turn.query}))
                standalone.write(json_line({"_id": name, "text": turn.standalone_query}))
                qrels.writelines(qrels_lines(name, turn))


def _open(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8", newline="\n")


def qrels_lines(name: str, turn: Turn) -> Iterator[str]:
    """A line for each gold passage of the turn whose query is `name`."""
    return (f"{name}\t{passage_id}\t1\n" for passage_id in turn.gold)
