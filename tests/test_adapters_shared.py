"""Adapters on real data, counted; skipped where the folder that MTR_SHARED names is not there."""

import os
from collections import Counter
from pathlib import Path

import pytest

from mtr.datasets.adapters import load_dataset
from mtr.datasets.records import Dataset


def load(name: str, layout: str) -> Dataset:
    """A real data set, recognised without help."""
    folder = os.environ.get("MTR_SHARED")
    if not folder:
        pytest.skip("MTR_SHARED is not set")
    dataset = load_dataset(Path(folder) / "data" / name)
    assert dataset.layout == layout
    return dataset


def conversations(dataset: Dataset) -> int:
    """How many there are."""
    return len({turn.conversation_id for turn in dataset.turns})


def present(dataset: Dataset, subset: str) -> tuple[int, int]:
    """Gold passages of a subset that the corpus holds, and all of them."""
    gold = {one.passage_id for turn in dataset.turns if turn.subset == subset for one in turn.gold}
    return len(gold & dataset.passages.keys()), len(gold)


def test_mtrag() -> None:
    dataset = load("mtrag", "mtrag")
    assert conversations(dataset) == 110 and len(dataset.turns) == 827
    assert sum(bool(turn.gold) for turn in dataset.turns) == 777
    assert sum(len(turn.gold) > 1 for turn in dataset.turns) == 671
    assert sum(turn.answer is None for turn in dataset.turns) == 90
    last = {turn.conversation_id: turn for turn in dataset.turns}
    assert all(turn is last[turn.conversation_id] for turn in dataset.turns if turn.answer is None)
    assert Counter(passage.subset for passage in dataset.passages.values()) == {"clapnq": 10_440, "cloud": 6_227}
    assert present(dataset, "clapnq") == (488, 499) and present(dataset, "cloud") == (395, 415)
    assert sum(not passage.text.strip() for passage in dataset.passages.values()) == 3
    assert all("|user|" not in turn.query for turn in dataset.turns)
    assert all(len(turn.history) == 2 * (turn.turn - 1) for turn in dataset.turns)
    assert all(bool(turn.gold) == (turn.standalone_query is not None) for turn in dataset.turns)


def test_one_subset_of_mtrag() -> None:
    dataset = load("mtrag/retrieval_tasks/cloud", "mtrag")
    assert len(dataset.passages) == 6_227 and {turn.subset for turn in dataset.turns} == {"cloud"}
    assert sum(bool(turn.gold) for turn in dataset.turns) == 188


def test_mtrag_un() -> None:
    dataset = load("mtrag_un", "mtrag_un")
    assert len(dataset.turns) == 507 and len(dataset.passages) == 1_152
    assert dataset.notes[0] == "answerability: ANSWERABLE 285, PARTIAL 47, UNANSWERABLE 97, UNDERSPECIFIED 78"
    assert Counter(turn.answerable for turn in dataset.turns) == {True: 332, False: 97, None: 78}
    assert sum(bool(turn.gold) for turn in dataset.turns) == 332
    assert all(one.passage_id in dataset.passages for turn in dataset.turns for one in turn.gold)
    assert all(len(turn.history) == 2 * (turn.turn - 1) for turn in dataset.turns)
    assert {turn.subset for turn in dataset.turns} == {"clapnq", "cloud", "fiqa", "govt"}


def test_qrecc() -> None:
    dataset = load("qrecc", "qrecc")
    assert sum(turn.answer is not None and turn.query != "" for turn in dataset.turns) == 204
    assert [len(turn.gold) for turn in dataset.turns if turn.query_id == "2774_1"] == [1]


def test_quac() -> None:
    dataset = load("quac", "quac")
    assert len(dataset.turns) == 6 and all(turn.gold and turn.evidence for turn in dataset.turns)
    for turn in dataset.turns:
        for one in turn.evidence:
            assert dataset.passages[one.passage_id].text[one.start : one.end] == one.text
    assert "6 of 12 turns have the id of another one; the first is kept" in dataset.notes


def test_doc2dial() -> None:
    dataset = load("doc2dial", "doc2dial")
    assert [(turn.turn, len(turn.history), bool(turn.gold)) for turn in dataset.turns] == [
        (1, 0, True),
        (2, 2, True),
        (3, 4, True),
    ]


def test_topiocqa() -> None:
    dataset = load("topiocqa", "topiocqa")
    assert len(dataset.turns) == 7 and sum(turn.answerable is False for turn in dataset.turns) == 2
    assert len(dataset.turns[6].history) == 11, "nobody knows the answer of the sixth turn"


def test_cast() -> None:
    dataset = load("cast/2019", "cast")
    assert conversations(dataset) == 50 and len(dataset.turns) == 479
    assert sum(bool(turn.gold) for turn in dataset.turns) == 173
    grades = Counter(one.grade for turn in dataset.turns for one in turn.gold)
    assert grades == {1: 2_889, 2: 2_157, 3: 1_456, 4: 1_618}
    assert all(turn.standalone_query for turn in dataset.turns)


def test_scifact() -> None:
    dataset = load("scifact", "beir")
    assert len(dataset.passages) == 5_183 and len(dataset.turns) == 300
    assert all(turn.gold for turn in dataset.turns) and dataset.notes[0] == "the split is test"
