"""Messages with roles, as chat models and many data sets write them."""

from collections.abc import Iterable

from mtr.datasets.foreign import Foreign
from mtr.datasets.gathering import assistant, user
from mtr.datasets.records import Said
from mtr.errors import InputError

USER = frozenset({"user", "human"})
ASSISTANT = frozenset({"assistant", "agent", "gpt"})


class Message(Foreign):
    """One message as the source has it."""

    role: str
    content: str


def said_in(messages: Iterable[Message], where: str) -> tuple[Said, ...]:
    """What was said, in order; instructions to the system are not part of the conversation.

    InputError names the place of a role that is none of the known ones.
    """
    said: list[Said] = []
    for place, message in enumerate(messages):
        if message.role in USER:
            said.append(user(message.content))
        elif message.role in ASSISTANT:
            said.append(assistant(message.content))
        elif message.role != "system":
            raise InputError(f"{where}: messages.{place}.role: {message.role!r} is not user, assistant or system")
    return tuple(said)
