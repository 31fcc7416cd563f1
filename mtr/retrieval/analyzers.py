"""Analyzers by name: how text becomes the terms of a BM25 index. Name and version are stored with what they made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mtr.retrieval.lucene_english import english_terms
from mtr.retrieval.tokenization import ANALYZER, terms_of_text


@dataclass(frozen=True)
class Analyzer:
    """`version` names it for good: an index made by another one must be built again."""

    version: str
    terms: Callable[[str], list[str]]


WORDS = Analyzer(ANALYZER, terms_of_text)
"""Any script, nothing stemmed or left out: what corpora are indexed with."""

LUCENE_ENGLISH = Analyzer("lucene-english/1", english_terms)
"""English as Lucene analyses it: what published BM25 scores rest on."""

ANALYZERS: Mapping[str, Analyzer] = {"words": WORDS, "lucene_english": LUCENE_ENGLISH}
