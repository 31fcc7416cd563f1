"""Faults of an endpoint: recovered, or one named error with its words; never a wrong result, never too late."""

import asyncio
import email.utils
import json
import os
import socket
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from aiohttp.web import Request, Response, StreamResponse, json_response
from support.asking import GOOD, Graded, prompt, settings_for
from support.endpoint import TestEndpoint, chat_body, error

from mtr.errors import EndpointError, FatalEndpointError, MtrError, ReplyError
from mtr.llm import complete, open_door


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtr.llm.retry.FIRST_WAIT", 0.001)


async def reset(request: Request) -> StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return Response()


async def cut(request: Request) -> StreamResponse:
    response = StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "500"})
    await response.prepare(request)
    await response.write(b'{"id":"c1","obj')
    assert request.transport is not None
    request.transport.close()
    return response


async def drip(request: Request) -> StreamResponse:
    response = StreamResponse(headers={"Content-Type": "application/json"})
    response.enable_chunked_encoding()
    await response.prepare(request)
    for _ in range(400):
        await response.write(b" ")
        await asyncio.sleep(0.05)
    return response


async def hang(_: Request) -> StreamResponse:
    await asyncio.sleep(60)
    return Response()


def date(seconds: float) -> str:
    return email.utils.formatdate(time.time() + seconds, usegmt=True)


PASSING: dict[str, Any] = {
    **{str(status): lambda _, status=status: error(status) for status in (408, 409, 425, 429, 500, 502, 503, 504, 529)},
    "retry after a moment": lambda _: error(429, after="0.05"),
    "retry after a date": lambda _: error(503, after=date(0)),
    "retry after nonsense": lambda _: error(429, after="soon"),
    "reset": reset,
    "cut body": cut,
    "error with status 200": lambda _: json_response({"error": {"message": "upstream overloaded", "code": 502}}),
    "error text with status 200": lambda _: json_response({"error": "upstream overloaded"}),
    "a page": lambda _: Response(text="<html>gateway</html>", content_type="text/html"),
    "a page with status 502": lambda _: Response(status=502, text="<html>bad gateway</html>", content_type="text/html"),
    "empty body": lambda _: Response(text="", content_type="application/json"),
    "broken body": lambda _: Response(text='{"id": "x", ', content_type="application/json"),
    "a list": lambda _: json_response([1, 2]),
    "null": lambda _: json_response(None),
    "no choices": lambda _: json_response({**chat_body(), "choices": []}),
    "null choices": lambda _: json_response({**chat_body(), "choices": None}),
    "choices left out": lambda _: json_response({"id": "x"}),
    "no message": lambda _: json_response({**chat_body(), "choices": [{"index": 0, "finish_reason": "stop"}]}),
    "null message": lambda _: json_response({**chat_body(), "choices": [{"index": 0, "message": None}]}),
}


def first(fault: Any, times: int = 1) -> Any:
    """A reply function: the fault the first times, then a good reply."""

    def reply(body: dict[str, Any]) -> Any:
        return fault(body["http"]) if len(count) < times and not count.append(None) else GOOD  # type: ignore[func-returns-value]

    count: list[None] = []
    return reply


@pytest.mark.parametrize("name", PASSING)
async def test_what_passes_is_waited_for(name: str) -> None:
    with TestEndpoint(first(PASSING[name], times=2)) as endpoint:
        async with open_door(settings_for(endpoint, deadline_seconds=60)):
            assert (await complete(prompt("a"), Graded, model="t/m")).reply.score == 4
    assert endpoint.calls["m"] == 3


@pytest.mark.parametrize("name", ["500", "429", "reset", "cut body", "a page", "no choices", "error with status 200"])
async def test_what_does_not_pass_is_one_named_error(name: str) -> None:
    with TestEndpoint(lambda body: PASSING[name](body["http"])) as endpoint:
        async with open_door(settings_for(endpoint, deadline_seconds=60)):
            with pytest.raises(EndpointError, match=r"t/m as judge: .*tried [0-9]+ times") as failure:
                await complete(prompt("a"), Graded, model="t/m")
    assert not isinstance(failure.value, FatalEndpointError)
    assert 5 <= endpoint.calls["m"] <= 12


@pytest.mark.parametrize("fault", [hang, drip])
async def test_the_deadline_ends_what_would_not_end(fault: Any) -> None:
    with TestEndpoint(lambda body: fault(body["http"])) as endpoint:
        async with open_door(settings_for(endpoint, deadline_seconds=0.5)):
            started = time.monotonic()
            with pytest.raises(EndpointError, match=r"deadline of 0\.5 s"):
                await complete(prompt("a"), Graded, model="t/m")
    assert endpoint.calls["m"] <= 1
    assert time.monotonic() - started < 20


async def test_retry_after_is_honoured() -> None:
    with TestEndpoint(first(lambda _: error(429, after="0.4"))) as endpoint:
        async with open_door(settings_for(endpoint)):
            await complete(prompt("a"), Graded, model="t/m")
    assert endpoint.times[1] - endpoint.times[0] >= 0.39


@pytest.mark.parametrize("after", ["120", date(3600)], ids=["seconds", "a date"])
async def test_retry_after_past_the_deadline_is_not_slept_through(after: str) -> None:
    with TestEndpoint(lambda _: error(429, "slow down", after=after)) as endpoint:
        async with open_door(settings_for(endpoint, deadline_seconds=60)):
            started = time.monotonic()
            with pytest.raises(EndpointError, match="slow down; it asks to wait"):
                await complete(prompt("a"), Graded, model="t/m")
    assert endpoint.calls["m"] == 1
    assert time.monotonic() - started < 50


FATAL = {
    **{str(status): error(status, f"no {status}") for status in (400, 401, 402, 403, 404, 405, 422)},
    "quota": error(429, "You exceeded your current quota", code="insufficient_quota"),
    "quota with status 200": json_response({"error": {"message": "credits used up", "code": 402}}),
}


@pytest.mark.parametrize("name", FATAL)
async def test_what_no_call_survives_stops_at_once(name: str) -> None:
    def reply(_: Any) -> Response:
        return Response(body=FATAL[name].body, status=FATAL[name].status, content_type="application/json")

    with TestEndpoint(reply) as endpoint:
        async with open_door(settings_for(endpoint)):
            words = json.loads(bytes(FATAL[name].body or b""))["error"]["message"]  # type: ignore[arg-type]
            with pytest.raises(FatalEndpointError, match=words):
                await complete(prompt("a"), Graded, model="t/m")
    assert endpoint.calls["m"] == 1


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "This model's maximum context length is 4096 tokens; reduce the messages or max_tokens"),
        (400, "the request exceeds the available context size"),
        (413, "Request Entity Too Large"),
        (400, "The response was filtered due to our content management policy"),
    ],
)
async def test_what_ails_one_item_does_not_stop_the_others(status: int, words: str) -> None:
    with TestEndpoint(lambda _: error(status, words)) as endpoint:
        async with open_door(settings_for(endpoint)):
            with pytest.raises(EndpointError, match=words[:20]) as failure:
                await complete(prompt("a"), Graded, model="t/m")
    assert not isinstance(failure.value, FatalEndpointError)
    assert endpoint.calls["m"] == 1


async def test_nobody_listening() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        async with open_door(settings_for(f"http://127.0.0.1:{closed.getsockname()[1]}/v1")):
            with pytest.raises(EndpointError, match="the connection failed"):
                await complete(prompt("a"), Graded, model="t/m")


RECOVERED = [
    "ok",
    "delay-0.1",
    "429-after-2",
    "429-after-date",
    "429-plain",
    "once-408",
    "once-409",
    "once-425",
    "once-500",
    "once-502",
    "once-503",
    "once-504",
    "once-529",
    "reset-once",
    "cut-once",
    "no-usage",
    "no-schema",
]
FAILED = {
    EndpointError: [
        "429-always",
        "429-after-120",
        "always-408",
        "always-409",
        "always-500",
        "always-503",
        "always-413",
        "slow",
        "reset",
        "cut",
        "drip",
        "no-choices",
        "null-choices",
        "200-error",
        "200-html",
        "200-empty",
        "200-broken",
    ],
    FatalEndpointError: [
        "429-quota",
        "always-400",
        "always-401",
        "always-403",
        "always-404",
        "always-422",
        "nothing-like-it",
    ],
    ReplyError: ["length", "filter", "empty", "null", "reasoning", "refusal"],
}


async def test_the_shared_faulty_endpoint() -> None:
    folder = os.environ.get("MTR_SHARED")
    if not folder:
        pytest.skip("MTR_SHARED is not set")
    expected = dict.fromkeys(RECOVERED, "4")
    expected |= {model: kind.__name__ for kind, models in FAILED.items() for model in models}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    script = str(Path(folder) / "tools/faulty_endpoint.py")
    server = await asyncio.create_subprocess_exec(sys.executable, script, str(port))
    try:
        async with open_door(settings_for(f"http://127.0.0.1:{port}/v1", deadline_seconds=8)):
            await listening(port)
            outcomes = dict(await asyncio.gather(*(outcome(model) for model in expected)))
    finally:
        server.kill()
        await server.wait()
    assert outcomes == expected


async def listening(port: int) -> None:
    """Wait until something answers."""
    for _ in range(1200):
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        await asyncio.sleep(0.05)


async def outcome(model: str) -> tuple[str, str]:
    """The score, or the error's name; a call past the deadline counts as neither."""
    started = time.monotonic()
    try:
        found = str((await complete(prompt("a"), Graded, model=f"t/{model}")).reply.score)
    except MtrError as failure:
        found = type(failure).__name__
    return model, found if time.monotonic() - started < 20 else "late"
