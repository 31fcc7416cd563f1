"""Conversion: what is written is read back equal, whole or not at all, and never over what somebody else wrote."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.beir_folders import clean_set

from mtr.datasets import converting
from mtr.datasets.adapters import load_dataset
from mtr.datasets.converted import load
from mtr.datasets.converting import convert
from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold, Said
from mtr.datasets.staging import STAGE
from mtr.errors import InputError
from mtr.records import MOVES, Evidence

COMMAND = "mtr datasets convert harbours --format beir --out set --to own"

text = st.text(max_size=12)
name = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r"), min_size=1, max_size=6)
evidence = st.builds(
    Evidence, passage_id=name, start=st.integers(0, 9), end=st.integers(0, 9), text=st.text(min_size=1, max_size=5)
)
turn = st.builds(
    AnyTurn,
    query_id=name,
    conversation_id=name,
    turn=st.integers(1, 99),
    query=text,
    history=st.tuples(st.builds(Said, speaker=st.sampled_from(["user", "assistant"]), text=text)),
    standalone_query=st.none() | text,
    answer=st.none() | text,
    other_answers=st.lists(text, max_size=2).map(tuple),
    gold=st.lists(st.builds(Gold, passage_id=name, grade=st.integers(-2, 4)), max_size=3).map(tuple),
    evidence=st.lists(evidence, max_size=2).map(tuple),
    hard_negatives=st.lists(name, max_size=2).map(tuple),
    move=st.none() | st.sampled_from(MOVES),
    subset=text,
    answerable=st.none() | st.booleans(),
    written_by=st.lists(text, max_size=2).map(tuple),
)
passage = st.builds(AnyPassage, passage_id=name, title=text, heading=text, text=text, document_id=text, subset=text)
dataset = st.builds(
    Dataset,
    name=text,
    layout=text,
    passages=st.lists(passage, max_size=4).map(lambda found: {one.passage_id: one for one in found}),
    turns=st.lists(turn, max_size=4, unique_by=lambda one: one.query_id).map(tuple),
    language=st.none() | text,
    licence=st.none() | text,
    notes=st.lists(text, max_size=2).map(tuple),
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(dataset)
def test_what_is_written_is_read_back_equal(tmp_path: Path, dataset: Dataset) -> None:
    convert(dataset, tmp_path / "set", command=COMMAND)
    assert load(tmp_path / "set") == dataset
    assert list(load(tmp_path / "set").passages) == list(dataset.passages)


def test_the_random_data_sets_have_every_field() -> None:
    """A field that is added to the records must be added above too, or nobody proves that it survives."""
    named = {"passage_id", "title", "heading", "text", "document_id", "subset"}
    assert named == set(AnyPassage.model_fields)
    said = "query_id conversation_id turn query history standalone_query answer other_answers"
    judged = "gold evidence hard_negatives move subset answerable written_by"
    assert {*said.split(), *judged.split()} == set(AnyTurn.model_fields)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    convert(clean_set(), tmp_path / "set", command=COMMAND)
    return tmp_path / "set"


def test_the_folder_is_a_beir_folder(folder: Path) -> None:
    beir = load_dataset(folder, "beir")
    assert list(beir.passages) == list(clean_set().passages)
    for read, was in zip(beir.turns, clean_set().turns, strict=True):
        assert (read.query_id, read.query, read.gold) == (was.query_id, was.query, was.gold)
        assert (read.conversation_id, read.turn, read.standalone_query) == (
            was.conversation_id,
            was.turn,
            was.standalone_query,
        )
    assert lines(folder / "qrels/test.tsv")[:2] == ["query-id\tcorpus-id\tscore", "c1::1\t1\t1"]
    assert json.loads(lines(folder / "corpus.jsonl")[0])["metadata"] == {"doc_id": "", "heading": "", "subset": ""}


def test_grades_are_the_sources_own(tmp_path: Path) -> None:
    turn = (
        clean_set().turns[0].model_copy(update={"gold": (Gold(passage_id="1", grade=4), Gold(passage_id="2", grade=0))})
    )
    convert(clean_set().model_copy(update={"turns": (turn,)}), tmp_path / "set")
    assert lines(tmp_path / "set/qrels/test.tsv")[1:] == ["c1::1\t1\t4", "c1::1\t2\t0"]


def test_the_card_states_what_is_there_and_what_is_not(folder: Path) -> None:
    card = (folder / "README.md").read_text(encoding="utf-8")
    for line in (
        "# harbours",
        "| source layout | beir |",
        "| licence | CC0 |",
        "| conversations | 3 |",
        "| turns | 6 |",
        "| turns with gold | 6 |",
        "| turns with an answer | 6 |",
        "| turns said to be unanswerable | 0 |",
        "| passages | 7 |",
        "| 1 | 6 |",
        "- a note",
        f"    {COMMAND}",
    ):
        assert f"\n{line}\n" in f"\n{card}"
    named = {line.split("`")[1] for line in card.splitlines() if line.startswith("- `")}
    assert named == {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_licence_nobody_stated_is_said_to_be_unknown(tmp_path: Path) -> None:
    convert(clean_set().model_copy(update={"licence": None}), tmp_path / "set")
    assert "not stated by the source" in (tmp_path / "set/README.md").read_text(encoding="utf-8")


def test_mtrag_tasks_are_read_by_the_adapter_of_mtrag(tmp_path: Path) -> None:
    turns = (*clean_set().turns[:-1], clean_set().turns[-1].model_copy(update={"gold": ()}))
    convert(clean_set().model_copy(update={"turns": turns}), tmp_path / "set", to="mtrag")
    tasks = tmp_path / "set/retrieval_tasks/harbours"
    second = clean_set().turns[1]
    assert json.loads(lines(tasks / "harbours_lastturn.jsonl")[1]) == {
        "_id": "c1<::>2",
        "text": f"|user|: {second.query}",
    }
    assert json.loads(lines(tasks / "harbours_rewrite.jsonl")[1])["text"] == f"|user|: {second.standalone_query}"
    asked = f"|user|: {second.history[0].text}\n|user|: {second.query}"
    assert json.loads(lines(tasks / "harbours_questions.jsonl")[1])["text"] == asked
    assert lines(tasks / "qrels/dev.tsv")[1] == "c1<::>1\t1\t1"
    read = load_dataset(tmp_path / "set")
    assert read.layout == "mtrag" and len(read.turns) == 5 and len(read.passages) == 7
    for one, was in zip(read.turns, turns, strict=False):
        assert (one.query, one.standalone_query, one.gold, one.turn) == (
            was.query,
            was.standalone_query,
            was.gold,
            was.turn,
        )
    assert "1 turns without gold" in (tmp_path / "set/README.md").read_text(encoding="utf-8")
    with pytest.raises(InputError, match="--format mtrag"):
        load(tmp_path / "set")


def test_files_without_a_line_are_not_written(tmp_path: Path) -> None:
    bare = tuple(turn.model_copy(update={"standalone_query": None}) for turn in clean_set().turns)
    dataset = clean_set().model_copy(update={"turns": bare})
    convert(dataset, tmp_path / "own")
    assert not (tmp_path / "own/standalone_queries.jsonl").exists() and load(tmp_path / "own") == dataset
    convert(dataset, tmp_path / "mtrag", to="mtrag")
    assert not list((tmp_path / "mtrag").rglob("*_rewrite.jsonl"))


def test_another_conversion_takes_the_old_files_away_and_leaves_those_of_others(folder: Path) -> None:
    (folder / "mine.txt").write_text("of the user's", encoding="utf-8")
    convert(clean_set(), folder, to="mtrag")
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert "turns.jsonl" not in names and {"mine.txt", "corpora/harbours.jsonl", "dataset.json"} <= names
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    convert(clean_set(), folder, to="mtrag")
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("content", [{"thesis.tex": "precious"}, {"dataset.json": '{"kind": "of somebody else"}'}])
def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path, content: dict[str, str]) -> None:
    for file, words in content.items():
        (tmp_path / file).write_text(words, encoding="utf-8")
    with pytest.raises(InputError, match="no conversion wrote it"):
        convert(clean_set(), tmp_path)
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == content
    with pytest.raises(InputError, match="is a file"):
        convert(clean_set(), next(tmp_path.iterdir()))


def test_a_writing_cut_short_is_noticed_and_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "set"

    def fail(*_: object) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(converting, "card", fail)
        with pytest.raises(KeyboardInterrupt):
            convert(clean_set(), folder)
    assert not (folder / "corpus.jsonl").exists() and (folder / STAGE).is_dir()
    with pytest.raises(InputError, match="not written to its end"):
        load(folder)
    convert(clean_set(), folder)
    assert load(folder) == clean_set() and not (folder / STAGE).exists()


def edited(place: int, **fields: object) -> Dataset:
    turns = list(clean_set().turns)
    turns[place] = turns[place].model_copy(update=fields)
    return clean_set().model_copy(update={"turns": tuple(turns)})


@pytest.mark.parametrize(
    ("dataset", "to", "says"),
    [
        (edited(1, query_id="c1::1"), "own", "query 'c1::1' stands twice"),
        (edited(1, query_id="a\tb"), "own", r"query 'a\\tb' holds a tab"),
        (edited(1, gold=(Gold(passage_id="a\nb"),)), "mtrag", r"gold passage 'a\\nb' holds a tab or a line end"),
        (edited(1, turn=1), "mtrag", "are both 'c1<::>1'"),
        (edited(1, conversation_id="a<::>b"), "mtrag", "holds a separator"),
        (clean_set().model_copy(update={"turns": ()}), "mtrag", "no turn with gold"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is(
    tmp_path: Path, dataset: Dataset, to: converting.Target, says: str
) -> None:
    with pytest.raises(InputError, match=says):
        convert(dataset, tmp_path / "set", to=to)
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize(
    ("file", "change", "says"),
    [
        ("turns.jsonl", lambda text: text.replace('"turn": 1', '"turn": 0', 1), "turns.jsonl:1: turn"),
        ("corpus.jsonl", lambda text: text + text.splitlines()[0] + "\n", "corpus.jsonl:8: _id: '1' stands twice"),
        ("dataset.json", lambda text: text.replace("mtr converted data set", "x"), "dataset.json: kind"),
    ],
)
def test_a_damaged_folder_is_named_by_file_and_line(folder: Path, file: str, change: object, says: str) -> None:
    assert callable(change)
    (folder / file).write_text(change((folder / file).read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(InputError, match=says):
        load(folder)
