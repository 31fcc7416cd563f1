"""`complete` against a real endpoint on loopback: what is sent, what is paid, what is raised."""

import asyncio
import math
import time
from pathlib import Path
from typing import Any

import pytest
from aiohttp.web import json_response
from support.asking import GOOD, Graded, prompt, settings_for
from support.endpoint import TestEndpoint, as_json, chat_body, error, last_message

from mtr.errors import FatalEndpointError, InputError, ReplyError
from mtr.llm import Usage, YesNo, complete, current_door, embed, open_door
from mtr.settings import Endpoint, Settings


async def test_a_json_reply() -> None:
    with TestEndpoint(GOOD) as endpoint:
        async with open_door(settings_for(endpoint)):
            found = await complete(prompt("a passage"), Graded, model="t/m")
    assert found.reply == Graded(reason="stated", score=4)
    assert found.usage == Usage(prompt_tokens=100, cached_tokens=0, completion_tokens=10)
    assert (found.probability, found.model, found.replayed) == (None, "t/m", False)
    (sent,) = endpoint.sent
    assert sent["messages"] == [{"role": "system", "content": "You judge."}, {"role": "user", "content": "a passage"}]
    assert (sent["temperature"], sent["max_tokens"], sent["stream"]) == (0.0, 64, False)
    assert sent["response_format"]["json_schema"]["strict"] is True


async def test_yes_or_no_takes_one_token_and_its_probability() -> None:
    odds = {"Yes": math.log(0.5), " no": math.log(0.25)}
    with TestEndpoint(chat_body("Yes", "length", chances=odds)) as endpoint:
        async with open_door(settings_for(endpoint)):
            found = await complete(prompt("does it?"), YesNo, model="t/m")
            again = await complete(prompt("does it?"), YesNo, model="t/m")
    assert found.reply.yes
    assert found.probability == again.probability == pytest.approx(2 / 3)
    assert again.replayed
    (sent,) = endpoint.sent
    assert (sent["logprobs"], sent["top_logprobs"], sent["max_tokens"]) == (True, 10, 1)
    assert "response_format" not in sent


async def test_without_log_probabilities_the_word_counts() -> None:
    with TestEndpoint("No.") as endpoint:
        async with open_door(settings_for(endpoint)):
            found = await complete(prompt("does it?"), YesNo, model="t/m")
    assert (found.reply.yes, found.probability) == (False, None)


async def test_200_identical_calls_at_once_are_one_payment() -> None:
    with TestEndpoint(GOOD, delay=0.05) as endpoint:
        async with open_door(settings_for(endpoint)) as door:
            found = await asyncio.gather(*(complete(prompt("same"), Graded, model="t/m") for _ in range(200)))
            (total,) = door.usage()
    assert endpoint.calls["m"] == 1
    assert {item.key for item in found} == {found[0].key}
    assert (total.calls, total.replayed) == (1, 199)


async def test_what_makes_another_request(tmp_path: Path) -> None:
    with TestEndpoint(lambda body: GOOD if "response_format" in body else "yes") as endpoint:
        one = Endpoint(name="t", base_url=endpoint.base_url)
        two = Endpoint(name="u", base_url=endpoint.base_url, deadline_seconds=9)
        async with open_door(Settings(endpoints={"t": one, "u": two})):
            calls = [
                complete(prompt("a"), Graded, model="t/m"),
                complete(prompt("a"), YesNo, model="t/m"),
                complete(prompt("a"), Graded, model="t/n"),
                complete(prompt("a"), Graded, model="u/m"),
                complete(prompt("a"), Graded, model="t/m", sample=1),
                complete(prompt("a", temperature=0.5), Graded, model="t/m"),
                complete(prompt("a", max_tokens=65), Graded, model="t/m"),
                complete(prompt("b"), Graded, model="t/m"),
            ]
            keys = {(await call).key for call in calls}
            same = await complete(prompt("a", role="other"), Graded, model="t/m")
    assert len(keys) == len(calls) == endpoint.calls.total()
    assert same.replayed


async def test_a_rejected_reply_is_asked_for_once_more_with_the_error() -> None:
    def reply(body: dict[str, Any]) -> str:
        return GOOD if "less than or equal to 5" in last_message(body) else as_json(reason="x", score=9)

    with TestEndpoint(reply) as endpoint:
        async with open_door(settings_for(endpoint)) as door:
            found = await complete(prompt("a"), Graded, model="t/m")
            again = await complete(prompt("a"), Graded, model="t/m")
            entry = await asyncio.to_thread(door.ledger.entry, found.key)
            (total,) = door.usage()
    assert found.reply.score == again.reply.score == 4
    assert [message["role"] for message in endpoint.sent[1]["messages"]] == ["system", "user", "assistant", "user"]
    assert found.usage == again.usage == Usage(prompt_tokens=200, cached_tokens=0, completion_tokens=20)
    assert (total.calls, total.replayed, total.prompt_tokens) == (2, 1, 200)
    assert entry.accepted is not None and entry.accepted.text == GOOD
    (rejected,) = entry.rejected
    assert "less than or equal to 5" in str(rejected.error)
    assert rejected.usage == Usage(prompt_tokens=100, cached_tokens=0, completion_tokens=10)


@pytest.mark.parametrize(
    "body",
    [
        chat_body("I will not judge that."),
        chat_body('{"reason": "half a sent', "length"),
        chat_body(None),
        chat_body("", "content_filter"),
        chat_body(None, refusal="I can't help with that."),
        chat_body("", reasoning_content="thoughts"),
    ],
)
async def test_rejected_twice_is_an_error_and_not_paid_a_third_time(body: dict[str, Any]) -> None:
    with TestEndpoint(body) as endpoint:
        async with open_door(settings_for(endpoint)):
            for _ in range(2):
                with pytest.raises(ReplyError, match="t/m as judge"):
                    await complete(prompt("a"), Graded, model="t/m")
    assert endpoint.calls["m"] == 2


async def test_yes_or_no_asked_again_may_use_more_tokens() -> None:
    def reply(body: dict[str, Any]) -> dict[str, Any]:
        return chat_body("", "length") if body["max_tokens"] == 1 else chat_body("<think>so</think>yes")

    with TestEndpoint(reply) as endpoint:
        async with open_door(settings_for(endpoint)):
            assert (await complete(prompt("a"), YesNo, model="t/m")).reply.yes
    assert [sent["max_tokens"] for sent in endpoint.sent] == [1, 64]


async def test_a_parameter_the_endpoint_refuses_is_left_out_from_then_on() -> None:
    refused = {"response_format": "m", "logprobs": "m", "temperature": "o", "max_tokens": "o"}

    def reply(body: dict[str, Any]) -> Any:
        for name, model in refused.items():
            if name in body and body["model"] == model:
                return error(400, f"Unsupported parameter: '{name}' is not supported with this model.")
        return GOOD if "score" in last_message(body) else "yes"

    with TestEndpoint(reply) as endpoint:
        async with open_door(settings_for(endpoint)):
            for text in ("score a", "score b"):
                assert (await complete(prompt(text), Graded, model="t/m")).reply.score == 4
            for text in ("a", "b"):
                assert (await complete(prompt(text), YesNo, model="t/m")).probability is None
            assert (await complete(prompt("score a"), Graded, model="t/o")).reply.score == 4
    assert endpoint.calls == {"m": 6, "o": 3}
    assert endpoint.sent[-1]["max_completion_tokens"] == 64
    assert [sent["max_tokens"] for sent in endpoint.sent if sent["model"] == "m"][-1] == 64


async def test_no_more_calls_at_once_than_the_endpoint_allows() -> None:
    three = asyncio.Barrier(3)

    async def reply(_: dict[str, Any]) -> Any:
        await three.wait()
        return json_response(chat_body(GOOD))

    with TestEndpoint(reply) as endpoint:
        async with open_door(settings_for(endpoint, max_concurrency=3, deadline_seconds=20)):
            await asyncio.gather(*(complete(prompt(str(i)), Graded, model="t/m") for i in range(12)))
    assert endpoint.most_at_once == 3


async def test_waiting_for_a_place_does_not_use_up_the_deadline() -> None:
    with TestEndpoint(GOOD, delay=0.4) as endpoint:
        async with open_door(settings_for(endpoint, max_concurrency=1, deadline_seconds=1.8)):
            await asyncio.gather(*(complete(prompt(str(i)), Graded, model="t/m") for i in range(5)))
    assert endpoint.calls["m"] == 5


async def test_requests_per_minute_are_spaced() -> None:
    with TestEndpoint(GOOD) as endpoint:
        async with open_door(settings_for(endpoint, requests_per_minute=600)):
            started = time.monotonic()
            await asyncio.gather(*(complete(prompt(str(i)), Graded, model="t/m") for i in range(6)))
    assert max(endpoint.times) - started >= 0.5


async def test_a_caller_that_leaves_does_not_take_the_others_along() -> None:
    with TestEndpoint(GOOD, delay=0.1) as endpoint:
        async with open_door(settings_for(endpoint)):
            first, second = (asyncio.create_task(complete(prompt("a"), Graded, model="t/m")) for _ in range(2))
            await endpoint.called()
            first.cancel()
            assert (await second).reply.score == 4
    assert endpoint.calls["m"] == 1


async def test_a_call_nobody_waits_for_is_dropped_and_asked_anew() -> None:
    with TestEndpoint(GOOD, delay=0.1) as endpoint:
        async with open_door(settings_for(endpoint)):
            only = asyncio.create_task(complete(prompt("a"), Graded, model="t/m"))
            await endpoint.called()
            only.cancel()
            assert (await complete(prompt("a"), Graded, model="t/m")).reply.score == 4


async def test_unknown_endpoints_and_missing_keys() -> None:
    with pytest.raises(InputError, match="no endpoint 'mars'"):
        await complete(prompt("a"), Graded, model="mars/m")
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        await complete(prompt("a"), Graded, model="openai/m")
    with pytest.raises(InputError, match="embedded chat model"):
        await complete(prompt("a"), Graded, model="local/other")


async def test_half_a_character_is_refused_before_anything_is_sent() -> None:
    with TestEndpoint(GOOD) as endpoint:
        async with open_door(settings_for(endpoint)):
            with pytest.raises(InputError, match="surrogate"):
                await complete(prompt("a \ud800 b"), Graded, model="t/m")
    assert not endpoint.calls


def all_bytes(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]


CANARY = "sk-canary-91c2"


async def test_keys_are_never_on_disk_nor_in_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY_KEY", CANARY)
    monkeypatch.chdir(tmp_path)

    def reply(body: dict[str, Any]) -> Any:
        return error(401, f"Incorrect API key provided: {CANARY}") if body["model"] == "bad" else GOOD

    with TestEndpoint(reply) as endpoint:
        async with open_door(settings_for(endpoint, api_key_env="CANARY_KEY"), ledger=tmp_path / "l.sqlite"):
            await complete(prompt("a"), Graded, model="t/m")
            with pytest.raises(FatalEndpointError, match="Incorrect API key") as failure:
                await complete(prompt("a"), Graded, model="t/bad")
            written = await asyncio.to_thread(all_bytes, tmp_path)
    assert len(written) >= 4
    assert not any(CANARY.encode() in data for data in written)
    assert CANARY not in str(failure.value)
    assert endpoint.headers[0]["Authorization"] == f"Bearer {CANARY}"


async def test_loopback_is_reached_past_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with TestEndpoint(GOOD) as endpoint:
        async with open_door(settings_for(endpoint)):
            assert (await complete(prompt("a"), Graded, model="t/m")).reply.score == 4


def test_each_event_loop_has_its_own_clients(tmp_path: Path) -> None:
    async def once(text: str) -> int:
        async with open_door(settings_for(endpoint), ledger=tmp_path / "l.sqlite"):
            return (await complete(prompt(text), Graded, model="t/m")).reply.score

    with TestEndpoint(GOOD) as endpoint:
        assert [asyncio.run(once(text)) for text in "aba"] == [4, 4, 4]
    assert endpoint.calls["m"] == 2


async def test_nothing_blocks_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blockbuster = pytest.importorskip("blockbuster", reason="comes with the extra 'studio'")
    monkeypatch.setattr("mtr.llm.door._DEFAULT", [])
    config = tmp_path / "mtr.toml"
    with TestEndpoint(GOOD) as endpoint:
        config.write_text(f'[endpoints.t]\nbase_url = "{endpoint.base_url}"\n')
        monkeypatch.setenv("MTR_CONFIG", str(config))
        with blockbuster.blockbuster_ctx():
            found = await asyncio.gather(*(complete(prompt(f"{i % 5}"), Graded, model="t/m") for i in range(20)))
            vectors = await embed(["a", "b"], model="t/e", kind="query")
        await (await current_door()).close()
    assert {item.reply.score for item in found} == {4}
    assert len(vectors) == 2
    assert endpoint.calls == {"m": 5, "e": 1}
