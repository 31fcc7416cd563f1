"""Adapters of BEIR-like folders, our own among them; layouts are recognised, and errors say where."""

import gzip
import sys
from pathlib import Path

import pytest
from support import foreign, foreign_messages, foreign_sections
from support.conversations import make_conversation, make_passage
from support.manifests import make_manifest
from support.seeing import by_id, gold, golds, history, places

from mtr.datasets.adapters import ADAPTERS, load_dataset
from mtr.datasets.foreign import find_file, text_lines
from mtr.datasets.own import Made, write_dataset
from mtr.datasets.query_ids import split_query_id
from mtr.errors import InputError

LAYOUTS: dict[str, foreign.Files] = {
    "beir": foreign.BEIR,
    "mtrag": foreign.MTRAG,
    "mtrag_un": foreign.MTRAG_UN,
    "qrecc": foreign.QRECC,
    "topiocqa": foreign.TOPIOCQA,
    "quac": foreign_sections.QUAC,
    "doc2dial": foreign_sections.DOC2DIAL,
    "inscit": foreign_sections.INSCIT,
    "coral": foreign_sections.CORAL,
    "chatrag_bench": {"test.json": foreign_messages.CHATRAG["lamp/test.json"]},
    "mtr_bench": foreign_messages.MTR_BENCH,
    "cast": foreign_messages.CAST_2019,
}


def test_every_layout_has_a_fixture() -> None:
    assert {*LAYOUTS, "own", "converted"} == set(ADAPTERS)
    assert all(name == adapter.name and adapter.description for name, adapter in ADAPTERS.items())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_are_recognised_and_read_the_same(layout: str, tmp_path: Path) -> None:
    folder = foreign.write(tmp_path / "set", LAYOUTS[layout])
    dataset = load_dataset(folder)
    assert dataset == load_dataset(folder, layout)
    assert dataset.layout == layout and dataset.name == "set" and dataset.turns


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name not in {"beir", "mtrag"}])
def test_damaged_json_is_named_by_its_file(layout: str, tmp_path: Path) -> None:
    folder = foreign.write(tmp_path / "set", LAYOUTS[layout])
    file = max(folder.rglob("*.json*"), key=lambda path: path.stat().st_size)
    raw = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    file.write_bytes(raw[: len(raw) // 2])
    with pytest.raises(InputError, match=rf"{file.name}.*: Invalid JSON"):
        load_dataset(folder, layout)


@pytest.mark.parametrize(
    ("files", "layout", "message"),
    [
        ({}, None, r"not plain to see; give it with --format, one of: own, converted, beir"),
        ({"notes.txt": "x"}, None, r"not plain to see"),
        ({"a.json": [{"number": 1}], "b.json": 3}, None, r"not plain to see"),
        ({**foreign.QRECC, **foreign_sections.QUAC}, None, r"not plain to see"),
        (foreign.BEIR, "bier", r"no layout 'bier'; --format knows: own"),
        ({}, "beir", r"qrels has no .tsv file"),
        ({"qrels/test.tsv": "a\tb\t1\n"}, "beir", r"has no corpus.jsonl \(plain or .gz\)"),
        ({}, "mtrag", r"holds no subset of mtRAG; name the folder that has retrieval_tasks/"),
        ({}, "mtrag_un", r"has no reference.jsonl"),
        ({}, "qrecc", r"has no turn in the layout qrecc"),
        ({}, "quac", r"has no \*.json"),
        ({}, "mtr_bench", r"has no \*.jsonl, \*.json, \*.parquet, \*.arrow"),
        ({}, "chatrag_bench", r"holds no .json file of rows"),
        ({}, "cast", r"has no \*manual\*topics\*.json or"),
    ],
)
def test_what_is_no_data_set_is_refused(files: foreign.Files, layout: str | None, message: str, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    with pytest.raises(InputError, match=message):
        load_dataset(foreign.write(tmp_path / "set", files), layout)


def test_a_path_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="gone does not exist; name the file or folder"):
        load_dataset(tmp_path / "gone")


def changed(name: str, line: object) -> foreign.Files:
    """BEIR's files with one line more."""
    content = foreign.BEIR[name]
    return {**foreign.BEIR, name: f"{content}{line}\n" if isinstance(content, str) else [*content, line]}  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("corpus.jsonl.gz", {"title": "", "text": "x"}, r"corpus.jsonl.gz:4: passage_id: "),
        ("corpus.jsonl.gz", {"_id": "", "text": "x"}, r"corpus.jsonl.gz:4: passage_id: .* at least 1"),
        ("corpus.jsonl.gz", {"_id": "p9"}, r"corpus.jsonl.gz:4: text: "),
        ("corpus.jsonl.gz", [1], r"corpus.jsonl.gz:4: line: "),
        ("queries.jsonl", {"_id": "c9"}, r"queries.jsonl:6: text: Field required"),
        ("queries.jsonl", {"text": "x"}, r"queries.jsonl:6: _id: Field required"),
        ("qrels/test.tsv", "c1::1\tp1", r"test.tsv:7: .* needs `query passage grade`"),
        ("qrels/test.tsv", "c1::1\t\t1", r"test.tsv:7: .* needs `query passage grade`"),
        ("qrels/test.tsv", "c1::1\tp1\thigh", r"test.tsv:7: score: 'high' is not a whole number"),
        ("qrels/test.tsv", "c1::1\tp1\t1.5", r"test.tsv:7: score: '1.5' is not a whole number"),
    ],
)
def test_a_bad_line_is_named(name: str, line: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        load_dataset(foreign.write(tmp_path, changed(name, line)), "beir")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"one\n\xff\n", r"lines.txt:2: byte 0 is not UTF-8; convert"),
        (gzip.compress(b"one\ntwo\n" * 999, mtime=0)[:-12], r"lines.txt:\d+: cannot be read .*; fetch the file again"),
        (b"\x1f\x8bno gzip at all", r"lines.txt:1: cannot be read"),
    ],
)
def test_unreadable_files_are_named_by_line(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_bytes(data)
    with pytest.raises(InputError, match=message):
        list(text_lines(tmp_path / "lines.txt"))


def test_files_are_opened_by_content_not_by_name(tmp_path: Path) -> None:
    (tmp_path / "plain.txt.gz").write_bytes("\ufeffone\r\n\n two\n".encode())
    found = find_file(tmp_path, "none.txt", "plain.txt")
    assert found is not None and list(text_lines(found)) == [(1, "one"), (3, " two")]


@pytest.mark.parametrize(
    ("query_id", "pair"),
    [
        ("c::2", ("c", 2)),
        ("a::b::3", ("a::b", 3)),
        ("c<::>12", ("c", 12)),
        ("c::0", ("c::0", 1)),
        ("c:2", ("c:2", 1)),
        ("::2", ("::2", 1)),
        ("31", ("31", 1)),
    ],
)
def test_query_ids_name_their_conversation(query_id: str, pair: tuple[str, int]) -> None:
    assert split_query_id(query_id) == pair


def test_beir(tmp_path: Path) -> None:
    dataset = load_dataset(foreign.write(tmp_path, foreign.BEIR))
    assert places(dataset) == [("c1::1", "c1", 1), ("c1::2", "c1", 2), ("c1::3", "c1", 3), ("p3", "p3", 1)]
    turns = by_id(dataset)
    assert gold(turns["c1::2"]) == [("p2", 2)], "grade 0 is no gold"
    assert gold(turns["p3"]) == [("p1", 1)], "the passage with the query's own id is no gold"
    assert history(turns["c1::3"]) == ["u: When was it lit?", "u: Who kept it?"] and not turns["c1::3"].gold
    assert all(turn.answer is None and turn.standalone_query is None for turn in dataset.turns)
    assert dataset.passages["p1"].title == "Tower" and list(dataset.passages) == ["p1", "p2", "p3"]
    assert {
        "the split is test",
        "1 of 5 queries are judged in other splits only; they are left out",
        "1 queries have the id of a passage; that passage is no gold of theirs, and no answer in a run",
        "1 judgements have a grade of 0 or less: judged, and no gold",
        "1 of 4 turns have no gold",
        "4 of 4 turns have no answer",
    } <= set(dataset.notes)


def test_beir_by_split_and_with_what_stands_twice(tmp_path: Path) -> None:
    twice = [*foreign.CORPUS, foreign.passage("p1", foreign.TOWER, "Tower"), foreign.passage("p2", "other")]
    more = {
        "corpus.jsonl.gz": [*twice, foreign.passage(7, " ")],
        "qrels/train.tsv": "old p3 1\nold p3 1\nold lost 1\nnew p1 1.0\n",
        "standalone_queries.jsonl": [{"_id": "old", "text": "Is there a ferry to Skarvik?"}],
    }
    folder = foreign.write(tmp_path, {**foreign.BEIR, **more})
    dataset = load_dataset(folder / "qrels/train.tsv", "beir")
    assert golds(dataset) == {"c1::3": [], "old": ["p3", "lost"]}
    assert by_id(dataset)["old"].standalone_query == "Is there a ferry to Skarvik?"
    assert dataset.passages["7"].text == " " and dataset.passages["p2"].text == foreign.KEEPER
    assert {
        "the split is train",
        "1 lines of the corpus repeat a passage; the first is kept",
        "1 passages have the id of another one with another text; the first is kept",
        "1 judged queries are not in queries.jsonl; they are left out",
        "1 judgements repeat a pair of query and passage; the first counts",
        "1 of 2 gold passages are not in the corpus",
    } <= set(dataset.notes)


def test_mtrag_with_conversations(tmp_path: Path) -> None:
    dataset = load_dataset(foreign.write(tmp_path, {**foreign.MTRAG, **foreign.MTRAG_TOLD}))
    turns = by_id(dataset)
    assert golds(dataset) == {"b<::>1": ["p3"], "a<::>1": ["p1"], "a<::>2": [], "a<::>3": ["p2", "gone"]}
    last = turns["a<::>3"]
    assert history(last) == ["u: When was it lit?", "a: In 1871.", "u: Nice.", "a: It is."]
    assert (last.query, last.standalone_query, last.answer) == ("And who\nkept it?", "Who kept the lighthouse?", None)
    assert (last.conversation_id, last.turn, last.subset, last.answerable) == ("a", 3, "sea", None)
    assert turns["a<::>2"].answer == "It is." and turns["a<::>2"].standalone_query is None
    assert {passage.subset for passage in dataset.passages.values()} == {"sea"}
    assert "sea: 1 of 3 gold passages are not in the corpus" in dataset.notes
    assert "land: 1 of 1 gold passages are not in the corpus" in dataset.notes
    assert any(note.startswith("land: no passages, ") for note in dataset.notes)


def test_mtrag_by_subset_without_conversations(tmp_path: Path) -> None:
    dataset = load_dataset(foreign.write(tmp_path, foreign.MTRAG) / "retrieval_tasks/sea")
    assert dataset.name == "sea" and list(dataset.passages) == ["p1", "p2"]
    assert list(golds(dataset)) == ["a<::>1", "a<::>3"]
    assert history(by_id(dataset)["a<::>3"]) == ["u: When was it lit?", "u: Nice."]
    assert any(note.startswith("no conversations.jsonl: no answers") for note in dataset.notes)


def test_mtrag_un(tmp_path: Path) -> None:
    dataset = load_dataset(foreign.write(tmp_path, foreign.MTRAG_UN))
    tower = foreign.TOWER[-5:]
    assert golds(dataset) == {"a<::>2": [tower], "b<::>2": [], "c<::>2": [], "d<::>2": [tower]}
    assert [turn.answerable for turn in dataset.turns] == [True, False, None, True]
    assert [turn.written_by for turn in dataset.turns] == [("m-1",), ("m-1",), ("m-1",), ()]
    first = dataset.turns[0]
    assert history(first) == ["u: When was it lit?", "a: In 1871."] and first.query == "How high is it?"
    assert (first.turn, first.subset, first.answer) == (2, "cloud", "23 metres.")
    assert len(dataset.passages) == 3 and dataset.passages[tower].subset == "cloud"
    assert dataset.notes[0] == "answerability: ANSWERABLE 1, PARTIAL 1, UNANSWERABLE 1, UNDERSPECIFIED 1"
    assert dataset.notes[1].startswith("1 tasks have contexts without judgements")


def test_own(tmp_path: Path) -> None:
    made = [Made(conversation=make_conversation(f"demo-000{n}", first=n)) for n in (1, 2)]
    manifest = make_manifest().model_copy(
        update={"models": {"user_simulator": "x/a", "topic_planner": "x/b", "answerer": "x/c", "contextualizer": "x/a"}}
    )
    write_dataset(tmp_path / "set", [make_passage(n) for n in range(8)], iter(made), manifest)
    dataset = load_dataset(tmp_path / "set")
    assert (dataset.layout, dataset.language, len(dataset.turns), len(dataset.passages)) == ("own", "en", 6, 8)
    turn = by_id(dataset)["demo-0001::2"]
    assert turn.written_by == ("x/a", "x/c") and turn.move == "follow_up" and turn.answerable
    assert history(turn) == ["u: value of Part 1?", "a: The value of part 1 is 7."]
    assert (turn.query, turn.standalone_query) == ("and part 2?", "value of Part 2?")
    assert gold(turn) == [("doc:2", 1)] and turn.hard_negatives == ("doc:0",)
    assert turn.evidence[0].text == turn.answer == "The value of part 2 is 14."
    assert dataset.passages["doc:2"].heading == "Part 2" and dataset.notes == ()


def test_pyarrow_is_not_needed_to_read_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert load_dataset(foreign.write(tmp_path / "lines", foreign_messages.MTR_BENCH)).turns
    (tmp_path / "rows.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"rows.parquet: reading .parquet needs the package pyarrow: run `pip install"):
        load_dataset(tmp_path / "rows.parquet", "mtr_bench")
