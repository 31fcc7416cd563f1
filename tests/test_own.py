"""MTR's own data-set folder: its layout, the same bytes again, faults named by file and line."""

import json
from pathlib import Path

import pytest
from support.conversations import make_conversation, make_passage, make_steps
from support.manifests import make_manifest

from mtr.datasets.own import Made, check_folder, write_dataset
from mtr.datasets.own_reading import read_dataset, read_traces
from mtr.datasets.staging import STAGE
from mtr.errors import InputError

PASSAGES = tuple(make_passage(n) for n in range(8))


def write(folder: Path) -> None:
    """Two conversations."""
    made = [Made(conversation=make_conversation(f"demo-{n:04d}", first=n), steps=make_steps()) for n in (1, 2)]
    write_dataset(folder, PASSAGES, iter(made), make_manifest())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data set as written."""
    write(tmp_path / "set")
    return tmp_path / "set"


def test_the_layout_is_beir_and_more(folder: Path) -> None:
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    assert names == [
        "conversations.jsonl",
        "corpus.jsonl",
        "manifest.json",
        "qrels/test.tsv",
        "queries.jsonl",
        "standalone_queries.jsonl",
        "traces.jsonl",
    ]
    passage = json.loads((folder / "corpus.jsonl").read_text().splitlines()[3])
    assert passage["_id"] == "doc:3" and passage["title"] == "Parts" and passage["text"] == PASSAGES[3].text
    assert {"doc_id": "doc", "start": 3000, "source": "parts.txt"}.items() <= passage["metadata"].items()
    assert json.loads((folder / "queries.jsonl").read_text().splitlines()[1]) == {
        "_id": "demo-0001::2",
        "text": "and part 2?",
    }
    standalone = json.loads((folder / "standalone_queries.jsonl").read_text().splitlines()[1])
    assert standalone == {"_id": "demo-0001::2", "text": "value of Part 2?"}
    qrels = (folder / "qrels/test.tsv").read_text().splitlines()
    assert qrels[:2] == ["query-id\tcorpus-id\tscore", "demo-0001::1\tdoc:1\t1"] and len(qrels) == 7


def test_what_is_written_is_read(folder: Path) -> None:
    dataset = read_dataset(folder)
    assert tuple(dataset.passages.values()) == PASSAGES
    assert dataset.conversations == tuple(make_conversation(f"demo-{n:04d}", first=n) for n in (1, 2))
    assert dataset.manifest == make_manifest()
    steps = read_traces(folder, "demo-0002")
    assert [step.step_id for step in steps] == [step.step_id for step in make_steps()]
    with pytest.raises(InputError, match="no conversation 'demo-9'; it has: demo-0001, demo-0002"):
        read_traces(folder, "demo-9")


def test_the_same_bytes_again_over_the_old(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    (folder / "notes.txt").write_text("of the user's")
    write(folder)
    assert {path: path.read_bytes() for path in before} == before
    assert (folder / "notes.txt").exists()


def test_a_foreign_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(InputError, match="is not empty and holds no data set"):
        write(tmp_path)
    (tmp_path / "manifest.json").write_text('{"name": "a web app"}')
    with pytest.raises(InputError, match="is not empty and holds no data set"):
        write(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["manifest.json", "thesis.tex"]
    with pytest.raises(InputError, match="is a file"):
        check_folder(tmp_path / "thesis.tex")


def test_a_write_cut_short_is_seen_and_mended(folder: Path) -> None:
    (folder / STAGE).mkdir()
    (folder / "manifest.json").unlink()
    with pytest.raises(InputError, match="was not written to its end"):
        read_dataset(folder)
    write(folder)
    assert len(read_dataset(folder).conversations) == 2


def test_a_failure_while_staging_leaves_the_old_set(folder: Path) -> None:
    def broken() -> object:
        yield Made(conversation=make_conversation("demo-0001"))
        raise KeyboardInterrupt

    before = (folder / "conversations.jsonl").read_bytes()
    with pytest.raises(KeyboardInterrupt):
        write_dataset(folder, PASSAGES, broken(), make_manifest())  # type: ignore[arg-type]
    assert (folder / "conversations.jsonl").read_bytes() == before


def test_an_unwritable_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file is a file; name a folder"):
        write(tmp_path / "file" / "set")


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("conversations.jsonl", '"move": "open"', '"move": "begin"', r"conversations\.jsonl:1: turns\.0\.move"),
        ("conversations.jsonl", '"gold": ["doc:1"]', '"gold": ["doc:99"]', r":1: demo-0001, turn 1: gold: 'doc:99'"),
        (
            "conversations.jsonl",
            'value of part 1 is 7."}]',
            'value of part 1 is 8."}]',
            "turn 1: evidence: .* is not at",
        ),
        ("conversations.jsonl", '"turn": 2', '"turn": 3', "number 3 stands where 2 belongs"),
        ("conversations.jsonl", '"refers_to": null', '"refers_to": 1', "refers_to: 1 is not an earlier turn"),
        ("conversations.jsonl", "demo-0002", "demo-0001", r":2: conversation_id: 'demo-0001' stands twice"),
        ("corpus.jsonl", '"_id": "doc:3"', '"_id": "doc:2"', r"corpus\.jsonl: _id: 'doc:2' stands twice"),
        ("corpus.jsonl", '"start": 3000', '"start": "x"', r"corpus\.jsonl:4: metadata\.start"),
        ("queries.jsonl", "value of Part 1?", "other", r"queries\.jsonl:1: 'demo-0001::1' is not the query"),
        ("standalone_queries.jsonl", '{"_id": "demo-0002::3"', "", r"standalone_queries\.jsonl:6: "),
        ("qrels/test.tsv", "demo-0001::2\tdoc:2\t1", "demo-0001::2\tdoc:3\t1", r"test\.tsv:3: .*doc:3.* where .*doc:2"),
        ("qrels/test.tsv", "demo-0002::3\tdoc:4\t1\n", "", r"test\.tsv:7: '' stands where 'demo-0002::3"),
        ("manifest.json", '"seed": 7', '"seed": "x"', r"manifest\.json: seed"),
    ],
)
def test_faults_are_named_by_file_and_line(folder: Path, name: str, old: str, new: str, message: str) -> None:
    path = folder / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_dataset(folder)


def test_a_file_that_is_not_utf_8_is_named(folder: Path) -> None:
    (folder / "queries.jsonl").write_bytes(b'{"_id": "demo-0001::1", "text": "caf\xe9"}\n')
    with pytest.raises(InputError, match=r"queries\.jsonl:1"):
        read_dataset(folder)
