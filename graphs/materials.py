"""What nodes work with, opened once a process: corpus, collection, and the domain's settings."""

import os
from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Self, cast

from graphs.casting import Casting
from mtr.corpus.corpus import Corpus, open_corpus
from mtr.prompts import DomainSettings, load_domain
from mtr.records import Passage
from mtr.retrieval.collection import Collection, open_collection
from mtr.settings import load_settings
from mtr.thresholds import OwnThresholds, Thresholds, thresholds_for

_GOLD_AMONG = 10
_FRESH_SECONDS = 1.0
_opened: dict[tuple[str, str, str], tuple[float, "Materials"]] = {}


@dataclass(frozen=True)
class Materials:
    """The corpus a conversation draws on and the words of its domain."""

    corpus: Corpus
    collection: Collection
    settings: DomainSettings
    vocabulary: frozenset[str]
    thresholds: OwnThresholds

    @classmethod
    async def of(cls, context: Casting) -> Self:
        """Open them off the event loop, looking for changes once a second: a batch asks for them in every node.

        Raises:
            InputError: for an unknown corpus or domain, with the command that makes one.
        """
        key = (context.corpus, context.domain, os.environ.get("MTR_HOME", ""))
        opened = _opened.get(key)
        if opened is None or monotonic() - opened[0] > _FRESH_SECONDS:
            if opened is not None:
                _opened[key] = (monotonic(), opened[1])  # one looks, the others go on with what is open
            opened = _opened[key] = (monotonic(), await to_thread(cls._open, context.corpus, context.domain))
        return cast(Self, opened[1])

    @classmethod
    def _open(cls, corpus_name: str, domain: str) -> Self:
        corpus = open_corpus(corpus_name)
        return cls(corpus, open_collection(corpus), load_domain(domain), corpus.vocabulary, load_settings().thresholds)

    def cuts(self, model: str) -> Thresholds:
        """What the model's probabilities have to reach in the domain's language, by mtr.toml or as measured."""
        return thresholds_for(model, self.settings.language, self.thresholds)

    def passages(self, passage_ids: Sequence[str]) -> list[Passage]:
        """The passages of these ids, in this order."""
        return [self.corpus.passages[passage_id] for passage_id in passage_ids]

    async def search(self, query: str, gold: Sequence[str], count: int) -> "Search":
        """The nearest other passages of the whole collection, and whether the query leads to any of the gold."""
        ids = await self.collection.nearest(query, max(count + len(gold), _GOLD_AMONG))
        found = set(ids[:_GOLD_AMONG]) & set(gold)
        fault = "" if found else self.settings.fault("not_found", count=str(_GOLD_AMONG))
        return Search(tuple(self.passages([p for p in ids if p not in gold][:count])), fault)


@dataclass(frozen=True)
class Search:
    """`rivals` best first; `fault` in words when the gold is not among the nearest, else empty."""

    rivals: tuple[Passage, ...]
    fault: str
