"""A small BEIR folder without a fault, made by arithmetic, and its data set; tests plant faults in its lines."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold, Said

PASSAGES, CONVERSATIONS, TURNS = 7, 3, 2

Lines = Mapping[str, list[str]]
CORPUS, QUERIES, STANDALONE, QRELS = "corpus.jsonl", "queries.jsonl", "standalone_queries.jsonl", "qrels/test.tsv"


def passage_text(number: int) -> str:
    return f"The harbour of town {number} was built in {1800 + number} and is closed at night when the tide is low."


def query_text(number: int) -> str:
    return f"when was the harbour of town {number} built, and at which hours of the day is it closed to ships?"


def row(identifier: object, text: object, **others: object) -> str:
    return json.dumps({"_id": identifier, "text": text, **others}, ensure_ascii=False)


def clean_lines() -> dict[str, list[str]]:
    """The lines of each file; turn t of conversation c is answered by passage 2c + t - 2, passage 7 by nothing."""
    turns = [(f"c{c}::{t}", 2 * c + t - 2) for c in range(1, CONVERSATIONS + 1) for t in range(1, TURNS + 1)]
    return {
        CORPUS: [row(str(n), passage_text(n), title="") for n in range(1, PASSAGES + 1)],
        QUERIES: [row(name, f"and {query_text(n)}") for name, n in turns],
        STANDALONE: [row(name, query_text(n)) for name, n in turns],
        QRELS: ["query-id\tcorpus-id\tscore", *(f"{name}\t{n}\t1" for name, n in turns)],
    }


def write_lines(folder: Path, lines: Lines) -> Path:
    for name, content in lines.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(f"{line}\n" for line in content), encoding="utf-8")
    return folder


def write_beir(folder: Path, change: Callable[[dict[str, list[str]]], None] = lambda _: None) -> Path:
    """The folder, after `change` had its way with the lines."""
    lines = clean_lines()
    change(lines)
    return write_lines(folder, lines)


def clean_set() -> Dataset:
    """The same as a data set with answers, as an adapter of conversations would give it."""
    return Dataset(
        name="harbours",
        layout="beir",
        passages={str(n): AnyPassage(passage_id=str(n), text=passage_text(n)) for n in range(1, PASSAGES + 1)},
        turns=tuple(make_turn(c, t) for c in range(1, CONVERSATIONS + 1) for t in range(1, TURNS + 1)),
        language="en",
        licence="CC0",
        notes=("a note",),
    )


def make_turn(conversation: int, turn: int) -> AnyTurn:
    number = 2 * conversation + turn - 2
    history = [said for t in range(1, turn) for said in _pair(2 * conversation + t - 2)]
    return AnyTurn(
        query_id=f"c{conversation}::{turn}",
        conversation_id=f"c{conversation}",
        turn=turn,
        query=f"and {query_text(number)}",
        history=tuple(history),
        standalone_query=query_text(number),
        answer=f"In {1800 + number}.",
        gold=(Gold(passage_id=str(number)),),
    )


def _pair(number: int) -> tuple[Said, Said]:
    said = f"and {query_text(number)}", f"In {1800 + number}."
    return Said(speaker="user", text=said[0]), Said(speaker="assistant", text=said[1])
