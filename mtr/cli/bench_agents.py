"""The agents of a benchmark, handed to it: the query rewriter and the rerankers, by what a user writes."""

from collections.abc import Mapping, Sequence

from agents.listwise_reranker import order_passages
from agents.query_rewriter import rewrite_query
from agents.reranker import judge_relevance
from mtr.binding import Binding
from mtr.datasets.records import AnyTurn
from mtr.errors import InputError
from mtr.llm.serving import check_model
from mtr.prompts import domains, load_domain, prompt_hashes
from mtr.retrieval.asked import PointwiseReranker, RewrittenStrategy
from mtr.retrieval.cross_encoder import CrossEncoderReranker
from mtr.retrieval.listwise import ListwiseReranker
from mtr.retrieval.protocols import QueryStrategy, Reranker
from mtr.retrieval.searchable import Searchable
from mtr.settings import Settings

RERANKERS = ("llm:MODEL", "list:MODEL", "cross:MODEL")
ROLE_OF: Mapping[str, str] = {"rewritten:": "query_rewriter", "llm:": "reranker", "list:": "listwise_reranker"}


class BenchAgents:
    """Makes what asks a model. `chat_models` are those that were made so far."""

    def __init__(self, domain: str, settings: Settings) -> None:
        """`domain` is the folder of prompts; InputError when there is none of that name."""
        if domain not in domains():
            raise InputError(f"no domain {domain!r}; there are: {', '.join(domains())}; see `mtr prompts new`")
        self._domain, self._settings = domain, settings
        self.chat_models: tuple[str, ...] = ()

    def rewriter(self, name: str, model: str, most: int) -> QueryStrategy:
        """The strategy that has a model write the standalone query, of which the last `most` tokens are kept."""
        binding, words = self._binding("query_rewriter", model), load_domain(self._domain)

        async def rewrite(turn: AnyTurn, sample: int) -> str:
            return (await rewrite_query(binding, turn, words, sample=sample)).query

        return RewrittenStrategy(name, rewrite, most)

    def reranker(self, spec: str) -> Reranker:
        """The reranker of this spec: P(yes) or an order by a chat model, or a cross-encoder."""
        kind, _, model = spec.partition(":")
        if kind == "cross" and model:
            return CrossEncoderReranker(spec, model)
        if kind == "list" and model:
            return self._listwise(spec, model)
        if kind != "llm" or not model:
            raise InputError(f"no reranker {spec!r}; there are {', '.join(RERANKERS)}")
        binding = self._binding("reranker", model)

        async def judge(query: str, passage: Searchable, sample: int) -> float:
            return (await judge_relevance(binding, query, passage, sample=sample)).probability

        return PointwiseReranker(spec, judge)

    def _listwise(self, spec: str, model: str) -> Reranker:
        binding = self._binding("listwise_reranker", model)

        async def order(query: str, passages: Sequence[Searchable], sample: int) -> Sequence[int]:
            return (await order_passages(binding, query, passages, sample=sample)).places

        return ListwiseReranker(spec, order)

    def fingerprint(self, spec: str) -> str:
        """The hashes of the prompts behind a strategy or funnel; empty where no model is asked."""
        hashes = prompt_hashes(self._domain)
        return " ".join(hashes[role] for start, role in ROLE_OF.items() if start in spec and role in hashes)

    def _binding(self, role: str, model: str) -> Binding:
        check_model(model, self._settings)
        self.chat_models = tuple(dict.fromkeys((*self.chat_models, model)))
        return Binding(role=role, domain=self._domain, model=model)
