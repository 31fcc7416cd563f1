"""The agents of a benchmark, handed to it: the query rewriter and the rerankers, by what a user writes."""

from collections.abc import Mapping

from mtr.errors import InputError
from mtr.prompts import domains, prompt_hashes
from mtr.retrieval.protocols import QueryStrategy, Reranker
from mtr.settings import Settings

RERANKERS = ("llm:MODEL", "cross:MODEL")


class BenchAgents:
    """Makes what asks a model. `chat_models` are those that were made so far."""

    def __init__(self, domain: str, settings: Settings) -> None:
        """`domain` is the folder of prompts; InputError when there is none of that name."""
        if domain not in domains():
            raise InputError(f"no domain {domain!r}; there are: {', '.join(domains())}; see `mtr prompts new`")
        self._domain, self._settings = domain, settings
        self.chat_models: tuple[str, ...] = ()

    def rewriter(self, name: str, model: str) -> QueryStrategy:
        """The strategy that has a model write the standalone query."""
        raise InputError(f"{name}: not there")

    def reranker(self, spec: str) -> Reranker:
        """The reranker of this spec."""
        raise InputError(f"no reranker {spec!r}; there are {', '.join(RERANKERS)}")

    def fingerprint(self, spec: str) -> str:
        """The hash of the prompt behind a strategy or funnel; empty where no model is asked."""
        roles: Mapping[str, str] = {"rewritten:": "query_rewriter", "llm:": "reranker"}
        hashes = prompt_hashes(self._domain)
        return " ".join(hashes.get(role, "") for start, role in roles.items() if start in spec)
