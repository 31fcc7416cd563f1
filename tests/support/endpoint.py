"""An OpenAI-compatible endpoint on loopback for tests: scripted replies, faults, embeddings, counters."""

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web

Body = dict[str, Any]
Reply = str | Body | Callable[[Body], "str | Body | web.StreamResponse | Awaitable[web.StreamResponse]"]


def chat_body(content: str | None = "{}", finish_reason: str | None = "stop", **more: Any) -> Body:
    """A chat completion; `more`: usage (None: without), chances {token: logprob} for the first token, refusal."""
    usage = more.get("usage", {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110})
    message = {"role": "assistant", "content": content, "refusal": more.get("refusal")}
    choice: Body = {"index": 0, "finish_reason": finish_reason, "message": message}
    if more.get("chances"):
        top = [{"token": token, "logprob": value, "bytes": None} for token, value in more["chances"].items()]
        choice["logprobs"] = {"content": [{**top[0], "top_logprobs": top}]}
    body: Body = {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return body | ({"usage": usage} if usage else {})


def error(
    status: int, message: str = "on purpose", *, code: str | None = None, after: str | None = None
) -> web.Response:
    """An error as OpenAI words it."""
    headers = {"Retry-After": after} if after else None
    return web.json_response({"error": {"message": message, "type": "x", "code": code}}, status=status, headers=headers)


def vector_of(text: str, length: int = 8) -> list[float]:
    """A vector that depends on the text alone, not normalised."""
    return [float((sum(text.encode()) * (place + 3) * 7919) % 101 + 1 + len(text)) for place in range(length)]


@dataclass
class TestEndpoint:
    """Serves from a thread while the `with` block runs. `reply` answers chats: a text, a body, or a function of what
    was sent. `calls` counts by model, `sent` keeps the bodies, `most_at_once` the concurrency reached."""

    __test__ = False

    reply: Reply = "{}"
    delay: float = 0.0
    calls: Counter[str] = field(default_factory=Counter)
    sent: list[Body] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    most_at_once: int = 0
    embed: Callable[[Body], web.StreamResponse | None] | None = None
    _at_once: int = 0
    _port: int = 0
    _ready: threading.Event = field(default_factory=threading.Event)
    _arrived: threading.Event = field(default_factory=threading.Event)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    async def called(self) -> None:
        """Wait until a request has arrived."""
        await asyncio.to_thread(self._arrived.wait, 60)

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    async def _serve(self) -> None:
        app = web.Application(client_max_size=64 * 2**20)
        app.add_routes([web.post("/v1/chat/completions", self._chat), web.post("/v1/embeddings", self._embeddings)])
        runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self._port = runner.addresses[0][1]
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        self._ready.set()
        await self._over.wait()
        await runner.cleanup()

    async def _note(self, request: web.Request) -> Body:
        body: Body = await request.json()
        self.calls[body["model"]] += 1
        self.sent.append(body)
        self.headers.append(dict(request.headers))
        self.times.append(time.monotonic())
        self._arrived.set()
        return body

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await self._note(request)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            if self.delay:
                await asyncio.sleep(self.delay)
            return await self._answer({**body, "http": request})
        finally:
            self._at_once -= 1

    async def _answer(self, body: Body) -> web.StreamResponse:
        answer = self.reply(body) if callable(self.reply) else self.reply
        if isinstance(answer, Awaitable) and not isinstance(answer, web.StreamResponse):
            answer = await answer
        if isinstance(answer, web.StreamResponse):
            return answer
        return web.json_response(chat_body(answer) if isinstance(answer, str) else answer)

    async def _embeddings(self, request: web.Request) -> web.StreamResponse:
        body = await self._note(request)
        if self.delay:
            await asyncio.sleep(self.delay)
        if self.embed is not None and (answer := self.embed(body)) is not None:
            return answer
        rows = [{"object": "embedding", "index": i, "embedding": vector_of(t)} for i, t in enumerate(body["input"])]
        usage = {"prompt_tokens": len(rows), "total_tokens": len(rows)}
        return web.json_response({"object": "list", "data": rows[::-1], "model": body["model"], "usage": usage})


def last_message(body: Body) -> str:
    """The text of the last message sent."""
    return str(body["messages"][-1]["content"])


def as_json(**values: Any) -> str:
    """A reply in JSON."""
    return json.dumps(values, ensure_ascii=False)
