"""The analyzer and the BM25 index: terms in many scripts, scores by hand, ties, saving."""

import json
import math
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from support.passages import passage, passages

from mtr.errors import InputError
from mtr.retrieval.bm25 import K1, B, BM25Index
from mtr.retrieval.searchable import searchable_text
from mtr.retrieval.tokenization import terms_of_text

TERMS = {
    "Plain WORDS, and more.": ["plain", "words", "and", "more"],
    "os.path_exists(x)": ["os.path_exists", "os", "path", "exists", "x"],
    "camelCaseName HTTPServer": ["camelcasename", "camel", "case", "name", "httpserver", "http", "server"],
    "__getitem__": ["__getitem__", "getitem"],
    "snake_case": ["snake_case", "snake", "case"],
    "Python's don’t": ["python", "don't"],
    "version 3.14": ["version", "3.14", "3", "14"],
    "Größe STRASSE Straße": ["grösse", "strasse", "strasse"],
    "हिन्दी में": ["हिन्दी", "में"],
    "المعرفة قوة": ["المعرفة", "قوة"],
    "自然语言": ["自然", "然语", "语言"],
    "中": ["中"],
    "食べるコーヒー": ["食べ", "べる", "るコ", "コー", "ーヒ", "ヒー"],
    "ﾃｽﾄ Ｆｕｌｌ": ["テス", "スト", "full"],
    "한국어 말": ["한국", "국어", "말"],
    "ภาษา": ["ภา", "าษ", "ษา"],
    "Python中文v2": ["python", "中文", "v2"],
    "": [],
    "?! … 🙂": [],
}


@pytest.mark.parametrize("text", TERMS)
def test_terms(text: str) -> None:
    assert terms_of_text(text) == TERMS[text]


def test_searchable_text_adds_title_and_heading_that_say_something_new() -> None:
    assert searchable_text(passage("a", "Text.", title="T", heading="H")) == "T\nH\nText."
    assert searchable_text(passage("a", "## Loops\nText.", title="Loops")) == "## Loops\nText."
    assert searchable_text(passage("a", "Text.", title="T", heading="T")) == "T\nText."


def _score_by_hand(query: str, texts: list[str], row: int) -> float:
    documents = [Counter(terms_of_text(text)) for text in texts]
    lengths = [sum(document.values()) for document in documents]
    average = sum(lengths) / len(lengths)
    score = 0.0
    for term in terms_of_text(query):
        holders = sum(term in document for document in documents)
        frequency = documents[row][term]
        idf = math.log(1 + (len(texts) - holders + 0.5) / (holders + 0.5))
        score += idf * frequency / (frequency + K1 * (1 - B + B * lengths[row] / average))
    return score


def test_scores_are_lucenes_formula() -> None:
    draw = random.Random(0)
    words = ["alpha", "beta", "gamma", "delta", "自然语言", "os.path"]
    texts = [" ".join(draw.choices(words, k=draw.randint(1, 12))) for _ in range(40)]
    index = BM25Index.build(passages(texts))
    query = "alpha 自然 delta delta path nowhere"
    found = dict(index.search(query, 40))
    assert len(found) > 30
    for row in range(len(texts)):
        assert found.get(f"p{row}", 0.0) == pytest.approx(_score_by_hand(query, texts, row), rel=1e-5, abs=1e-7)


def test_order_is_score_then_passage_order_at_every_k() -> None:
    index = BM25Index.build(passages(["same words"] * 5 + ["other thing", "words words"] + ["same words"] * 5))
    everything = index.search("words", 100)
    assert [one for one, _ in everything] == ["p6", *(f"p{n}" for n in (0, 1, 2, 3, 4, 7, 8, 9, 10, 11))]
    for k in range(14):
        assert index.search("words", k) == everything[:k]


def test_what_shares_no_term_is_not_found() -> None:
    index = BM25Index.build(passages(["one", "two"]))
    assert index.search("three", 5) == index.search("", 5) == index.search("one", 0) == []


def test_passages_without_terms() -> None:
    assert BM25Index.build(passages(["!!!", "..."])).search("x", 3) == []
    assert BM25Index.build([]).search("x", 3) == []
    assert [one for one, _ in BM25Index.build(passages(["!!!", "word"])).search("word", 3)] == ["p1"]


@pytest.mark.parametrize("texts", [["one two", "two three", "自然语言"], ["!!!"], []])
def test_saved_and_loaded_it_is_the_same(texts: list[str], tmp_path: Path) -> None:
    index = BM25Index.build(passages(texts))
    index.save(tmp_path / "bm25")
    loaded = BM25Index.load(tmp_path / "bm25")
    assert loaded.passage_ids == index.passage_ids
    for query in ("two", "语言", "three one"):
        assert loaded.search(query, 9) == index.search(query, 9)
    assert {path.suffix for path in (tmp_path / "bm25").iterdir()} == {".npy", ".json"}


def test_the_loaded_arrays_are_mapped(tmp_path: Path) -> None:
    BM25Index.build(passages(["one two"])).save(tmp_path)
    assert isinstance(BM25Index.load(tmp_path).data.base, np.memmap)


def test_another_analyzer_or_damage_is_refused(tmp_path: Path) -> None:
    BM25Index.build(passages(["one two"])).save(tmp_path)
    head = json.loads((tmp_path / "index.json").read_text())
    (tmp_path / "index.json").write_text(json.dumps({**head, "analyzer": "someone/0"}))
    with pytest.raises(InputError, match="someone/0"):
        BM25Index.load(tmp_path)
    (tmp_path / "index.json").write_text(json.dumps({**head, "terms": ["one"]}))
    with pytest.raises(InputError, match="damaged"):
        BM25Index.load(tmp_path)
    (tmp_path / "index.json").write_text("{")
    with pytest.raises(InputError, match="build"):
        BM25Index.load(tmp_path)
    with pytest.raises(InputError, match="build"):
        BM25Index.load(tmp_path / "missing")


def test_a_pickled_array_is_not_opened(tmp_path: Path) -> None:
    BM25Index.build(passages(["one two"])).save(tmp_path)
    np.save(tmp_path / "data.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match="cannot be read"):
        BM25Index.load(tmp_path)
