"""Files and folders become documents with ids and titles; whatever does not has a stated reason."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.files import only, reasons

from mtr.corpus.documents import load_documents
from mtr.errors import InputError


def test_line_ends_become_newlines_and_nothing_else_changes(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes("one\r\ntwo\rthree\n e\u0301 {x} {{x}} {% %} ${HOME} <think>no</think>\u2028 \u3000end".encode())
    assert only(path).text == "one\ntwo\nthree\n e\u0301 {x} {{x}} {% %} ${HOME} <think>no</think>\u2028 \u3000end"


@pytest.mark.parametrize(
    ("text", "title", "left"),
    [
        (
            "---\ntitle: 'Travel: rules'\ntags: [a]\n---\n# Hotels\n\nBook early.\n",
            "Travel: rules",
            "# Hotels\n\nBook early.\n",
        ),
        ('+++\ntitle = "Travel"\n+++\nBook early.\n', "Travel", "Book early.\n"),
        ("---\ntags: [a]\n---\nIntro.\n\n## Hotels ##\n\nBook.\n", "Hotels", "Intro.\n\n## Hotels ##\n\nBook.\n"),
        ("Intro.\n\nHotels\n------\n\nBook.\n", "Hotels", "Intro.\n\nHotels\n------\n\nBook.\n"),
        ("---\nnot: [closed\n---\nBook.\n", "not: [closed", "---\nnot: [closed\n---\nBook.\n"),
        ("---\n\nA rule above, no front matter.\n", "My file", "---\n\nA rule above, no front matter.\n"),
        ("---\ntitle: 2024\n---\nBook.\n", "2024", "Book.\n"),
        ("Just text.", "My file", "Just text."),
    ],
)
def test_titles_and_front_matter(tmp_path: Path, text: str, title: str, left: str) -> None:
    path = tmp_path / "My file.md"
    path.write_text(text, encoding="utf-8")
    document = only(path)
    assert (document.title, document.text, document.document_id) == (title, left, "My_file.md")


def test_folders_are_walked_sorted_and_hidden_names_left_out(tmp_path: Path) -> None:
    for name in ("b.txt", "a/Ünïcode 文.txt", "a/b c/d.md", ".git/x.txt", "a/.hidden.md", "a/x.py", "y.py", "README"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Text of {name}.", encoding="utf-8")
    loaded = load_documents([tmp_path])
    assert [one.document_id for one in loaded.documents] == ["a/b_c/d.md", "a/Ünïcode_文.txt", "b.txt"]
    assert {one.reason for one in loaded.skipped} == {
        "1 file with no ending, which no reader knows",
        "2 files with ending .py, which no reader knows",
    }


def test_nothing_to_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    (tmp_path / "blank.txt").write_text(" \n\ufeff\u200b\n", encoding="utf-8")
    (tmp_path / "front.md").write_text("---\ntitle: x\n---\n", encoding="utf-8")
    (tmp_path / "binary.txt").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 4)
    (tmp_path / "empty.jsonl").write_text("\n\n", encoding="utf-8")
    (tmp_path / "header.csv").write_text("text\n", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere.txt")
    told = {Path(source).name: reason for source, reason in reasons(tmp_path).items()}
    assert told.pop("binary.txt").startswith("binary data")
    assert told.pop("gone.txt").startswith("a link that leads nowhere")
    assert told == {
        "empty.txt": "empty file",
        "blank.txt": "blank, no text in it",
        "front.md": "front matter only",
        "empty.jsonl": "no rows",
        "header.csv": "no rows",
        "pipe.txt": "not a regular file",
    }


def test_a_missing_path_and_an_unknown_ending(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere: No such file"):
        load_documents([tmp_path / "nowhere"])
    (tmp_path / "a.xyz").write_text("x", encoding="utf-8")
    assert "known are .csv, .docx" in reasons(tmp_path / "a.xyz")[str(tmp_path / "a.xyz")]


def test_links_are_followed_once_and_loops_not(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/x.txt").write_text("X.", encoding="utf-8")
    (tmp_path / "a/loop").symlink_to(tmp_path)
    (tmp_path / "again").symlink_to(tmp_path / "a")
    (tmp_path / "z.txt").symlink_to(tmp_path / "a/x.txt")
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "y.txt").write_text("Y.", encoding="utf-8")
    (tmp_path / "linked").symlink_to(outside)
    loaded = load_documents([tmp_path])
    assert [one.document_id for one in loaded.documents] == ["a/x.txt", "linked/y.txt"]
    told = {Path(one.source).name: one.reason for one in loaded.skipped}
    assert "link loop" in told["loop"]
    assert "link loop" in told["again"]
    assert told["z.txt"].startswith("the same file as")


def test_permission_denied_is_a_skip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("A.", encoding="utf-8")
    (tmp_path / "b.txt").write_text("B.", encoding="utf-8")
    reading = Path.read_bytes

    def denied(path: Path) -> bytes:
        if path.name == "a.txt":
            raise PermissionError(13, "Permission denied")
        return reading(path)

    monkeypatch.setattr(Path, "read_bytes", denied)
    loaded = load_documents([tmp_path])
    assert [one.document_id for one in loaded.documents] == ["b.txt"]
    assert loaded.skipped[0].reason == "cannot be read: Permission denied"


def test_a_folder_that_cannot_be_read_is_a_skip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("A.", encoding="utf-8")
    (tmp_path / "closed").mkdir()
    listing = Path.iterdir

    def denied(path: Path) -> Iterator[Path]:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return listing(path)

    monkeypatch.setattr(Path, "iterdir", denied)
    loaded = load_documents([tmp_path])
    assert [one.document_id for one in loaded.documents] == ["a.txt"]
    assert loaded.skipped[0].source.endswith("closed")


def test_files_of_two_roots_keep_apart(tmp_path: Path) -> None:
    for name in ("x/docs/a.txt", "y/docs/a.txt", "y/docs/b.txt", "y/docs/c d.txt", "y/docs/c_d.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Text of {name}.", encoding="utf-8")
    loaded = load_documents([tmp_path / "x/docs", tmp_path / "y/docs"])
    ids = [one.document_id for one in loaded.documents]
    assert ids[:3] == ["x/docs/a.txt", "y/docs/a.txt", "b.txt"]
    assert len(set(ids)) == 5
    assert len(load_documents([tmp_path / "x", tmp_path / "x/docs/a.txt"]).documents) == 1


def test_duplicate_ids(tmp_path: Path) -> None:
    rows = [{"id": "1", "text": "One."}, {"id": "2", "text": "Two."}, {"id": "1", "text": "One."}]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    loaded = load_documents([path], id_column="id")
    assert [one.document_id for one in loaded.documents] == ["1", "2"]
    assert loaded.skipped[0].source == f"{path}:3"
    assert loaded.skipped[0].reason == f"the same id and text as {path}:1"
    path.write_text(path.read_text(encoding="utf-8") + '\n{"id": "2", "text": "Other."}', encoding="utf-8")
    with pytest.raises(InputError, match=r"id '2': .*rows\.jsonl:2 and .*rows\.jsonl:4"):
        load_documents([path], id_column="id")


def test_a_file_name_that_is_no_utf_8(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    path.write_text("Coffee.", encoding="utf-8")
    document = only(tmp_path)
    assert document.document_id == "caf\ufffd.txt"
    assert document.model_dump_json().encode()
