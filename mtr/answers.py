"""What a RAG system gave for a turn: its answer, what it had retrieved, what that took. Records only."""

from pydantic import Field, model_validator

from mtr.records import Record


class Retrieved(Record):
    """A passage that a system retrieved: its id, its text where that is not the data set's, or both."""

    passage_id: str = ""
    text: str = ""

    @model_validator(mode="after")
    def _something(self) -> "Retrieved":
        if not self.passage_id and not self.text.strip():
            raise ValueError("a passage has an id or a text")
        return self


class Answered(Record):
    """The answer of one system to one turn, with `k` passages asked for; None where it was made without a k of ours.

    `answer` is None where there is none, and `fault` says why. `refused` is the system's own word on whether it
    declined to answer. `retrieved`, best first, is None where the system does not say. Tokens, seconds and dollars are
    those of the call that wrote the answer, None where they were not counted. `call` is its key in the ledger.
    """

    system: str
    k: int | None = Field(default=None, ge=1)
    query_id: str
    answer: str | None = None
    refused: bool | None = None
    retrieved: tuple[Retrieved, ...] | None = None
    fault: str = ""
    prompt_tokens: int | None = Field(default=None, ge=0)
    completion_tokens: int | None = Field(default=None, ge=0)
    seconds: float | None = Field(default=None, ge=0)
    usd: float | None = Field(default=None, ge=0)
    call: str = ""

    @property
    def tokens(self) -> int | None:
        """Read and written together."""
        if self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return self.prompt_tokens + self.completion_tokens
