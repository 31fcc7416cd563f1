"""The topic planner chooses where a conversation goes at a hard switch, so that it flows."""

from collections.abc import Sequence

from pydantic import Field

from mtr.binding import Binding
from mtr.conversation.showing import shown_history
from mtr.corpus.facts import readable, topic_of
from mtr.errors import ReplyError
from mtr.llm import Reply
from mtr.prompts import DomainSettings
from mtr.records import Passage, Record, Turn

_WORDS_SHOWN = 25


class TopicReply(Reply):
    """What the model sends back; the reason comes before the choice."""

    reason: str = Field(max_length=300)
    number: int = Field(ge=1)


class TopicChoice(Record):
    """The place of the chosen passage among the options, from 0."""

    option: int
    reason: str
    call: str


async def choose_topic(
    binding: Binding, turns: Sequence[Turn], options: Sequence[Passage], settings: DomainSettings, *, sample: int = 0
) -> TopicChoice:
    """Ask which of the options the user would most naturally turn to.

    Raises:
        ReplyError: when the reply could not be read or names no option.
    """
    offered = "\n".join(f"{number}. {_gist(passage)}" for number, passage in enumerate(options, 1))
    completion = await binding.ask(
        {"history": shown_history(turns, settings), "options": offered}, TopicReply, sample=sample
    )
    if completion.reply.number > len(options):
        raise ReplyError(f"the topic planner chose number {completion.reply.number} of {len(options)} options")
    return TopicChoice(option=completion.reply.number - 1, reason=completion.reply.reason, call=completion.key)


def _gist(passage: Passage) -> str:
    words = readable(passage.text).split(" ")
    return f"{topic_of(passage)}: {' '.join(words[:_WORDS_SHOWN])}"
