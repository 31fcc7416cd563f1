"""What a benchmark is made of: retrievers, rerankers and query strategies. Whatever asks a model is handed in."""

from collections.abc import Mapping, Sequence
from typing import Protocol

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


class Reranker(Protocol):
    """Scores the passages of a ranking anew."""

    @property
    def name(self) -> str:
        """How tables call it."""

    async def rerank(self, queries: Mapping[str, str], run: Run, passages: Mapping[str, Searchable]) -> Run:
        """The same passages for each query, scored anew; `run` holds only those that are to be looked at."""


class QueryStrategy(Protocol):
    """How a conversation becomes the query of a retriever."""

    @property
    def name(self) -> str:
        """How tables call it."""

    async def queries(self, turns: Sequence[AnyTurn]) -> Mapping[str, str]:
        """The query of each turn by query_id; a turn that it has none for is left out."""
