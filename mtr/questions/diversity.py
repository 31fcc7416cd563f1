"""How varied the queries of a set are: their types and topics, their wording, and how near they come to each other."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from mtr.query_types import QueryType
from mtr.questions.records import Brief
from mtr.questions.similarity import Scale, Vectors
from mtr.questions.types import targets
from mtr.records import Record
from mtr.words import is_dense, tokens

_BLOCK = 256


class TypeCount(Record):
    """Queries wanted and found of one type; `kind` is None for those that no rule can type."""

    kind: QueryType | None
    wanted: int
    found: int


class Diversity(Record):
    """`evenness` is the entropy of topics over the most it can be; None where a figure has nothing to rest on.

    `distinct_n` is the share of different n-grams among all n-grams of words, of characters in a script without
    spaces (Li et al. 2016). `nearest` is the mean similarity of a query to the nearest other one, on the scale.
    """

    types: tuple[TypeCount, ...]
    styles: dict[str, int]
    topics: int
    largest_topic: int
    evenness: float | None
    distinct_1: float | None
    distinct_2: float | None
    nearest: float | None
    nearest_most: float | None
    scale: Scale


def diversity(briefs: Sequence[Brief], vectors: Vectors, scale: Scale) -> Diversity:
    """The figures of a set; `vectors` has a row for each standalone query, of length 1."""
    found = Counter(one.kind for one in briefs)
    wanted = targets(len(briefs))
    kinds = sorted(set(found) | set(wanted), key=lambda kind: (-found[kind], str(kind)))
    topics = Counter(one.topic for one in briefs)
    queries = [one.query for one in briefs]
    near = nearest_others(vectors)
    return Diversity(
        types=tuple(TypeCount(kind=k, wanted=wanted[k] if k else 0, found=found[k]) for k in kinds),
        styles=dict(sorted(Counter(one.style for one in briefs).items())),
        topics=len(topics),
        largest_topic=max(topics.values(), default=0),
        evenness=evenness(topics.values()),
        distinct_1=distinct(queries, 1),
        distinct_2=distinct(queries, 2),
        nearest=scale.similarity(float(near.mean())) if len(near) else None,
        nearest_most=scale.similarity(float(near.max())) if len(near) else None,
        scale=scale,
    )


def evenness(counts: Iterable[int]) -> float | None:
    """Shannon entropy over its most, the logarithm of the number of parts (Pielou 1966); None for fewer than two."""
    parts = [count for count in counts if count]
    if len(parts) < 2:
        return None
    whole = sum(parts)
    return -sum(part / whole * math.log(part / whole) for part in parts) / math.log(len(parts))


def distinct(texts: Iterable[str], n: int) -> float | None:
    """Different n-grams over all n-grams; None where no text is that long."""
    seen: Counter[tuple[str, ...]] = Counter()
    for text in texts:
        words = [c for c in text if c.isalnum()] if is_dense(text) else tokens(text)
        seen.update(tuple(words[start : start + n]) for start in range(len(words) - n + 1))
    return len(seen) / seen.total() if seen else None


def nearest_others(vectors: Vectors) -> Vectors:
    """For each row the highest cosine to another row; empty for fewer than two rows."""
    if len(vectors) < 2:
        return np.empty(0, np.float32)
    best = np.empty(len(vectors), np.float32)
    for start in range(0, len(vectors), _BLOCK):
        cosines = vectors[start : start + _BLOCK] @ vectors.T
        rows = np.arange(len(cosines))
        cosines[rows, rows + start] = -np.inf
        best[start : start + _BLOCK] = cosines.max(axis=1)
    return best
