"""Adapters of ChatRAG-Bench, MTR-Bench and TREC CAsT."""

from pathlib import Path

import pytest
from support import foreign
from support.foreign import FERRY, KEEPER, TOWER
from support.foreign_messages import (
    CAST_2019,
    CAST_2021,
    CAST_2022,
    CAST_2022_FLAT,
    CHATRAG,
    CHATRAG_DOCUMENTS,
    MTR_BENCH,
    MTR_BENCH_ROWS,
    messages,
)
from support.seeing import by_id, gold, golds, history, places

from mtr.datasets.adapters import load_dataset
from mtr.datasets.records import Dataset
from mtr.errors import InputError


def load(tmp_path: Path, layout: str, *parts: foreign.Files) -> Dataset:
    """The data set of some files together."""
    for files in parts:
        foreign.write(tmp_path / "set", files)
    return load_dataset(tmp_path / "set", layout)


def test_chatrag_bench_with_documents(tmp_path: Path) -> None:
    dataset = load(tmp_path, "chatrag_bench", CHATRAG, CHATRAG_DOCUMENTS)
    assert [passage.text for passage in dataset.passages.values()] == [FERRY, KEEPER, KEEPER, "x", TOWER]
    lit, kept, ferry = dataset.turns
    assert places(dataset) == [("lamp_0", "lamp-1", 1), ("lamp_1", "lamp-1", 2), ("lamp_2", "lamp-2", 1)]
    assert gold(lit) == [("lamp/skarvik#4", 1)] and history(lit) == []
    assert (lit.answer, lit.other_answers, lit.subset, lit.answerable) == ("In 1871.", ("1871",), "lamp", True)
    found, lost = golds(dataset)["lamp_1"]
    assert found == "lamp/skarvik#1" and lost not in dataset.passages
    assert history(kept) == ["u: When was it lit?", "a: In 1871."]
    assert (kept.answer, kept.answerable) == (None, False)
    assert (ferry.answer, ferry.answerable, ferry.gold) == ("On Sundays.", None, ())
    assert "lamp: 2 gold passages have the index -1: their publishers found no match" in dataset.notes
    assert "lamp: 1 of 3 gold passages are not in the corpus" in dataset.notes


def test_chatrag_bench_without_documents(tmp_path: Path) -> None:
    dataset = load(tmp_path, "chatrag_bench", CHATRAG)
    assert load_dataset(tmp_path / "set/lamp", "chatrag_bench").turns == dataset.turns
    assert sorted(passage.text for passage in dataset.passages.values()) == sorted([TOWER, KEEPER, FERRY])
    assert dataset.passages["lamp/skarvik#4"].text == TOWER, "the gold's index names the passage shown with it"
    assert dataset.passages[golds(dataset)["lamp_1"][0]].text == KEEPER
    assert dataset.notes[0].startswith("lamp: no documents.json")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"messages": messages("q", "a")}, r"test.json\[0\]: messages: the last one is not the user's"),
        ({"messages": [{"role": "tool", "content": "x"}]}, r"test.json\[0\]: messages.0.role: 'tool' is not user"),
        ({"messages": []}, r"test.json\[0\]: messages: "),
        ({"messages": messages("q"), "ctxs": 3}, r"test.json\[0\]: ctxs: "),
    ],
)
def test_chatrag_bench_faults(row: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        load(tmp_path, "chatrag_bench", {"test.json": [row]})


def check_mtr_bench(dataset: Dataset) -> None:
    """What every kind of file must give."""
    assert places(dataset) == [("1::1", "1", 1), ("1::2", "1", 2), ("1::3", "1", 3), ("2::1", "2", 1)]
    assert [turn.move for turn in dataset.turns] == ["open", "switch", None, "open"]
    assert golds(dataset) == {"1::1": ["11"], "1::2": ["13"], "1::3": ["13"], "2::1": ["12"]}
    third = by_id(dataset)["1::3"]
    assert history(third) == ["u: When was it lit?", "a: In 1871.", "u: Is there a ferry?", "a: On Sundays."]
    assert (third.query, third.answer, third.hard_negatives) == ("Only then?", "Yes.", ())
    assert {name: one.text for name, one in dataset.passages.items()} == {"11": TOWER, "12": KEEPER, "13": FERRY}
    assert "2 conversations of 1 to 3 turns" in dataset.notes


def test_mtr_bench_lines(tmp_path: Path) -> None:
    check_mtr_bench(load(tmp_path, "mtr_bench", MTR_BENCH))


@pytest.mark.parametrize("kind", ["rows.parquet", "stream.arrow", "file.arrow"])
def test_mtr_bench_columns(kind: str, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_pylist(MTR_BENCH_ROWS)
    path = tmp_path / kind
    if path.suffix == ".parquet":
        pytest.importorskip("pyarrow.parquet").write_table(table, path)
    else:
        new = pyarrow.ipc.new_stream if kind.startswith("stream") else pyarrow.ipc.new_file
        with new(str(path), table.schema) as writer:
            writer.write_table(table)
    check_mtr_bench(load_dataset(path))
    assert load_dataset(tmp_path).turns == load_dataset(path).turns
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InputError, match=rf"{kind}: cannot be read .*; fetch the file again"):
        load_dataset(path, "mtr_bench")


def test_mtr_bench_fields_are_checked_in_columns_too(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_pylist([{"messages": messages("q", "a")}, {"messages": None}])
    pytest.importorskip("pyarrow.parquet").write_table(table, tmp_path / "rows.parquet")
    with pytest.raises(InputError, match=r"rows.parquet\[1\]: messages: "):
        load_dataset(tmp_path / "rows.parquet", "mtr_bench")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"messages": messages("q", "a", "q")}, r"test.jsonl:1: messages: a row ends with a query and its answer"),
        ({"messages": messages("q", "a"), "ctxs": [{"text": "x"}]}, r"test.jsonl:1: passage_id: "),
    ],
)
def test_mtr_bench_faults(row: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        load(tmp_path, "mtr_bench", {"test.jsonl": [row]})


def test_cast_2019_has_no_answers(tmp_path: Path) -> None:
    dataset = load(tmp_path, "cast", CAST_2019)
    assert places(dataset) == [("1_1", "1", 1), ("1_2", "1", 2), ("1_3", "1", 3)]
    assert gold(dataset.turns[0]) == [("p1", 4)] and gold(dataset.turns[1]) == [("p2", 1)]
    assert history(dataset.turns[2]) == ["u: When was it lit? ", "u: Who kept it?"]
    assert [turn.standalone_query for turn in dataset.turns] == ["When was it lit?", "Who kept the lighthouse?", None]
    assert {
        "topics: evaluation_topics_v1.0.json",
        "1 turns are not judged at all",
        "1 judgements have a grade of 0 or less: judged, and no gold",
        "1 judgements repeat a pair of query and passage; the first counts",
        "2 of 2 gold passages are not in the corpus",
        "3 of 3 turns have no answer",
    } <= set(dataset.notes)


def test_cast_2021_takes_the_manual_topics(tmp_path: Path) -> None:
    dataset = load(tmp_path, "cast", CAST_2021, {"corpus.jsonl": foreign.CORPUS})
    first, second = dataset.turns
    assert (first.answer, first.standalone_query) == ("In 1871.", "When was the lighthouse lit?")
    assert history(second) == ["u: When was it lit?", "a: In 1871."] and second.answer is None
    assert dataset.gold_texts(first)[0].text == TOWER


def test_cast_2022_is_a_tree(tmp_path: Path) -> None:
    dataset = load(tmp_path, "cast", CAST_2022)
    assert places(dataset) == [("5_1-1", "5", 1), ("5_1-3", "5", 2), ("5_2-1", "5", 2), ("5_2-3", "5", 3)]
    turns = by_id(dataset)
    assert (turns["5_1-1"].answer, turns["5_1-1"].standalone_query) == ("In 1871.", "When was the lamp lit?")
    path = ["u: When was it lit?", "a: In 1871."]
    assert history(turns["5_1-3"]) == history(turns["5_2-1"]) == path
    assert history(turns["5_2-3"]) == [*path, "u: How high is it?", "a: 23 metres."]
    assert golds(dataset) == {"5_1-1": ["p1"], "5_1-3": [], "5_2-1": ["p1"], "5_2-3": []}


def test_cast_2022_flattened_repeats_turns(tmp_path: Path) -> None:
    dataset = load(tmp_path, "cast", CAST_2022_FLAT)
    assert [turn.query_id for turn in dataset.turns] == ["5_1-1", "5_1-3", "5_2-1"]
    assert history(dataset.turns[2]) == ["u: When was it lit?", "a: In 1871."]
    assert "1 of 4 turns have the id of another one; the first is kept" in dataset.notes


@pytest.mark.parametrize("parent", ["9-9", "1-1"])
def test_cast_trees_must_be_trees(parent: str, tmp_path: Path) -> None:
    topics = [{"number": 5, "turn": [{"number": "1-1", "parent": parent, "utterance": "q"}]}]
    with pytest.raises(InputError, match=rf"topic 5, turn 1-1: parent: '{parent}' is no turn above it"):
        load(tmp_path, "cast", {"topics.json": topics})
