"""Connections: an endpoint's clients in one event loop, with its limits on concurrency and pace."""

import asyncio
import ipaddress
import ssl
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import openai
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from numpy.typing import NDArray
from pydantic import SecretStr

from mtr.errors import EndpointError, InputError
from mtr.llm.budget import Budget
from mtr.llm.listeners import told
from mtr.llm.records import RawReply, Request, Usage
from mtr.llm.reply import Reply
from mtr.llm.retry import Parameters, deadline, paused, persist
from mtr.llm.spending import Cost, Counted, spending
from mtr.llm.wire import NAMED_BY, embedding_usage, json_of, parameters, raw_reply, vectors_of
from mtr.prompts import Message
from mtr.settings import Endpoint

SHORTEST_KEY = 6


class Pace:
    """Requests evenly spaced, so that no minute holds more than allowed."""

    def __init__(self, per_minute: int | None) -> None:
        self._gap = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0

    @property
    def limited(self) -> bool:
        """Whether there is anything to wait for."""
        return self._gap > 0

    async def wait(self) -> None:
        """Wait for the next free place."""
        now = time.monotonic()
        place = max(now, self._next)
        self._next = place + self._gap
        await asyncio.sleep(place - now)


class Connection:
    """One endpoint, in one event loop. `refused` remembers by model which parameters it does not take."""

    def __init__(self, endpoint: Endpoint, budget: Budget) -> None:
        self.endpoint, self._budget = endpoint, budget
        self.refused: dict[str, set[str]] = {}
        self.pace = Pace(endpoint.requests_per_minute)
        self._slots = asyncio.Semaphore(endpoint.max_concurrency)
        self._opening = asyncio.Lock()
        self._http: Any = None
        self._where: tuple[str, str] | None = None
        self._clients: dict[tuple[str, str], Any] = {}

    @asynccontextmanager
    async def slot(self, who: str) -> AsyncIterator[asyncio.Timeout]:
        """A place among the concurrent calls; the deadline runs from when it is given. Errors never repeat the key."""
        try:
            async with self._slots, deadline(self.endpoint.deadline_seconds, who) as limit:
                yield limit
        except EndpointError as error:
            key = self._where[1] if self._where else ""
            if len(key) < SHORTEST_KEY or key not in str(error):
                raise
            raise type(error)(str(error).replace(key, "[key]")) from None

    async def chat(
        self, request: Request, kind: type[Reply], messages: Sequence[Message], limit: asyncio.Timeout, who: str
    ) -> RawReply:
        """Send `messages` until they are answered; more of them than the request has means it is asked again."""
        refused = self.refused.setdefault(request.model, set())
        again = len(messages) > len(request.messages)
        client = await self._client(("chat", request.model), self._make_chat, limit)
        said = {"model": request.model, "messages": [message.model_dump() for message in messages], "stream": False}
        texts = [request.reply_schema, *(message.content for message in messages)]
        cost = self._cost(request.model, texts, request.max_tokens)

        def sent() -> Parameters:
            return {name: NAMED_BY[name] for name in parameters(request, kind, refused, again=again)}

        async def send() -> RawReply:
            body = {**said, **parameters(request, kind, refused, again=again)}
            async with self._spending(cost, limit) as counted, told(who, messages) as heard:
                started = time.perf_counter()
                answer = await client.root_async_client.post("/chat/completions", cast_to=str, body=body)
                raw = raw_reply(json_of(answer), kind, time.perf_counter() - started)
                counted.usage, heard.reply = raw.usage, raw
            return raw

        return await persist(send, limit, who, refused, sent)

    async def vectors(
        self, texts: Sequence[str], model: str, limit: asyncio.Timeout, who: str
    ) -> tuple[NDArray[np.float32], Usage | None]:
        """One request for the embeddings of all texts, sent until answered: (n, d), as the endpoint scaled them."""
        refused = self.refused.setdefault(model, set())
        client = await self._client(("embeddings", model), self._make_embedder, limit)

        def sent() -> Parameters:
            return {} if "encoding_format" in refused else {"encoding_format": ("encoding_format", "base64")}

        async def send() -> tuple[NDArray[np.float32], Usage | None]:
            plain = {"encoding_format": "float"} if "encoding_format" in refused else {}
            async with self._spending(self._cost(model, texts, 0), limit) as counted:
                answer = await client.async_client.create(input=list(texts), model=model, **plain)
                counted.usage = embedding_usage(answer)
            return vectors_of(answer, len(texts)), counted.usage

        return await persist(send, limit, who, refused, sent)

    @asynccontextmanager
    async def _spending(self, cost: Cost, limit: asyncio.Timeout) -> AsyncIterator[Counted]:
        if self.pace.limited:
            async with paused(limit):
                await self.pace.wait()
        async with spending(self._budget, cost, limit) as counted:
            yield counted

    def _cost(self, model: str, texts: Sequence[str], max_tokens: int) -> Cost:
        price = self.endpoint.price_of(model)
        return Cost(f"{self.endpoint.name}/{model}", texts, max_tokens, price)

    async def _client(self, what: tuple[str, str], make: Callable[[str], Any], limit: asyncio.Timeout) -> Any:
        """A client, made on first use and off the event loop: it reads certificates, or starts the embedded server."""
        if what not in self._clients:
            async with paused(limit), self._opening:
                if what not in self._clients:
                    self._clients[what] = await asyncio.to_thread(make, what[1])
        return self._clients[what]

    async def close(self) -> None:
        """Close what is open."""
        if self._http is not None:
            await self._http.aclose()

    def _make_chat(self, model: str) -> ChatOpenAI:
        if self.endpoint.base_url is None:
            _check_local(model)
        return ChatOpenAI(model=model, disable_streaming=True, cache=False, use_responses_api=False, **self._access())

    def _make_embedder(self, model: str) -> OpenAIEmbeddings:
        return OpenAIEmbeddings(model=model, check_embedding_ctx_length=False, **self._access())

    def _access(self) -> dict[str, Any]:
        if self._where is None:
            self._where = _locate(self.endpoint)
        base_url, key = self._where
        if self._http is None:
            self._http = openai.DefaultAsyncHttpxClient(
                trust_env=not _is_loopback(base_url), verify=_certificates(base_url)
            )
        return {
            "base_url": base_url,
            "api_key": SecretStr(key),
            "max_retries": 0,
            "timeout": self.endpoint.deadline_seconds,
            "http_async_client": self._http,
            "http_client": _never_used(),
        }


def _locate(endpoint: Endpoint) -> tuple[str, str]:
    """Base URL and key; starts the embedded server where it is meant. A key is sent even where none is needed."""
    if endpoint.base_url is None:
        from mtr.llm.local import start_chat_server  # noqa: PLC0415

        return start_chat_server()
    return endpoint.base_url, endpoint.api_key() or "none"


def _certificates(base_url: str) -> ssl.SSLContext | bool:
    """Reading certificates takes longer than a call, so plain http trusts none, should it be sent on to https."""
    return True if base_url.startswith("https:") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@cache
def _never_used() -> Any:
    """The client for blocking calls, which both of langchain's classes want to hold."""
    return openai.DefaultHttpxClient(verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))


def _check_local(model: str) -> None:
    from mtr.llm.local import CHAT_MODEL  # noqa: PLC0415

    if model != CHAT_MODEL:
        raise InputError(f"the embedded chat model is local/{CHAT_MODEL}, not local/{model}")


def _is_loopback(base_url: str) -> bool:
    """Whether a proxy must never be asked for it."""
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
