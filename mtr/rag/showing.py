"""What the answerer is shown of a turn: the values of its prompt's inputs."""

from collections.abc import Mapping, Sequence

from mtr.datasets.records import AnyPassage, AnyTurn
from mtr.judging.showing import shown_history, shown_retrieved
from mtr.prompts import DomainSettings

ANSWERER = "rag_answerer"
"""The role of the prompt library."""


def answerer_values(turn: AnyTurn, passages: Sequence[AnyPassage], words: DomainSettings) -> Mapping[str, str]:
    """Passages first, the query last. The turn's own answer and gold are not looked at."""
    return {
        "retrieved": shown_retrieved([one for one in passages if one.text.strip()]),
        "history": shown_history(turn.history, words),
        "query": " ".join(turn.query.split()),
    }
