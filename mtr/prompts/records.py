"""The records of the prompt library: messages, headers, a domain's settings, and the faults of its files."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, field_validator

from mtr.errors import InputError
from mtr.prompts.places import filled, places
from mtr.records import Record

ReplyKind = Literal["json", "yes_no", "scale", "choice", "claims"]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Line = Annotated[str, Field(min_length=1)]


def _each_once(names: tuple[str, ...]) -> tuple[str, ...]:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"named twice: {', '.join(twice)}")
    return names


class Message(Record):
    """One message of a chat, as an endpoint gets it."""

    role: Literal["system", "user", "assistant"]
    content: str


class RenderedPrompt(Record):
    """A prompt ready to be sent; `sha256` is that of its source, the prefix file's text included."""

    domain: str
    role: str
    messages: tuple[Message, ...]
    temperature: float
    max_tokens: int
    sha256: str


class PrefixHeader(Record):
    """The header of a file of messages that several roles begin with."""

    description: Line


class PromptHeader(PrefixHeader):
    """The header of a role's file. `inputs` are its placeholders; `prefix` is a file of the domain folder."""

    inputs: Annotated[tuple[Name, ...], AfterValidator(_each_once)]
    temperature: float = Field(default=0.0, ge=0, le=2, allow_inf_nan=False)
    max_tokens: int = Field(default=512, ge=1)
    reply: ReplyKind | None = None
    prefix: str | None = Field(default=None, pattern=r"^[a-z][a-z0-9_]*\.md$")


class DomainSettings(Record):
    """`domain.yaml`: what a domain says apart from its prompts. `styles` maps a style to its instruction.

    `phrases` are the word lists of the code checks; `demands` maps a word of a query to what a fact must then hold
    (one of the words, or `#` for a number); `openings` maps a cue in a fact to how a query about it may begin, `*`
    standing for any fact, `#` for one with a number and `!` for an instruction; `faults` maps the code of what a check
    found to its text.
    """

    description: Line
    language: str = Field(pattern=r"^[a-z]{2,3}$", description="ISO 639 code of the domain's language")
    personas: tuple[Line, ...] = Field(min_length=1)
    styles: Mapping[Name, Line] = Field(min_length=1)
    phrases: Mapping[Name, tuple[Line, ...]] = Field(default_factory=dict)
    demands: Mapping[Line, tuple[Line, ...]] = Field(default_factory=dict)
    openings: Mapping[Line, Line] = Field(default_factory=dict)
    faults: Mapping[Name, Line] = Field(default_factory=dict)

    @field_validator("phrases")
    @classmethod
    def _halves_have_their_places(cls, phrases: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
        for text in phrases.get("halves", ()):
            if places(text) != {"first", "second"}:
                raise ValueError(f"halves: {text!r} must have the places {{first}} and {{second}} and no other")
        return phrases

    def words(self, name: str) -> tuple[str, ...]:
        """A list of `phrases`; empty where the domain has none, which turns its check off."""
        return self.phrases.get(name, ())

    def fault(self, code: str, **values: str) -> str:
        """What a check found, in the domain's words: the trace shows it, and it is the advice for the next try."""
        return filled(self.faults[code], values)

    def __hash__(self) -> int:
        """Of the fields that can be hashed; mappings cannot."""
        return hash((self.description, self.language, self.personas))

    @cached_property
    def stopwords(self) -> frozenset[str]:
        """Words without content of their own."""
        return frozenset(self.words("stopwords"))


class Fault(Record):
    """Something wrong in a file of a domain; `line` counts from 1, None where no line can be named."""

    path: str
    line: int | None = None
    message: str

    def __str__(self) -> str:
        where = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{where}: {self.message}"


def refuse(faults: Sequence[Fault]) -> None:
    """Raise one InputError that lists all faults, a line each; do nothing when there are none."""
    if faults:
        raise InputError("\n".join(str(fault) for fault in faults))


def bytes_faults(text: str, path: str) -> list[Fault]:
    """A fault for each line with U+FFFD, which stands where a file's bytes are not UTF-8."""
    lines = (number for number, line in enumerate(text.split("\n"), 1) if "\ufffd" in line)
    return [Fault(path=path, line=line, message="holds bytes that are not UTF-8; save it as UTF-8") for line in lines]
