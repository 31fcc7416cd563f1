"""Human marks from files of others and of our own: what is read, and what is refused with its place."""

import gzip
import json
import os
from collections import Counter
from pathlib import Path

import pytest

from mtr.datasets.records import Said
from mtr.errors import InputError
from mtr.evaluation.human_marks import find_labels, load_marks, recognise
from mtr.evaluation.marked import Scale

MTRAG = {
    "task_id": "a1<::>2",
    "model": "some-model",
    "history": [
        {"speaker": "user", "text": "How long are backups kept?"},
        {"speaker": "agent", "text": "Thirty days."},
        {"speaker": "user", "text": "And logs?"},
    ],
    "passages": [{"passage_id": "p-1", "title": None, "text": "Logs are kept for a week."}],
    "reference": "A week.",
    "response": "For one week.",
    "human": {
        "naturalness": [4, 4, 3],
        "appropriateness": [4, 3],
        "completeness": [4, 4, 4],
        "faithfulness": [4, None, 1],
    },
}
FAITHDIAL = (
    "evidence,history,response,BEGIN,VRM\r\n"
    '"Tin melts early.",Tell me of tin.,It melts early.,Entailment,Edification\r\n'
    '"Tin melts early.","So,\nwhat?",Tin is blue.,Hallucination,Edification\r\n'
    "Ore is dug.,Oh?,Ore is dug and red.,Partial Hallucination,Edification\r\n"
    "Ore is dug.,I like cats.,Ore is dug.,Uncooperative,Edification\r\n"
    "Zinc is grey.,Hm.,I see.,Generic,Ack.\r\n"
)
OWN = {
    "item_id": "i1",
    "conversation_id": "c1",
    "query": "And logs?",
    "answer": "A week.",
    "marks": {"quality": [5, None]},
    "scales": {"quality": {"low": 1, "high": 5}},
}


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_mtrag(tmp_path: Path) -> None:
    path = tmp_path / "human_evaluations.jsonl.gz"
    path.write_bytes(gzip.compress((json.dumps(MTRAG) + "\n" + json.dumps(MTRAG | {"model": "reference"})).encode()))
    first, second = load_marks(path)
    assert (first.item_id, first.conversation_id, first.query) == ("a1<::>2/some-model", "a1", "And logs?")
    assert first.history == (
        Said(speaker="user", text="How long are backups kept?"),
        Said(speaker="assistant", text="Thirty days."),
    )
    assert [passage.text for passage in first.passages] == ["Logs are kept for a week."]
    assert first.answer == "For one week."
    assert first.marks["faithfulness"] == (4, None, 1)
    assert first.mean("faithfulness") == 2.5
    assert first.marks["appropriateness"] == (4, 3)
    assert first.scales["faithfulness"] == Scale(low=1, high=4)
    assert (first.written_by, second.written_by) == (("some-model",), ())


def test_faithdial(tmp_path: Path) -> None:
    answers = load_marks(write(tmp_path, "gold.csv", FAITHDIAL))
    assert [answer.marks["faithfulness"] for answer in answers] == [(1,), (0,), (0,), (1,), (None,)]
    assert [answer.item_id for answer in answers] == ["line-2", "line-3", "line-5", "line-6", "line-7"]
    assert [answer.cluster for answer in answers] == ["evidence-1"] * 2 + ["evidence-2"] * 2 + ["evidence-3"]
    assert (answers[1].query, answers[1].answer) == ("So,\nwhat?", "Tin is blue.")
    assert answers[1].passages[0].text == "Tin melts early."


@pytest.mark.parametrize("text", [json.dumps(OWN), json.dumps([OWN])], ids=["lines", "list"])
def test_own_json(tmp_path: Path, text: str) -> None:
    (answer,) = load_marks(write(tmp_path, "marks.jsonl", text))
    assert answer.marks == {"quality": (5, None)}
    assert answer.mean("quality") == 5
    assert answer.mean("tone") is None


def test_own_csv(tmp_path: Path) -> None:
    text = "item_id;query;person;quality (1-5)\ni1;And logs?;ann;5\ni1;And logs?;bo;\ni2;Why?;ann;2\n"
    answers = load_marks(write(tmp_path, "marks.csv", text))
    assert {answer.item_id: answer.marks["quality"] for answer in answers} == {"i1": (5, None), "i2": (2, None)}


@pytest.mark.parametrize(
    ("text", "layout", "message"),
    [
        (json.dumps(MTRAG | {"human": {"naturalness": [5]}}), None, r"marks:1: human.naturalness: 5 is not a mark"),
        (json.dumps(MTRAG) + "\n" + json.dumps(MTRAG | {"history": []}), None, r"marks:2: history"),
        (json.dumps(MTRAG | {"history": MTRAG["history"][:2]}), None, r"marks:1: history: its last"),  # type: ignore[index]
        (json.dumps({"human": {}}), None, r"marks:1: task_id"),
        (json.dumps(MTRAG) * 1 + "\n" + json.dumps(MTRAG), None, r"'a1<::>2/some-model' stands twice"),
        (FAITHDIAL.replace("Generic", "Vague"), None, r"marks:7: BEGIN: 'Vague' is none of Entailment"),
        (FAITHDIAL.replace("response", "reply"), None, r"marks:1: column 'response' is missing"),
        (json.dumps(OWN | {"marks": {"quality": [6]}}), None, r"marks:1: .*6 is not on the scale of 1 to 5"),
        (json.dumps(OWN | {"marks": {"tone": [3]}}), None, r"marks:1: .*'tone' has no scale"),
        (json.dumps(OWN | {"score": 3}), None, r"marks:1: score"),
        (json.dumps(OWN), "elsewhere", r"'elsewhere' is no layout of marks; choose one of mtrag, faithdial, own"),
        ("", None, r"marks:1: the first row has no headings"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, layout: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_marks(write(tmp_path, "marks", text), layout)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        load_marks(tmp_path / "none.csv")


def shared(name: str) -> Path:
    folder = os.environ.get("MTR_SHARED")
    if not folder or not (Path(folder) / "data" / name).is_file():
        pytest.skip("MTR_SHARED does not point to the human marks")
    return Path(folder) / "data" / name


def test_all_of_mtrag() -> None:
    path = shared("mtrag/human_evaluations.jsonl.gz")
    answers = load_marks(path)
    assert recognise(path) == "mtrag"
    assert (len(answers), len({answer.cluster for answer in answers})) == (276, 20)
    assert Counter(len(answer.marks["faithfulness"]) for answer in answers) == {3: 271, 2: 5}


def test_all_of_faithdial() -> None:
    answers = load_marks(shared("faithdial_audit/gold_wow.csv"))
    assert Counter(answer.mean("faithfulness") for answer in answers) == {1.0: 68, 0.0: 122, None: 10}
    assert len({answer.cluster for answer in answers}) == 180


@pytest.mark.parametrize(("name", "file"), [("mtrag", "human_evaluations.jsonl.gz"), ("faithdial", "gold_wow.csv")])
def test_published_marks_go_by_name(name: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MTR_HOME", str(tmp_path / "home"))
    with pytest.raises(InputError, match=f"{file.partition('.')[0]}.*labels"):
        find_labels(name)
    (tmp_path / "home" / "labels").mkdir(parents=True)
    write(tmp_path / "home" / "labels", file, "")
    assert find_labels(name) == (tmp_path / "home" / "labels" / file, name)
    write(tmp_path, file, "")
    assert find_labels(name) == (Path(file), name)


def test_any_other_labels_are_a_path() -> None:
    assert find_labels("sheet.csv") == (Path("sheet.csv"), None)
