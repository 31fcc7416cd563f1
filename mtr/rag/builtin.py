"""The built-in RAG system: what `mtr bench` retrieves, and a model as conversational answerer."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence

from mtr.answers import Answered, Retrieved
from mtr.datasets.records import AnyPassage, AnyTurn
from mtr.llm import Usage
from mtr.rag.ranking import Rankings
from mtr.rag.systems import Ks
from mtr.records import Record
from mtr.retrieval.asked import readable
from mtr.settings import Price

UNREADABLE = "no reply of the answerer could be read"


class Written(Record):
    """What an answerer wrote. `usage` is None where the endpoint counted nothing; `call` is the ledger key."""

    answer: str
    refused: bool
    usage: Usage | None
    seconds: float
    call: str


Write = Callable[[AnyTurn, Sequence[AnyPassage], int], Awaitable[Written]]
"""(turn, retrieved passages, sample) → an answer; ReplyError where the reply could not be read."""


class BuiltinSystem:
    """Retrieves, then has a model answer."""

    def __init__(
        self, name: str, model: str, rankings: Rankings, write: Write, *, price: Price | None, made_by: str
    ) -> None:
        """`price` is None where the model's is not known; `made_by` is the fingerprint of the answerer."""
        self.name, self.models = name, (model,)
        self._rankings, self._write, self._price = rankings, write, price
        retrieval = rankings.system
        made = [retrieval.retriever, retrieval.strategy, retrieval.funnel]
        self.description = f"{model} on {', '.join(filter(None, made))}"
        self.key = hashlib.sha256(json.dumps([model, made_by, retrieval.key]).encode()).hexdigest()

    def ks(self, wanted: Sequence[int]) -> Ks:
        """All of them."""
        return tuple(wanted)

    async def answer(self, turn: AnyTurn, k: int | None) -> Answered:
        """One answer; that no reply could be read, also when asked three times, is told. Endpoint errors pass."""
        passages = await self._rankings.best(turn, k or 1)
        written = await readable(lambda sample: self._write(turn, passages, sample))
        told = Answered(
            system=self.name,
            k=k,
            query_id=turn.query_id,
            retrieved=tuple(Retrieved(passage_id=one.passage_id) for one in passages),
            fault=UNREADABLE,
        )
        if written is None:
            return told
        usage = written.usage
        return told.model_copy(
            update={
                "answer": written.answer,
                "refused": written.refused,
                "fault": "",
                "prompt_tokens": usage.prompt_tokens if usage else None,
                "completion_tokens": usage.completion_tokens if usage else None,
                "seconds": written.seconds,
                "usd": self._usd(usage),
                "call": written.call,
            }
        )

    def _usd(self, usage: Usage | None) -> float | None:
        if self._price is None or usage is None:
            return None
        return self._price.usd(usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens)
