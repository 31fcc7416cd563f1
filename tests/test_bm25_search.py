"""BM25 search at sizes where frequent terms are bounded by levels: the best rows, in order, to the last bit."""

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from support.passages import passages

from mtr.retrieval.analyzers import ANALYZERS, WORDS
from mtr.retrieval.bm25 import BM25Index
from mtr.retrieval.bm25_levels import levels_of

MANY = 9_000
WORDS_OF_ALL_KINDS = (
    "running Größe os.path_exists don’t Python's 自然语言 ﾃｽﾄ v3.14 the U.S.A. e\u0301 \u0301x - 's камень हिन्दी "
    "x\u200by … #! ﬁne \u1100\u1161 a\u00a8"
)


def _texts(count: int, seed: int, words: int = 400) -> list[list[str]]:
    """Words by Zipf's law, so that the first are in most texts; every tenth text stands twice, which makes ties."""
    draw = random.Random(seed)
    names = [f"w{rank}" for rank in range(words)]
    weights = [1 / (rank + 1) for rank in range(words)]
    texts = [draw.choices(names, weights, k=draw.randint(1, 40)) for _ in range(count)]
    for row in range(10, count, 10):
        texts[row] = texts[row // 2]
    return texts


def _index(texts: list[list[str]]) -> BM25Index:
    return BM25Index.of_terms([f"p{row}" for row in range(len(texts))], texts, WORDS)


def _by_sorting(index: BM25Index, query: str, k: int) -> list[tuple[str, float]]:
    scores = index.scores(query.split())
    best = sorted(np.flatnonzero(scores > 0).tolist(), key=lambda row: (-scores[row], row))[:k]
    return [(index.passage_ids[row], float(scores[row])) for row in best]


@pytest.mark.parametrize("count", [1, 63, 64, 65, 4095, 4096, MANY])
def test_the_best_are_those_of_all_scores_sorted(count: int) -> None:
    index, draw = _index(_texts(count, seed=count)), random.Random(count)
    for k in (1, 2, 10, 70, 500, count):
        for length in (1, 2, 5, 12, 60):
            query = " ".join(f"w{int(draw.paretovariate(0.4)) - 1}" for _ in range(length))
            assert index.search(query, k) == _by_sorting(index, query, k), (k, query)


def test_a_query_of_the_most_frequent_words_alone() -> None:
    index = _index(_texts(MANY, seed=1))
    for query in ("w0", "w0 w0", "w0 w1 w2 w3", " ".join(["w0 w1"] * 200), " ".join(["w0"] * 300)):
        assert index.search(query, 50) == _by_sorting(index, query, 50)


def test_where_all_score_alike_the_first_passages_are_found() -> None:
    index = _index([["same", "words"]] * MANY)
    assert [one for one, _ in index.search("words same", 20)] == [f"p{row}" for row in range(20)]


def test_a_search_leaves_nothing_behind_for_the_next_one() -> None:
    index = _index(_texts(MANY, seed=2))
    first = index.search("w0 w3 w50", 30)
    for query in ("w1 w2", "w399", "nothing", "w0 w1 w2 w3 w4 w5"):
        index.search(query, 7)
    assert index.search("w0 w3 w50", 30) == first


def test_threads_may_share_an_index() -> None:
    index = _index(_texts(MANY, seed=3))
    queries = [f"w{row % 7} w{row % 31} w{row}" for row in range(200)]
    alone = [index.search(query, 20) for query in queries]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda query: index.search(query, 20), queries)) == alone


def test_a_loaded_index_finds_the_same(tmp_path: Path) -> None:
    index = _index(_texts(MANY, seed=4))
    index.save(tmp_path)
    assert BM25Index.load(tmp_path).search("w0 w2 w90", 40) == index.search("w0 w2 w90", 40)


def test_levels_are_upper_bounds_by_less_than_a_step() -> None:
    index = _index(_texts(MANY, seed=5))
    made = levels_of(index.data, index.indices, index.indptr, MANY)
    frequent = np.flatnonzero(made.slots >= 0)
    assert 0 < len(frequent) < len(index.vocabulary) / 4
    for column in frequent:
        part = slice(index.indptr[column], index.indptr[column + 1])
        scores = np.zeros(made.levels.shape[1], np.float32)
        scores[index.indices[part]] = index.data[part]
        above = made.step * made.levels[made.slots[column]].astype(np.float32) - scores
        assert above.min() >= 0
        assert above.max() <= made.step * 1.001
        assert np.array_equal(made.levels[made.slots[column]] > 0, scores > 0)


@pytest.mark.parametrize("name", ANALYZERS)
def test_a_text_is_analysed_as_its_words_are(name: str) -> None:
    """What lets a search remember the terms of a word."""
    analyzer, draw = ANALYZERS[name], random.Random(6)
    for _ in range(2_000):
        gaps = draw.choices([" ", "\n", "\u00a0", "\u3000", "\t ", "\x1f", "\u2028", "", ""], k=6)
        text = "".join(draw.choice(WORDS_OF_ALL_KINDS.split(" ")) + gap for gap in gaps)
        assert [term for word in text.split() for term in analyzer.terms(word)] == analyzer.terms(text), repr(text)


def test_found_in_a_corpus_of_passages() -> None:
    index = BM25Index.build(passages(["one two", "two three two", "four"]))
    assert [one for one, _ in index.search("two four", 3)] == ["p2", "p1", "p0"]
