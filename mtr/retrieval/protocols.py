"""What a benchmark is made of: retrievers, rerankers and query strategies. Whatever asks a model is handed in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from mtr.datasets.records import AnyTurn
from mtr.relevance import Run
from mtr.retrieval.searchable import Searchable


class Retriever(Protocol):
    """Ranks passages for queries: batch in, `Run` out."""

    @property
    def name(self) -> str:
        """How tables call it."""

    async def index(self, passages: Sequence[Searchable]) -> None:
        """Take passages in; called again, more of them are added to those that are there."""

    async def retrieve(self, queries: Mapping[str, str], k: int) -> Run:
        """At most k passages for each query; `queries` maps query_id to text, and a blank one finds nothing."""


@dataclass(frozen=True)
class SearchRecall:
    """An approximate search beside an exact one: `found` of `of` nearest passages, `k` for each query."""

    search: str
    k: int
    found: int
    of: int


@runtime_checkable
class Approximate(Protocol):
    """A retriever that does not find all nearest passages, and can tell how many."""

    async def recalls(self) -> tuple[SearchRecall, ...]:
        """Of the searches since this was asked last; exact search is done now, outside of what was timed."""


@dataclass(frozen=True)
class Queries:
    """Texts by query_id. `unreadable`: the query ids of which a model's reply could not be read."""

    texts: Mapping[str, str]
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reranked:
    """A run after reranking. `unreadable`: the query ids of which a reply, the only one or one of several, could not be
    read, so that their order was left as it was, or partly so.
    """

    run: Run
    unreadable: tuple[str, ...] = ()


class Reranker(Protocol):
    """Scores the passages of a ranking anew."""

    @property
    def name(self) -> str:
        """How tables call it."""

    async def rerank(self, queries: Mapping[str, str], run: Run, passages: Mapping[str, Searchable]) -> Reranked:
        """The same passages for each query, scored anew; `run` holds only those that are to be looked at.

        A query that the result leaves out keeps its order.
        """


class QueryStrategy(Protocol):
    """How a conversation becomes the query of a retriever."""

    @property
    def name(self) -> str:
        """How tables call it."""

    async def queries(self, turns: Sequence[AnyTurn]) -> Queries:
        """The query of each turn; a turn that it has none for is left out."""
