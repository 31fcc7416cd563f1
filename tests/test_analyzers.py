"""Analyzers of BM25: stems, terms, and the index that goes with one."""

from pathlib import Path

import pytest
from support.animals import corpus

from mtr.errors import InputError
from mtr.retrieval.analyzers import ANALYZERS, LUCENE_ENGLISH, WORDS
from mtr.retrieval.bm25 import BM25Index
from mtr.retrieval.lucene_english import english_terms
from mtr.retrieval.porter import porter_stem

STEMS = {
    "caresses": "caress", "ponies": "poni", "cats": "cat", "agreed": "agre", "feed": "feed", "plastered": "plaster",
    "sing": "sing", "conflated": "conflat", "hopping": "hop", "falling": "fall", "filing": "file", "happy": "happi",
    "sky": "sky", "relational": "relat", "rational": "ration", "digitizer": "digit", "triplicate": "triplic",
    "hopefulness": "hope", "allowance": "allow", "adjustment": "adjust", "adoption": "adopt", "probate": "probat",
    "rate": "rate", "cease": "ceas", "controlling": "control", "generalizations": "gener", "as": "as", "größe": "größe",
}  # fmt: skip


def test_porter_stems() -> None:
    assert {word: porter_stem(word) for word in STEMS} == STEMS


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The cats' dog's tails are NOT Hunting", ["cat", "dog", "tail", "hunt"]),
        ("U.S. 3.14 1,000 x-ray TGF-β1 a_b", ["u.", "3.14", "1,000", "x", "rai", "tgf", "β1", "a_b"]),
        ("don't O’Neil’s", ["don't", "o’neil"]),
        ("自然 text", ["自", "然", "text"]),
        ("the of and", []),
        ("", []),
        ("x" * 300, ["x" * 255, "x" * 45]),
    ],
)
def test_lucene_english_terms(text: str, terms: list[str]) -> None:
    assert english_terms(text) == [term.replace("u.", "u.s") for term in terms]


def test_an_index_is_opened_by_the_analyzer_that_made_it(tmp_path: Path) -> None:
    BM25Index.build(list(corpus().values()), LUCENE_ENGLISH).save(tmp_path)
    loaded = BM25Index.load(tmp_path, LUCENE_ENGLISH)
    assert [name for name, _ in loaded.search("hunting", 5)] == ["owl", "cat"]
    with pytest.raises(InputError, match="lucene-english/1, not mtr-words"):
        BM25Index.load(tmp_path, WORDS)
    assert {one.version for one in ANALYZERS.values()} == {WORDS.version, LUCENE_ENGLISH.version}
