"""What passes through the door to models: messages, raw replies, usage, completions."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Generic, TypeVar

from mtr.errors import InputError
from mtr.llm.reply import Reply
from mtr.prompts import Message
from mtr.records import Record

R = TypeVar("R", bound=Reply)


class Usage(Record):
    """Tokens of one call as the endpoint counted them; `cached_tokens` are part of `prompt_tokens`."""

    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
        )


@dataclass(frozen=True, slots=True)
class Chance:
    """A token the model might have written, and its natural log probability."""

    token: str
    logprob: float


@dataclass(frozen=True, slots=True)
class RawReply:
    """What came back for one request, not read yet.

    `chances` are those of the token that decides, the first one or that of the score; None without logprobs.
    """

    text: str
    finish_reason: str | None
    refusal: str | None
    chances: tuple[Chance, ...] | None
    usage: Usage | None
    seconds: float


@dataclass(frozen=True)
class Request:
    """All that decides a reply, and nothing else: the ledger's key is made of it. `reply_schema` is canonical JSON."""

    endpoint: str
    model: str
    messages: tuple[Message, ...]
    temperature: float
    max_tokens: int
    reply_schema: str
    sample: int

    @cached_property
    def hashes(self) -> tuple[bytes, ...]:
        """The sha256 of each message's text."""
        return tuple(sha256(said.content) for said in self.messages)

    @cached_property
    def key(self) -> str:
        """The ledger key, 64 hexadecimal digits: messages enter as (role, sha256 of the text)."""
        said = [[said.role, digest.hex()] for said, digest in zip(self.messages, self.hashes, strict=True)]
        sampling = {"temperature": self.temperature, "max_tokens": self.max_tokens}
        parts: Mapping[str, object] = {
            "endpoint": self.endpoint,
            "model": self.model,
            "messages": said,
            "sampling": sampling,
            "schema": self.reply_schema,
            "sample": self.sample,
        }
        return sha256(canonical(parts)).hex()


@dataclass(frozen=True, slots=True)
class Completion(Generic[R]):
    """A reply that was read, with P(yes) or the expected score where it was asked for and given, and the ledger key.

    `model` is `endpoint/model`. `usage` (None when the endpoint counted nothing) and `seconds` cover every time the
    model was asked, twice when the first reply was rejected, also where an earlier run paid for it: `replayed`.
    """

    reply: R
    probability: float | None
    usage: Usage | None
    key: str
    model: str
    seconds: float
    replayed: bool
    expected: float | None = None


def canonical(value: object) -> str:
    """JSON with sorted keys, no spaces and ASCII only: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


@lru_cache(maxsize=1024)
def sha256(text: str) -> bytes:
    """The digest of a text in UTF-8; `InputError` for a text that no endpoint could be sent.

    Kept for the last ones: most messages of a request are those of its role's prompt.
    """
    try:
        return hashlib.sha256(text.encode()).digest()
    except UnicodeEncodeError as error:
        raise InputError(f"a text holds half a character (a lone surrogate) at {error.start}; leave it out") from error
