"""`complete`: one prompt in, one reply read, paid for once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Generic

from mtr.errors import ReplyError
from mtr.llm.door import Door, current_door
from mtr.llm.ledger import Paid
from mtr.llm.reading import Reading, read_reply
from mtr.llm.records import Completion, R, RawReply, Request, Usage, canonical
from mtr.llm.reply import RejectedReplyError, Reply, YesNo, json_schema
from mtr.prompts import Message, RenderedPrompt
from mtr.settings import Endpoint, split_model

ASKS = 2


async def complete(prompt: RenderedPrompt, reply: type[R], *, model: str, sample: int = 0) -> Completion[R]:
    """Ask `model` (`endpoint/model`) and read its reply; the same request is answered by the ledger ever after.

    `sample` tells apart several replies wanted to the same prompt. A reply that cannot be read is asked for once more,
    with the error; then `ReplyError`, also from the ledger. `EndpointError` when the endpoint fails past all patience,
    `FatalEndpointError` when no other call can succeed either, `BudgetError` when a cap could be passed.
    """
    door = await current_door()
    endpoint = door.settings.endpoint_of(model)
    request = Request(
        endpoint=endpoint.name,
        model=split_model(model)[1],
        messages=prompt.messages,
        temperature=prompt.temperature,
        max_tokens=prompt.max_tokens,
        reply_schema=schema_text(reply),
        sample=sample,
    )
    asking = _Asking(door, endpoint, prompt, reply, request, model)
    completion, first = await door.flights().join((request.key, reply), asking.obtain)
    if completion.replayed or not first:
        door.meter.replayed(model, prompt.role)
    return completion


@cache
def schema_text(kind: type[Reply]) -> str:
    """What stands for the kind of reply in the ledger's key."""
    return '"yes_no"' if issubclass(kind, YesNo) else canonical(json_schema(kind))


@dataclass(frozen=True, slots=True)
class _Asking(Generic[R]):
    """One request on its way to being read."""

    door: Door
    endpoint: Endpoint
    prompt: RenderedPrompt
    kind: type[R]
    request: Request
    model: str

    async def obtain(self) -> Completion[R]:
        """From the ledger, or asked for at most twice; a rejected reply is not paid for again either."""
        raws = list(await self.door.ledger.find(self.request.key))
        outcome = self._outcome(raws)
        replayed = isinstance(outcome, Reading) or len(raws) >= ASKS
        if not replayed:
            outcome = await self._ask(raws, outcome)
        if isinstance(outcome, Reading):
            seconds = sum(raw.seconds for raw in raws)
            key, probability = self.request.key, outcome.probability
            return Completion(
                outcome.reply, probability, _total(raws), key, self.model, seconds, replayed, outcome.expected
            )
        if replayed:
            self.door.meter.replayed(self.model, self.prompt.role)
        raise ReplyError(
            f"{self._who()}: the reply could not be read, also when asked again: {outcome}. "
            f"Both replies are in the ledger under {self.request.key}; another sample or prompt asks anew"
        )

    async def _ask(self, raws: list[RawReply], outcome: "_Outcome[R]") -> "_Outcome[R]":
        """Ask until a reply can be read or `ASKS` are spent; `raws` grows by what came back."""
        connection = await self.door.connection(self.endpoint)
        async with connection.slot(self._who()) as limit:
            while not isinstance(outcome, Reading) and len(raws) < ASKS:
                messages = (*self.request.messages, *_correction(raws, outcome))
                raw = await connection.chat(self.request, self.kind, messages, limit, self._who())
                self.door.meter.paid(
                    self.model, self.prompt.role, raw.usage, raw.seconds, self.endpoint.prices.get(self.request.model)
                )
                outcome = self._read(raw)
                kept = await self._keep(raw, outcome, len(raws) + 1)
                outcome = outcome if kept is raw else self._read(kept)
                raws.append(kept)
        return outcome

    async def _keep(self, raw: RawReply, outcome: Reading[R] | RejectedReplyError, ask: int) -> RawReply:
        how, error, probability = None, None, None
        if isinstance(outcome, Reading):
            how, probability = outcome.how, outcome.probability
        else:
            error = str(outcome)
        prompt = self.prompt
        return await self.door.ledger.keep(
            Paid(self.request, prompt.domain, prompt.role, prompt.sha256, ask, raw, how, error, probability)
        )

    def _outcome(self, raws: Sequence[RawReply]) -> "_Outcome[R]":
        """The first reply that can be read, else why the last cannot; None before the first."""
        outcome: _Outcome[R] = None
        for raw in raws:
            outcome = self._read(raw)
            if isinstance(outcome, Reading):
                break
        return outcome

    def _read(self, raw: RawReply) -> Reading[R] | RejectedReplyError:
        try:
            return read_reply(self.kind, raw)
        except RejectedReplyError as error:
            return error

    def _who(self) -> str:
        return f"{self.model} as {self.prompt.role}"


_Outcome = Reading[R] | RejectedReplyError | None


def _correction(raws: Sequence[RawReply], outcome: object) -> tuple[Message, ...]:
    """What is added when asking again: the rejected reply, unless it was empty, and what is wrong with it."""
    if not raws:
        return ()
    error = Message(role="user", content=str(outcome))
    return (Message(role="assistant", content=raws[-1].text), error) if raws[-1].text.strip() else (error,)


def _total(raws: Sequence[RawReply]) -> Usage | None:
    """Usage of all requests together; None when any is not known."""
    total = Usage(prompt_tokens=0, cached_tokens=0, completion_tokens=0)
    for raw in raws:
        if raw.usage is None:
            return None
        total += raw.usage
    return total
