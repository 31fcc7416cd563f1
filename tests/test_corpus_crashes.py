"""Crashes, full disks and locks while a corpus is built: the old corpus or the new one, and nothing paid is lost."""

import errno
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.corpora import ANIMALS, build, embedding_endpoint, store_of, texts_embedded, write_documents
from support.endpoint import TestEndpoint

from mtr.corpus import writing as writing_module
from mtr.corpus.before import Before
from mtr.corpus.corpus import open_corpus
from mtr.corpus.folder import replaced, settle
from mtr.corpus.options import corpus_folder
from mtr.errors import InputError
from mtr.llm import open_door
from mtr.records import Passage
from mtr.retrieval.collection import open_collection
from mtr.retrieval.store import PassageStore, open_store


@pytest.fixture(name="endpoint")
def _endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestEndpoint]:
    with embedding_endpoint(tmp_path / "config", monkeypatch) as endpoint:
        yield endpoint


@pytest.fixture(name="documents")
def _documents(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "documents", ANIMALS)


async def test_a_crash_before_the_swap_leaves_the_old_corpus(
    endpoint: TestEndpoint, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await build("animals", documents)
    before = dict(open_corpus("animals").passages)
    write_documents(documents, {**ANIMALS, "cats.md": ANIMALS["cats.md"].replace("mice", "rats"), "dogs.md": "gone"})

    def full(*_: object) -> None:
        raise InputError("cannot write: No space left on device")

    with monkeypatch.context() as patched, pytest.raises(InputError, match="No space"):
        patched.setattr(writing_module, "write_records", full)
        await build("animals", documents)
    corpus = open_corpus("animals")
    assert dict(corpus.passages) == before
    async with open_door():
        assert set(await open_collection(corpus).nearest("cat mice", 10)) == set(before)


async def test_a_crash_after_the_swap_is_mended_by_the_next_build(
    endpoint: TestEndpoint, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await build("animals", documents)
    fewer = {name: text for name, text in ANIMALS.items() if name != "dogs.md"}
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Before, "clear", _killed)
        await build("animals", write_documents(documents, fewer))
    corpus = open_corpus("animals")
    assert len(corpus.passages) == 3
    async with open_door():
        found = await open_collection(corpus).nearest("a dog barks at strangers", 10)
    assert set(found) == set(corpus.passages)
    assert open_store(first.collection).count() == 4
    manifest = await build("animals", documents)
    assert (manifest.run.embedded, manifest.run.reused) == (0, 3)
    with pytest.raises(InputError):
        open_store(first.collection)


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


async def test_a_crash_while_storing_loses_nothing_that_was_paid(
    endpoint: TestEndpoint, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mtr.corpus.embedding.BATCH", 2)
    upsert, stored = PassageStore.upsert, []

    def once(self: PassageStore, passages: Sequence[Passage], vectors: NDArray[np.float32]) -> None:
        if stored:
            raise KeyboardInterrupt
        stored.extend(passages)
        upsert(self, passages, vectors)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(PassageStore, "upsert", once)
        await build("animals", documents)
    with pytest.raises(InputError, match="mtr corpus build"):
        open_corpus("animals")
    manifest = await build("animals", documents)
    assert store_of(manifest).count() == 4
    assert sorted(texts_embedded(endpoint)) == sorted(set(texts_embedded(endpoint)))
    assert len(stored) == 2


def test_a_swap_cut_between_its_renames_is_taken_back() -> None:
    folder = corpus_folder("cut")
    with replaced(folder) as fresh:
        (fresh / "manifest.json").write_text("first")
    folder.rename(folder.with_name(".cut.old"))
    settle(folder)
    assert (folder / "manifest.json").read_text() == "first"
    with replaced(folder) as fresh:
        (fresh / "manifest.json").write_text("second")
    assert (folder / "manifest.json").read_text() == "second"
    assert [path.name for path in folder.parent.iterdir()] == ["cut"]


def test_a_full_disk_leaves_the_corpus_and_no_litter() -> None:
    folder = corpus_folder("full")
    with replaced(folder) as fresh:
        (fresh / "manifest.json").write_text("first")
    with pytest.raises(InputError, match="No space left on device; free space"), replaced(folder) as fresh:
        (fresh / "manifest.json").write_text("second")
        raise OSError(errno.ENOSPC, "No space left on device")
    assert (folder / "manifest.json").read_text() == "first"
    assert [path.name for path in folder.parent.iterdir()] == ["full"]


async def test_opening_takes_a_cut_swap_back_too(endpoint: TestEndpoint, documents: Path) -> None:
    await build("animals", documents)
    folder = corpus_folder("animals")
    folder.rename(folder.with_name(".animals.old"))
    assert len(open_corpus("animals").passages) == 4


async def test_files_that_do_not_belong_together_are_not_opened(endpoint: TestEndpoint, documents: Path) -> None:
    await build("animals", documents)
    folder = corpus_folder("animals")
    text = (folder / "corpus.jsonl").read_text(encoding="utf-8")
    (folder / "corpus.jsonl").write_text(text.replace("sixteen", "seventeen"), encoding="utf-8")
    with pytest.raises(InputError, match="build the corpus again"):
        open_corpus("animals")
    (folder / "corpus.jsonl").write_text(text[: len(text) // 2], encoding="utf-8")
    with pytest.raises(InputError, match=r"corpus\.jsonl:"):
        open_corpus("animals")


_HOLD = """
from mtr.corpus.folder import build_lock
from mtr.corpus.options import corpus_folder
with build_lock(corpus_folder("animals")):
    print("held", flush=True)
    input()
"""


def _other_builder() -> "subprocess.Popen[str]":
    other = subprocess.Popen([sys.executable, "-c", _HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    return other


async def test_a_second_process_is_told_who_builds(endpoint: TestEndpoint, documents: Path) -> None:
    other = _other_builder()
    with pytest.raises(InputError, match=f"being built by process {other.pid}"):
        await build("animals", documents)
    other.kill()
    other.wait()
    assert (await build("animals", documents)).counts.passages == 4
