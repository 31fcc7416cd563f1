"""Token counts are exact where the vocabulary is known, and never need a network."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import tiktoken.registry

from mtr.llm import tokens
from mtr.llm.tokens import VOCABULARIES, count_tokens


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A user's cache that begins empty, for the whole module: reading a vocabulary takes a second."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        patch.setenv("TIKTOKEN_CACHE_DIR", "")
        _forget_all(patch)
        yield folder / "mtr" / "tiktoken"


@pytest.fixture(autouse=True)
def offline(loopback_only: list[str]) -> None:
    """Every test of this module."""


def _forget_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(tiktoken.registry, "ENCODINGS", {})
    tokens._unpack.cache_clear()


@pytest.mark.parametrize(
    ("model", "count"),
    [
        ("o200k_base", 4),
        ("cl100k_base", 4),
        ("gpt-4", 4),
        ("openai/gpt-4o-mini", 4),
        ("local/qwen2.5-coder-1.5b", 4),
        ("davinci-002", 4),
        ("gpt2", 4),
        ("", 4),
    ],
)
def test_any_model_can_be_counted(model: str, count: int) -> None:
    assert count_tokens("Hello, wide world", model) == count


def test_vocabularies_differ_and_are_chosen_by_model() -> None:
    text = "检索增强生成的多轮对话"
    assert count_tokens(text, "openai/gpt-4") == count_tokens(text, "cl100k_base") > count_tokens(text, "gpt-4o")
    assert count_tokens(text, "my/own-model") == count_tokens(text, "o200k_base")


def test_special_tokens_and_odd_text_are_counted_as_plain_text() -> None:
    assert count_tokens("<|endoftext|>") > 1
    assert count_tokens("") == 0
    assert count_tokens("a\ud800b") > 0


def test_a_damaged_vocabulary_is_unpacked_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = cache / VOCABULARIES["cl100k_base"][0]
    path.write_text("cut")
    _forget_all(monkeypatch)
    assert count_tokens("Hello, wide world", "cl100k_base") == 4
    assert path.stat().st_size > 1_000_000
