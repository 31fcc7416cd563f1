"""What a system of the user's own gave for a turn, checked before anything is made of it."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, field_validator

from mtr.answers import Answered, Retrieved
from mtr.datasets.records import AnyPassage, AnyTurn
from mtr.errors import InputError

SHAPE = '{"answer": "text", "passages": [{"id": "…", "text": "…"}]}'


class GivenPassage(BaseModel):
    """A passage by id, text or both; a bare string is an id."""

    model_config = ConfigDict(frozen=True)

    passage_id: str = Field(default="", validation_alias=AliasChoices("id", "passage_id"))
    text: str = ""


class Given(BaseModel):
    """An answer; whatever else a system sends is passed over. `passages` are those it retrieved, best first."""

    model_config = ConfigDict(frozen=True)

    answer: str
    passages: tuple[GivenPassage, ...] | None = Field(
        default=None, validation_alias=AliasChoices("passages", "retrieved")
    )
    refused: bool | None = None
    prompt_tokens: int | None = Field(default=None, ge=0)
    completion_tokens: int | None = Field(default=None, ge=0)
    usd: float | None = Field(default=None, ge=0)

    @field_validator("passages", mode="before")
    @classmethod
    def _ids(cls, value: object) -> object:
        if isinstance(value, list | tuple):
            return [{"id": one} if isinstance(one, str) else one for one in value]
        return value


def read_given(value: object, who: str) -> Given:
    """The value as an answer; a bare string is one without passages. InputError says what is wrong with it."""
    try:
        return Given.model_validate({"answer": value} if isinstance(value, str) else value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise InputError(f"{who} gave {_shown(value)}: {place}: {first['msg']}; it has to give {SHAPE}") from error


class KnownPassages:
    """The data set's passages, found by id or by their whole text, white space apart."""

    def __init__(self, passages: Mapping[str, AnyPassage]) -> None:
        self._passages = passages

    @cached_property
    def _by_text(self) -> Mapping[str, str]:
        return {_plain(one.text): name for name, one in self._passages.items()}

    def retrieved(self, given: Iterable[GivenPassage], who: str) -> tuple[Retrieved, ...]:
        """What was retrieved, a passage named twice counted once. A text is kept where it is not the data set's own.

        InputError: a passage has neither id nor text.
        """
        found: dict[tuple[str, str], Retrieved] = {}
        for one in given:
            if not one.passage_id and not one.text.strip():
                raise InputError(f"{who} gave a passage with neither an id nor a text; it has to give {SHAPE}")
            name = one.passage_id or self._by_text.get(_plain(one.text), "")
            held = self._passages.get(name)
            text = "" if held is not None and _plain(held.text) == _plain(one.text) else one.text
            found.setdefault((name, "" if name else text), Retrieved(passage_id=name, text=text))
        return tuple(found.values())


def answered_of(
    name: str, turn: AnyTurn, k: int | None, given: Given, known: KnownPassages, *, seconds: float | None = None
) -> Answered:
    """The record of what was given. InputError: more than k passages; a blank answer is none, and told."""
    who = f"{name} for {turn.query_id!r}"
    retrieved = None if given.passages is None else known.retrieved(given.passages, who)
    if k is not None and retrieved is not None and len(retrieved) > k:
        raise InputError(
            f"{who} gave {len(retrieved)} passages where {k} at most were asked for; "
            f"have it heed k, or ask with --k {len(retrieved)} or more"
        )
    blank = not given.answer.strip()
    return Answered(
        system=name,
        k=k,
        query_id=turn.query_id,
        answer=None if blank else given.answer.strip(),
        refused=None if blank else given.refused,
        retrieved=retrieved,
        fault="the answer is blank" if blank else "",
        prompt_tokens=given.prompt_tokens,
        completion_tokens=given.completion_tokens,
        usd=given.usd,
        seconds=seconds,
    )


def _plain(text: str) -> str:
    return " ".join(text.split())


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
