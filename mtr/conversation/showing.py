"""How passages and history stand in a prompt: fenced, with code between backticks, the same bytes every time."""

from collections.abc import Sequence

from mtr.corpus.facts import code_in_backticks, topic_of
from mtr.prompts import DomainSettings, passage_block
from mtr.records import Passage, Turn


def shown_passages(passages: Sequence[Passage]) -> str:
    """The passages between fences that no document can close, each under its title and heading."""
    return passage_block([(topic_of(passage), code_in_backticks(passage.text)) for passage in passages])


def shown_history(turns: Sequence[Turn], settings: DomainSettings) -> str:
    """The conversation so far, a line for each query and answer, with the domain's names of the two speakers."""
    user, assistant = (*settings.words("speakers"), "", "")[:2]
    return "\n".join(f"{user}{turn.query}\n{assistant}{turn.answer}" for turn in turns)
