"""What is evaluated: anything that answers a turn from at most k passages, and says what they were."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from mtr.answers import Answered
from mtr.datasets.records import AnyTurn

Ks = tuple[int | None, ...]
"""How many passages a system is asked to answer from; None where its answers were made without a k of ours."""


class RagSystem(Protocol):
    """Answers turns. Its faults are MtrErrors: EndpointErrors for what another run may mend."""

    @property
    def name(self) -> str:
        """How tables call it."""

    @property
    def description(self) -> str:
        """What it is made of, in a line."""

    @property
    def key(self) -> str:
        """A hash of all that decides its answers, apart from the turn and k: answers are kept for the same key only."""

    @property
    def models(self) -> tuple[str, ...]:
        """The chat models it asks through the door."""

    def ks(self, wanted: Sequence[int]) -> Ks:
        """Those it answers with, of those wanted."""

    async def answer(self, turn: AnyTurn, k: int | None) -> Answered:
        """Answer one turn."""


def asked_of(turn: AnyTurn, k: int | None) -> Mapping[str, object]:
    """What a system of the user's own is told of a turn: nothing that would give the answer away."""
    return {
        "query_id": turn.query_id,
        "query": turn.query,
        "history": [{"speaker": said.speaker, "text": said.text} for said in turn.history],
        "k": k,
        "subset": turn.subset,
    }
