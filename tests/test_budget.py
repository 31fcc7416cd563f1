"""Budgets: a cap is never passed, whatever runs at once; totals say what was paid for."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from support.asking import GOOD, Graded, prompt, settings_for
from support.endpoint import TestEndpoint, chat_body, error

from mtr.errors import BudgetError, InputError
from mtr.llm import Budget, Usage, complete, open_door
from mtr.llm.spending import estimate_tokens
from mtr.settings import Endpoint, Price, Settings


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four characters a token; no vocabulary is unpacked."""
    monkeypatch.setattr("mtr.llm.spending.estimate_tokens", lambda texts, _: sum(len(text) // 4 + 8 for text in texts))
    monkeypatch.setattr("mtr.llm.retry.FIRST_WAIT", 0.001)


def used(prompt_tokens: int, completion_tokens: int) -> Usage:
    return Usage(prompt_tokens=prompt_tokens, cached_tokens=0, completion_tokens=completion_tokens)


async def many(count: int, start: int = 0) -> list[Any]:
    calls = (complete(prompt(f"item {i}"), Graded, model="t/m") for i in range(start, start + count))
    return await asyncio.gather(*calls, return_exceptions=True)


@pytest.mark.parametrize("cap", [0, 250, 500, 1000, 2000])
async def test_the_cap_on_tokens_is_never_passed(cap: int) -> None:
    with TestEndpoint(GOOD, delay=0.005) as endpoint:
        budget = Budget(tokens=cap)
        async with open_door(settings_for(endpoint), budget=budget):
            found = await many(40)
    assert budget.spent_tokens == endpoint.calls["m"] * 110 <= cap
    assert (endpoint.calls["m"] > 0) == (cap > 0)
    assert all(isinstance(item, BudgetError) for item in found if isinstance(item, Exception))
    assert len([item for item in found if isinstance(item, BudgetError)]) == 40 - endpoint.calls["m"]


async def test_a_prompt_that_was_estimated_far_too_low_is_learned_from() -> None:
    with TestEndpoint(chat_body(GOOD, usage={"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 960})) as t:
        budget = Budget(tokens=10_000)
        async with open_door(settings_for(t), budget=budget):
            await many(50)
    assert budget.spent_tokens <= 10_000
    assert t.calls["m"] == 10


async def test_a_spent_budget_still_replays(tmp_path: Path) -> None:
    with TestEndpoint(GOOD) as endpoint:
        async with open_door(settings_for(endpoint), ledger=tmp_path / "l.sqlite"):
            await many(3)
        async with open_door(settings_for(endpoint), ledger=tmp_path / "l.sqlite", budget=Budget(tokens=0)) as door:
            found = await many(4)
            (total,) = door.usage()
    assert [isinstance(item, BudgetError) for item in found] == [False, False, False, True]
    assert (total.calls, total.replayed, total.prompt_tokens) == (0, 3, 0)


async def test_the_cap_on_dollars() -> None:
    with TestEndpoint(GOOD) as endpoint:
        prices = {"m": Price(prompt=1000, completion=5000)}
        budget = Budget(usd=1.0)
        async with open_door(settings_for(endpoint, prices=prices), budget=budget) as door:
            await many(20)
            (total,) = door.usage()
    one = (100 * 1000 + 10 * 5000) / 1e6
    assert endpoint.calls["m"] >= 4
    assert total.usd == pytest.approx(endpoint.calls["m"] * one)
    assert budget.spent_usd == pytest.approx(total.usd)
    assert budget.spent_usd <= 1.0


async def test_a_budget_in_dollars_needs_a_price() -> None:
    with TestEndpoint(GOOD) as endpoint:
        async with open_door(settings_for(endpoint), budget=Budget(usd=1.0)):
            with pytest.raises(InputError, match="price of 't/m'"):
                await complete(prompt("a"), Graded, model="t/m")
    assert not endpoint.calls
    with pytest.raises(InputError, match="below zero"):
        Budget(tokens=-1)


async def test_unknown_usage_counts_as_all_that_was_reserved() -> None:
    with TestEndpoint(chat_body(GOOD, usage=None)) as endpoint:
        budget = Budget(tokens=1000)
        async with open_door(settings_for(endpoint), budget=budget) as door:
            await many(30)
            (total,) = door.usage()
    assert 0 < budget.spent_tokens <= 1000
    assert (total.calls, total.unmeasured, total.prompt_tokens) == (endpoint.calls["m"], endpoint.calls["m"], 0)
    assert total.usd is None


async def test_refused_requests_cost_nothing_and_broken_ones_what_they_might() -> None:
    def reply(body: dict[str, Any]) -> Any:
        if endpoint.calls[body["model"]] > 1:
            return GOOD
        return error(503) if body["model"] == "m" else {"error": {"message": "overloaded"}}

    with TestEndpoint(reply) as endpoint:
        for model, least, most in (("m", 110, 110), ("broken", 174, 300)):
            budget = Budget(tokens=1000)
            async with open_door(settings_for(endpoint), budget=budget):
                await complete(prompt("a"), Graded, model=f"t/{model}")
            assert least <= budget.spent_tokens <= most


async def test_waiting_for_the_budget_does_not_use_up_the_deadline() -> None:
    with TestEndpoint(GOOD, delay=0.3) as endpoint:
        async with open_door(settings_for(endpoint, deadline_seconds=1.0), budget=Budget(tokens=10_000)) as door:
            door.budget.settle(await door.budget.reserve("t/m", 100, 0, None), used(100, 0))
            held = await door.budget.reserve("t/m", 9_850, 0, None)
            waiting = asyncio.create_task(complete(prompt("a"), Graded, model="t/m"))
            await asyncio.sleep(1.2)
            assert not endpoint.calls
            door.budget.give_back(held)
            assert (await waiting).reply.score == 4


async def test_totals_by_model_and_role(tmp_path: Path) -> None:
    body = chat_body(
        GOOD,
        usage={
            "prompt_tokens": 100,
            "completion_tokens": 10,
            "total_tokens": 110,
            "prompt_tokens_details": {"cached_tokens": 60},
        },
    )
    with TestEndpoint(body) as endpoint:
        known = Endpoint(name="t", base_url=endpoint.base_url, prices={"m": Price(prompt=10, cached=1, completion=20)})
        async with open_door(Settings(endpoints={"t": known})) as door:
            await complete(prompt("a", role="answerer"), Graded, model="t/m")
            await complete(prompt("b", role="judge"), Graded, model="t/m")
            await complete(prompt("b", role="judge"), Graded, model="t/m")
            await complete(prompt("b", role="judge"), Graded, model="t/n")
            totals = door.usage()
    assert [(total.model, total.role, total.calls, total.replayed) for total in totals] == [
        ("t/m", "answerer", 1, 0),
        ("t/m", "judge", 1, 1),
        ("t/n", "judge", 1, 0),
    ]
    assert totals[0].cached_tokens == 60
    assert totals[0].usd == pytest.approx((40 * 10 + 60 * 1 + 10 * 20) / 1e6)
    assert totals[2].usd is None


def test_prompts_are_estimated_without_a_network() -> None:
    assert 8 < estimate_tokens(["hello world"], "t/some-model") <= 12
    assert estimate_tokens(["hello world"] * 3, "openai/gpt-4o") == 3 * estimate_tokens(
        ["hello world"], "openai/gpt-4o"
    )
