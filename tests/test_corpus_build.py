"""Building corpora: what is written, what is done again, what is gone, odd input."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.corpora import (
    ANIMALS,
    MODEL,
    OPTIONS,
    build,
    embedding_endpoint,
    store_of,
    texts_embedded,
    write_documents,
)
from support.endpoint import TestEndpoint, error

from mtr.corpus import build as build_module
from mtr.corpus.corpus import open_corpus
from mtr.corpus.options import CorpusOptions, corpus_folder
from mtr.errors import InputError, MtrError
from mtr.llm import open_door
from mtr.retrieval.collection import open_collection
from mtr.retrieval.store import open_store, passage_id_of


@pytest.fixture(name="endpoint")
def _endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestEndpoint]:
    with embedding_endpoint(tmp_path / "config", monkeypatch) as endpoint:
        yield endpoint


@pytest.fixture(name="documents")
def _documents(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "documents", ANIMALS)


async def test_three_documents_and_more_give_a_whole_corpus(endpoint: TestEndpoint, documents: Path) -> None:
    manifest = await build("animals", documents)
    corpus = open_corpus("animals")
    assert {passage.document_id for passage in corpus.passages.values()} == set(ANIMALS)
    for passage in corpus.passages.values():
        assert ANIMALS[passage.document_id][passage.span.start : passage.span.end] == passage.text
        assert passage.language == "en"
    assert sorted(i for cluster in corpus.clusters for i in cluster.passage_ids) == sorted(corpus.passages)
    assert [len(cluster.passage_ids) for cluster in corpus.clusters] == [4]
    assert set(map(passage_id_of, store_of(manifest).keys())) == set(corpus.passages)
    assert manifest.run.embedded == len(texts_embedded(endpoint)) == 4
    assert manifest.counts.tokens > 50
    assert manifest.counts.encodings


async def test_the_passages_are_beir_lines(endpoint: TestEndpoint, documents: Path) -> None:
    await build("animals", documents)
    lines = [json.loads(line) for line in (corpus_folder("animals") / "corpus.jsonl").read_text().splitlines()]
    assert [set(line) for line in lines] == [{"_id", "title", "text", "metadata"}] * 4
    assert set(lines[0]["metadata"]) == {"doc_id", "start", "end", "source", "heading", "language"}
    assert {path.name for path in corpus_folder("animals").iterdir()} == {
        *("corpus.jsonl", "clusters.jsonl", "dropped.jsonl", "kept_pairs.jsonl", "manifest.json", "bm25")
    }


async def test_again_on_the_same_documents_embeds_nothing_and_changes_nothing(
    endpoint: TestEndpoint, documents: Path
) -> None:
    await build("animals", documents)
    folder = corpus_folder("animals")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".jsonl"}
    sent = len(endpoint.sent)
    manifest = await build("animals", documents)
    assert (manifest.run.embedded, manifest.run.reused, manifest.run.removed) == (0, 4, 0)
    assert len(endpoint.sent) == sent
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".jsonl"} == before


async def test_only_what_changed_is_embedded_and_what_is_gone_is_gone(endpoint: TestEndpoint, documents: Path) -> None:
    await build("animals", documents)
    changed = {**ANIMALS, "cats.md": ANIMALS["cats.md"].replace("sixteen", "fifteen")}
    del changed["dogs.md"]
    sent = len(texts_embedded(endpoint))
    manifest = await build("animals", write_documents(documents, changed))
    assert [text for text in texts_embedded(endpoint)[sent:] if "fifteen" not in text] == []
    assert (manifest.run.embedded, manifest.run.reused, manifest.run.removed) == (1, 2, 2)
    corpus = open_corpus("animals")
    assert {passage.document_id for passage in corpus.passages.values()} == {"cats.md", "owls.md", "bees.md"}
    assert any("fifteen" in passage.text for passage in corpus.passages.values())
    assert store_of(manifest).count() == 3
    assert not any("dogs.md" in key for key in sorted(store_of(manifest).keys()))


async def test_another_embedding_model_embeds_all_and_leaves_no_old_rows(
    endpoint: TestEndpoint, documents: Path
) -> None:
    first = await build("animals", documents)
    second = await build("animals", documents, options=OPTIONS.model_copy(update={"embedding_model": "test/other"}))
    assert second.run.embedded == 4
    assert second.collection != first.collection
    with pytest.raises(InputError):
        open_store(first.collection)
    assert open_collection(open_corpus("animals")).store.count() == 4


async def test_one_sentence(endpoint: TestEndpoint, tmp_path: Path) -> None:
    folder = write_documents(tmp_path / "one", {"a.txt": "The lighthouse at Vinga was built in the year 1841."})
    await build("one", folder)
    corpus = open_corpus("one")
    assert len(corpus.passages) == len(corpus.clusters) == 1
    async with open_door():
        assert await open_collection(corpus).nearest("When was the lighthouse built?", 5) == tuple(corpus.passages)


async def test_nothing_survives_and_the_error_names_the_filter(endpoint: TestEndpoint, tmp_path: Path) -> None:
    folder = write_documents(tmp_path / "none", {"a.txt": "Yes", "b.txt": "No"})
    with pytest.raises(InputError, match="too little text 2"):
        await build("none", folder)
    assert not corpus_folder("none").exists()
    assert texts_embedded(endpoint) == []


async def test_no_document_can_be_read(endpoint: TestEndpoint, tmp_path: Path) -> None:
    empty = write_documents(tmp_path / "empty", {})
    with pytest.raises(InputError, match="no document"):
        await build("empty", empty)
    with pytest.raises(InputError, match="blank"):
        await build("empty", write_documents(empty, {"a.txt": " \n "}))


async def test_an_unknown_endpoint_is_named_before_anything_is_read(documents: Path) -> None:
    with pytest.raises(InputError, match="no endpoint 'nowhere'"):
        await build("animals", documents, options=CorpusOptions(embedding_model="nowhere/model"))
    assert not corpus_folder("animals").exists()


async def test_dropped_near_duplicates_and_skipped_files_are_stated(endpoint: TestEndpoint, documents: Path) -> None:
    (documents / "copy.md").write_text(ANIMALS["cats.md"], encoding="utf-8")
    (documents / "blank.txt").write_text("  ", encoding="utf-8")
    manifest = await build("animals", documents)
    assert manifest.counts.dropped == {"near-duplicate": 1}
    assert [skipped.reason for skipped in manifest.counts.skipped if "blank.txt" in skipped.source]
    line = json.loads((corpus_folder("animals") / "dropped.jsonl").read_text())
    assert line["reason"] == "near-duplicate"
    assert "Jaccard 1.00" in line["detail"]


async def test_an_open_corpus_is_kept_until_it_is_built_again(endpoint: TestEndpoint, documents: Path) -> None:
    await build("animals", documents)
    corpus = open_corpus("animals")
    assert open_corpus("animals") is corpus
    assert open_collection(corpus) is open_collection(corpus)
    await build("animals", documents)
    again = open_corpus("animals")
    assert again is not corpus
    assert open_collection(again) is not open_collection(corpus)


async def test_the_endpoints_error_goes_through(
    endpoint: TestEndpoint, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint.embed = lambda body: error(404, "the model `words` does not exist")
    with pytest.raises(MtrError, match="does not exist"):
        await build("animals", documents)
    assert not corpus_folder("animals").exists()


async def test_the_demo_corpus_is_called_demo(endpoint: TestEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    few = build_module.demo_documents()[:6]
    monkeypatch.setattr(build_module, "demo_documents", lambda: few)
    async with open_door():
        manifest = await build_module.build_demo_corpus(OPTIONS)
    assert manifest.name == "demo"
    assert manifest.options.embedding_model == MODEL
    assert open_corpus("demo").passages
