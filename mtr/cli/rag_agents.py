"""The agents of a RAG evaluation, handed to it: those of a benchmark, and the conversational answerer."""

from collections.abc import Sequence

from agents.rag_answerer import answer_query
from mtr.cli.bench_agents import BenchAgents
from mtr.cli.dialogues import code_of
from mtr.datasets.records import AnyPassage, AnyTurn
from mtr.prompts import load_domain, prompt_hashes
from mtr.rag.builtin import Write, Written
from mtr.rag.showing import ANSWERER

_SHAPING = ("agents.rag_answerer", "mtr.rag.showing", "mtr.judging.showing", "mtr.binding")


class Answerers(BenchAgents):
    """Makes what asks a model."""

    def answerer(self, model: str) -> Write:
        """The conversational answerer that asks this model; InputError where it cannot be asked."""
        binding, words = self._binding(ANSWERER, model), load_domain(self._domain)

        async def write(turn: AnyTurn, passages: Sequence[AnyPassage], sample: int) -> Written:
            said = await answer_query(binding, turn, passages, words, sample=sample)
            return Written(**said.model_dump(exclude={"usage"}), usage=said.usage)

        return write

    def answerer_fingerprint(self) -> str:
        """What decides its replies besides the texts: prompt and code, as a hash."""
        return f"{prompt_hashes(self._domain)[ANSWERER]} {code_of(_SHAPING)}"
