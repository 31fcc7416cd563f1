"""MTR-Bench as published: conversations written by models over clusters of passages, with hard topic switches.

*.jsonl, *.json, *.parquet, *.arrow   a row a turn: {"messages": [{"role", "content"}] (2 · t of them, the last being
    the answer), "ctxs": [{"text", "document_idx"}], "ground_truth_document_idx", "ground_truth_ctx": {"text",
    "document_idx"}, "cluster_idx", "turn", "switch_turn" (-1: none)}

Rows have no ids and no conversation ids: the turns of a conversation stand one after another, so a row whose messages
do not go on begins a conversation, numbered from 1; 8 turns each in the paper, 12 in the later release, of which some
copies have the last row only. The turn is the number of queries so far. Two conversations were spliced behind turn
`switch_turn`, so the turn after it is the switch. Other moves the source does not tell, but for the first turn.
Passages are those shown with some turn, the `ctxs` and the gold, out of 1,041,047: a pool, unless a `corpus.jsonl` lies
beside. The other passages shown with a turn were near, not judged: they are no hard negatives. Who wrote the rows and
under which licence the files do not say.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from mtr.datasets.columnar import SUFFIXES, read_columnar
from mtr.datasets.foreign import Foreign, find_file, find_files, read_rows
from mtr.datasets.gathering import Passages, gather, passage_at, read_corpus
from mtr.datasets.messages import Message, said_in
from mtr.datasets.records import AnyTurn, Dataset, Gold, Said
from mtr.datasets.said_before import answer_of, conversation_numbers
from mtr.errors import InputError
from mtr.records import Move

LAYOUT = "mtr_bench"
PATTERNS = ("*.jsonl", "*.json", "*.parquet", "*.arrow")
BESIDE = frozenset({"corpus.jsonl", "corpus.jsonl.gz", "state.json", "dataset_info.json", "dataset_dict.json"})


def _listed(value: object) -> object:
    return value if isinstance(value, list | tuple) else () if value is None else (value,)


class _Passage(Foreign):
    document_idx: str | None = None
    text: str


class _Row(Foreign):
    messages: tuple[Message, ...] = Field(min_length=2)
    ctxs: tuple[_Passage, ...] = ()
    gold_ids: Annotated[tuple[str, ...], BeforeValidator(_listed)] = Field(
        alias="ground_truth_document_idx", default=()
    )
    gold: Annotated[tuple[_Passage, ...], BeforeValidator(_listed)] = Field(alias="ground_truth_ctx", default=())
    switch_turn: int | None = None


def load(path: Path) -> Dataset:
    """The data set in the file `path`, or in all files of rows in the folder `path`."""
    folder = path.parent if path.is_file() else path
    rows = [(where, row) for file in _files(path) for where, row in _rows(file)]
    said = [_said(where, row) for where, row in rows]
    passages = Passages()
    corpus = find_file(folder, "corpus.jsonl")
    if corpus:
        read_corpus(corpus, passages)
    for where, row in rows if not corpus else ():
        _pool(where, row, passages)
    numbers = conversation_numbers(said)
    turns = [_turn(row, one, number) for (_, row), one, number in zip(rows, said, numbers, strict=True)]
    notes = [] if corpus else ["the passages are those shown with some turn; the whole corpus is not in the rows"]
    notes += _lengths(turns)
    return gather(path, LAYOUT, passages, turns, notes=notes, repeats=not corpus)


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    files = [file for pattern in PATTERNS for file in find_files(path, pattern) if file.name not in BESIDE]
    if not files:
        raise InputError(f"{path} has no {', '.join(PATTERNS)}; name the folder of the rows")
    return files


def _rows(file: Path) -> Iterator[tuple[str, _Row]]:
    return read_columnar(file, _Row) if file.suffix in SUFFIXES else read_rows(file, _Row)


def _said(where: str, row: _Row) -> tuple[Said, ...]:
    said = said_in(row.messages, where)
    if [one.speaker for one in said[-2:]] != ["user", "assistant"]:
        raise InputError(f"{where}: messages: a row ends with a query and its answer; mend it, or check --format")
    return said


def _pool(where: str, row: _Row, passages: Passages) -> None:
    for place, passage in enumerate((*row.gold, *row.ctxs)):
        name = passage.document_idx
        if name is None and place < len(row.gold) == len(row.gold_ids):
            name = row.gold_ids[place]
        passages.add(passage_at(where, passage_id=name, text=passage.text))


def _turn(row: _Row, said: Sequence[Said], number: int) -> AnyTurn:
    turn = sum(one.speaker == "user" for one in said)
    ids = row.gold_ids or tuple(one.document_idx for one in row.gold if one.document_idx is not None)
    return AnyTurn(
        query_id=f"{number}::{turn}",
        conversation_id=str(number),
        turn=turn,
        query=said[-2].text,
        history=tuple(said[:-2]),
        answer=answer_of(said[-1].text),
        gold=tuple(Gold(passage_id=passage_id) for passage_id in dict.fromkeys(ids)),
        move=_move(row, turn),
    )


def _move(row: _Row, turn: int) -> Move | None:
    if turn == 1:
        return "open"
    return "switch" if row.switch_turn is not None and 0 < row.switch_turn == turn - 1 else None


def _lengths(turns: Sequence[AnyTurn]) -> Iterator[str]:
    longest = {turn.conversation_id: turn.turn for turn in turns}
    yield f"{len(longest)} conversations of {min(longest.values())} to {max(longest.values())} turns" if longest else ""
