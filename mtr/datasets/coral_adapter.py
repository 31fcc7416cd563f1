"""CORAL: conversations made from the headings of Wikipedia pages. CC BY-SA 4.0.

*conversation*.json  a list, or lines: {"conv_id", "turns": [{"turn_id", "question", "response", "golden_rewrite",
                     "golden_docs_pids", "golden_docs_text"}]}
*.tsv                the passages, a line each: id and text; or *corpus*.json, lines of {"ref_id", "ref_string"}

A pid is the place of a passage in the corpus, counted from 1, whatever the id column says: pid n is line n, and
`passage_id` is the pid. A header line is not counted. Where the corpus is not there, the passages are the gold texts,
paired with their pids in order. Where both are there and the texts differ, the count of it is stated: the pids do not
belong to this corpus then. Responses carry citation marks such as [12], which are left as they are.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from mtr.datasets.foreign import Foreign, find_file, find_files, need_file, read_rows, text_lines
from mtr.datasets.gathering import Passages, gather
from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold
from mtr.datasets.said_before import answer_of, with_history
from mtr.errors import InputError

LAYOUT = "coral"
LICENCE = "CC BY-SA 4.0"
CORPUS = "*corpus*.json*"


def _listed(value: object) -> object:
    return value if isinstance(value, list) else [] if value is None else [value]


class _Turn(Foreign):
    turn_id: int = Field(ge=1)
    question: str
    response: str | None = None
    golden_rewrite: str | None = None
    golden_docs_pids: Annotated[tuple[int, ...], BeforeValidator(_listed)] = ()
    golden_docs_text: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()


class _Conversation(Foreign):
    conv_id: str = Field(min_length=1)
    turns: tuple[_Turn, ...]


class _Reference(Foreign):
    ref_string: str


def load(path: Path) -> Dataset:
    """The data set in the folder `path`, or in the file `path` with the corpus beside or above."""
    folder = path.parent if path.is_file() else path
    files = [path] if path.is_file() else find_files(path, "*conversation*.json*")
    files = files or [file for file in find_files(path, "*.json*") if file not in find_files(path, CORPUS)]
    passages = Passages()
    corpus = next((file for place in (folder, folder.parent) if (file := find_file(place, "*.tsv", CORPUS))), None)
    if corpus:
        _read_corpus(corpus, passages)
    conversations = [
        conversation
        for file in files or [need_file(path, "*conversation*.json")]
        for where, conversation in read_rows(file, _Conversation)
        if _check(where, conversation)
    ]
    given = [one for conversation in conversations for turn in conversation.turns for one in _gold_texts(turn)]
    notes = [] if corpus else [f"no corpus beside ({folder}/*.tsv): the passages are the gold passages only"]
    differing = sum(_differs(passage, passages) for passage in given) if corpus else 0
    if differing:
        notes.append(f"{differing} gold texts differ from the passage at their pid: this may be another corpus")
    for passage in () if corpus else given:
        passages.add(passage)
    turns = [turn for conversation in conversations for turn in _turns(conversation)]
    return gather(path, LAYOUT, passages, turns, notes=notes, repeats=True, licence=LICENCE, language="en")


def _check(where: str, conversation: _Conversation) -> bool:
    """InputError for a pid below 1: the corpus is counted from 1."""
    for place, turn in enumerate(conversation.turns):
        low = [pid for pid in turn.golden_docs_pids if pid < 1]
        if low:
            field = f"turns.{place}.golden_docs_pids"
            raise InputError(f"{where}: {field}: {low[0]} of {conversation.conv_id!r}; pids are counted from 1")
    return True


def _read_corpus(file: Path, passages: Passages) -> None:
    if ".tsv" not in file.suffixes:
        for place, (_, row) in enumerate(read_rows(file, _Reference), 1):
            passages.add(AnyPassage(passage_id=str(place), text=row.ref_string))
        return
    header = 0
    for number, line in text_lines(file):
        name, tab, text = line.partition("\t")
        if not tab:
            raise InputError(f"{file}:{number}: no tab; a line of the corpus is an id and a text")
        if number == 1 and not name.isdigit():
            header = 1
        else:
            passages.add(AnyPassage(passage_id=str(number - header), text=text))


def _gold_texts(turn: _Turn) -> Iterator[AnyPassage]:
    """The gold passages whose text the turn gives; none where pids and texts do not pair up."""
    if len(turn.golden_docs_pids) == len(turn.golden_docs_text):
        for pid, text in zip(turn.golden_docs_pids, turn.golden_docs_text, strict=True):
            yield AnyPassage(passage_id=str(pid), text=text)


def _differs(given: AnyPassage, passages: Passages) -> bool:
    found = passages.found.get(given.passage_id)
    return found is not None and found.text.split() != given.text.split()


def _turns(conversation: _Conversation) -> Iterator[AnyTurn]:
    turns = sorted(conversation.turns, key=lambda turn: turn.turn_id)
    histories = with_history((turn.question, turn.response) for turn in turns)
    for turn, history in zip(turns, histories, strict=True):
        yield AnyTurn(
            query_id=f"{conversation.conv_id}_{turn.turn_id}",
            conversation_id=conversation.conv_id,
            turn=turn.turn_id,
            query=turn.question,
            history=history,
            standalone_query=turn.golden_rewrite or None,
            answer=answer_of(turn.response),
            gold=tuple(Gold(passage_id=str(pid)) for pid in dict.fromkeys(turn.golden_docs_pids)),
        )
