"""Building corpora: what is written, what is done again, what is gone, crashes, locks, odd input."""

import errno
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.corpora import ANIMALS, MODEL, OPTIONS, embedding_endpoint, texts_embedded, write_documents
from support.endpoint import TestEndpoint, error

from mtr.corpus import build as build_module
from mtr.corpus import writing as writing_module
from mtr.corpus.before import Before
from mtr.corpus.build import build_corpus
from mtr.corpus.corpus import open_corpus
from mtr.corpus.folder import replaced, settle
from mtr.corpus.manifest import CorpusManifest
from mtr.corpus.options import CorpusOptions, checked_name, corpus_folder
from mtr.errors import InputError, MtrError
from mtr.llm import open_door
from mtr.records import Passage
from mtr.retrieval.collection import open_collection
from mtr.retrieval.store import PassageStore, open_store, passage_id_of


@pytest.fixture(name="endpoint")
def _endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestEndpoint]:
    with embedding_endpoint(tmp_path / "config", monkeypatch) as endpoint:
        yield endpoint


@pytest.fixture(name="documents")
def _documents(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "documents", ANIMALS)


async def _build(name: str, *paths: Path, options: CorpusOptions = OPTIONS) -> CorpusManifest:
    async with open_door():
        return await build_corpus(name, paths, options)


def _store(manifest: CorpusManifest) -> PassageStore:
    return open_store(manifest.collection)


async def test_three_documents_and_more_give_a_whole_corpus(endpoint: TestEndpoint, documents: Path) -> None:
    manifest = await _build("animals", documents)
    corpus = open_corpus("animals")
    assert {passage.document_id for passage in corpus.passages.values()} == set(ANIMALS)
    for passage in corpus.passages.values():
        assert ANIMALS[passage.document_id][passage.span.start : passage.span.end] == passage.text
        assert passage.language == "en"
    assert sorted(i for cluster in corpus.clusters for i in cluster.passage_ids) == sorted(corpus.passages)
    assert [len(cluster.passage_ids) for cluster in corpus.clusters] == [4]
    assert set(map(passage_id_of, _store(manifest).keys())) == set(corpus.passages)
    assert manifest.run.embedded == len(texts_embedded(endpoint)) == 4
    assert manifest.counts.tokens > 50
    assert manifest.counts.encodings


async def test_the_passages_are_beir_lines(endpoint: TestEndpoint, documents: Path) -> None:
    await _build("animals", documents)
    lines = [json.loads(line) for line in (corpus_folder("animals") / "corpus.jsonl").read_text().splitlines()]
    assert [set(line) for line in lines] == [{"_id", "title", "text", "metadata"}] * 4
    assert set(lines[0]["metadata"]) == {"doc_id", "start", "end", "source", "heading", "language"}
    assert {path.name for path in corpus_folder("animals").iterdir()} == {
        *("corpus.jsonl", "clusters.jsonl", "dropped.jsonl", "kept_pairs.jsonl", "manifest.json", "bm25")
    }


async def test_again_on_the_same_documents_embeds_nothing_and_changes_nothing(
    endpoint: TestEndpoint, documents: Path
) -> None:
    await _build("animals", documents)
    folder = corpus_folder("animals")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".jsonl"}
    sent = len(endpoint.sent)
    manifest = await _build("animals", documents)
    assert (manifest.run.embedded, manifest.run.reused, manifest.run.removed) == (0, 4, 0)
    assert len(endpoint.sent) == sent
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".jsonl"} == before


async def test_only_what_changed_is_embedded_and_what_is_gone_is_gone(endpoint: TestEndpoint, documents: Path) -> None:
    await _build("animals", documents)
    changed = {**ANIMALS, "cats.md": ANIMALS["cats.md"].replace("sixteen", "fifteen")}
    del changed["dogs.md"]
    sent = len(texts_embedded(endpoint))
    manifest = await _build("animals", write_documents(documents, changed))
    assert [text for text in texts_embedded(endpoint)[sent:] if "fifteen" not in text] == []
    assert (manifest.run.embedded, manifest.run.reused, manifest.run.removed) == (1, 2, 2)
    corpus = open_corpus("animals")
    assert {passage.document_id for passage in corpus.passages.values()} == {"cats.md", "owls.md", "bees.md"}
    assert any("fifteen" in passage.text for passage in corpus.passages.values())
    assert _store(manifest).count() == 3
    assert not any("dogs.md" in key for key in sorted(_store(manifest).keys()))


async def test_another_embedding_model_embeds_all_and_leaves_no_old_rows(
    endpoint: TestEndpoint, documents: Path
) -> None:
    first = await _build("animals", documents)
    second = await _build("animals", documents, options=OPTIONS.model_copy(update={"embedding_model": "test/other"}))
    assert second.run.embedded == 4
    assert second.collection != first.collection
    with pytest.raises(InputError):
        open_store(first.collection)
    assert open_collection(open_corpus("animals")).store.count() == 4


@pytest.mark.parametrize("name", ["Grüße aus Köln", "知识 库", "v1.2_final-3", "a"])
async def test_names_in_any_letters(endpoint: TestEndpoint, documents: Path, name: str) -> None:
    assert (await _build(name, documents)).name == name
    assert open_corpus(name).name == name
    assert open_collection(open_corpus(name)).store.count() == 4


BAD_NAMES = [
    "",
    " ",
    ".",
    "..",
    "../x",
    "a/b",
    "a\\b",
    ".hidden",
    "a\n",
    "a\x00b",
    "-x",
    "x.",
    "x ",
    "a" * 81,
    "a:b",
    "~",
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="name"):
        checked_name(name)


def test_a_name_is_the_same_however_its_letters_are_composed() -> None:
    assert checked_name("Ko\u0308ln") == checked_name("Köln")


async def test_one_sentence(endpoint: TestEndpoint, tmp_path: Path) -> None:
    folder = write_documents(tmp_path / "one", {"a.txt": "The lighthouse at Vinga was built in the year 1841."})
    await _build("one", folder)
    corpus = open_corpus("one")
    assert len(corpus.passages) == len(corpus.clusters) == 1
    async with open_door():
        assert await open_collection(corpus).nearest("When was the lighthouse built?", 5) == tuple(corpus.passages)


async def test_nothing_survives_and_the_error_names_the_filter(endpoint: TestEndpoint, tmp_path: Path) -> None:
    folder = write_documents(tmp_path / "none", {"a.txt": "Yes", "b.txt": "No"})
    with pytest.raises(InputError, match="too little text 2"):
        await _build("none", folder)
    assert not corpus_folder("none").exists()
    assert texts_embedded(endpoint) == []


async def test_no_document_can_be_read(endpoint: TestEndpoint, tmp_path: Path) -> None:
    empty = write_documents(tmp_path / "empty", {})
    with pytest.raises(InputError, match="no document"):
        await _build("empty", empty)
    with pytest.raises(InputError, match="blank"):
        await _build("empty", write_documents(empty, {"a.txt": " \n "}))


async def test_an_unknown_endpoint_is_named_before_anything_is_read(documents: Path) -> None:
    with pytest.raises(InputError, match="no endpoint 'nowhere'"):
        await _build("animals", documents, options=CorpusOptions(embedding_model="nowhere/model"))
    assert not corpus_folder("animals").exists()


async def test_dropped_near_duplicates_and_skipped_files_are_stated(endpoint: TestEndpoint, documents: Path) -> None:
    (documents / "copy.md").write_text(ANIMALS["cats.md"], encoding="utf-8")
    (documents / "blank.txt").write_text("  ", encoding="utf-8")
    manifest = await _build("animals", documents)
    assert manifest.counts.dropped == {"near-duplicate": 1}
    assert [skipped.reason for skipped in manifest.counts.skipped if "blank.txt" in skipped.source]
    line = json.loads((corpus_folder("animals") / "dropped.jsonl").read_text())
    assert line["reason"] == "near-duplicate"
    assert "Jaccard 1.00" in line["detail"]


async def test_a_crash_before_the_swap_leaves_the_old_corpus(
    endpoint: TestEndpoint, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _build("animals", documents)
    before = dict(open_corpus("animals").passages)
    write_documents(documents, {**ANIMALS, "cats.md": ANIMALS["cats.md"].replace("mice", "rats"), "dogs.md": "gone"})

    def full(*_: object) -> None:
        raise InputError("cannot write: No space left on device")

    with monkeypatch.context() as patched, pytest.raises(InputError, match="No space"):
        patched.setattr(writing_module, "write_records", full)
        await _build("animals", documents)
    corpus = open_corpus("animals")
    assert dict(corpus.passages) == before
    async with open_door():
        assert set(await open_collection(corpus).nearest("cat mice", 10)) == set(before)


async def test_a_crash_after_the_swap_is_mended_by_the_next_build(
    endpoint: TestEndpoint, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await _build("animals", documents)
    fewer = {name: text for name, text in ANIMALS.items() if name != "dogs.md"}
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Before, "clear", _killed)
        await _build("animals", write_documents(documents, fewer))
    corpus = open_corpus("animals")
    assert len(corpus.passages) == 3
    async with open_door():
        found = await open_collection(corpus).nearest("a dog barks at strangers", 10)
    assert set(found) == set(corpus.passages)
    assert open_store(first.collection).count() == 4
    manifest = await _build("animals", documents)
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
        await _build("animals", documents)
    with pytest.raises(InputError, match="mtr corpus build"):
        open_corpus("animals")
    manifest = await _build("animals", documents)
    assert _store(manifest).count() == 4
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
    await _build("animals", documents)
    folder = corpus_folder("animals")
    folder.rename(folder.with_name(".animals.old"))
    assert len(open_corpus("animals").passages) == 4


async def test_files_that_do_not_belong_together_are_not_opened(endpoint: TestEndpoint, documents: Path) -> None:
    await _build("animals", documents)
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
        await _build("animals", documents)
    other.kill()
    other.wait()
    assert (await _build("animals", documents)).counts.passages == 4


async def test_an_open_corpus_is_kept_until_it_is_built_again(endpoint: TestEndpoint, documents: Path) -> None:
    await _build("animals", documents)
    corpus = open_corpus("animals")
    assert open_corpus("animals") is corpus
    assert open_collection(corpus) is open_collection(corpus)
    await _build("animals", documents)
    again = open_corpus("animals")
    assert again is not corpus
    assert open_collection(again) is not open_collection(corpus)


async def test_the_endpoints_error_goes_through(
    endpoint: TestEndpoint, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint.embed = lambda body: error(404, "the model `words` does not exist")
    with pytest.raises(MtrError, match="does not exist"):
        await _build("animals", documents)
    assert not corpus_folder("animals").exists()


async def test_the_demo_corpus_is_called_demo(endpoint: TestEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    few = build_module.demo_documents()[:6]
    monkeypatch.setattr(build_module, "demo_documents", lambda: few)
    async with open_door():
        manifest = await build_module.build_demo_corpus(OPTIONS)
    assert manifest.name == "demo"
    assert manifest.options.embedding_model == MODEL
    assert open_corpus("demo").passages
