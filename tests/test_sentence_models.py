"""Embedding by sentence-transformers: dispatched by name, and a clear error where the extra is missing."""

import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mtr.errors import InputError
from mtr.llm import embed, open_door


class _Model:
    """Stands for a SentenceTransformer: tells queries from documents."""

    def __init__(self, name: str) -> None:
        if name == "nowhere":
            raise OSError("no such model")

    def encode_query(self, texts: Sequence[str], **_: Any) -> "np.ndarray[Any, Any]":
        return np.array([[2.0, 0.0]] * len(texts))

    def encode_document(self, texts: Sequence[str], **_: Any) -> "np.ndarray[Any, Any]":
        return np.array([[0.0, 3.0]] * len(texts))


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("sentence_transformers")
    module.SentenceTransformer = _Model  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    monkeypatch.setattr("mtr.llm.sentence_models._models", {})


async def test_queries_and_passages_are_told_apart(package: None, tmp_path: Path) -> None:
    async with open_door(ledger=tmp_path / "ledger.sqlite"):
        query = await embed(["a"], model="sentence-transformers/some/model", kind="query")
        passage = await embed(["a"], model="sentence-transformers/some/model", kind="passage")
    assert query.tolist() == [[1.0, 0.0]]
    assert passage.tolist() == [[0.0, 1.0]]


async def test_a_model_that_is_nowhere_is_named(package: None, tmp_path: Path) -> None:
    async with open_door(ledger=tmp_path / "ledger.sqlite"):
        with pytest.raises(InputError, match="nowhere cannot be loaded: no such model"):
            await embed(["a"], model="sentence-transformers/nowhere", kind="query")


async def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    monkeypatch.setattr("mtr.llm.sentence_models._models", {})
    async with open_door(ledger=tmp_path / "ledger.sqlite"):
        with pytest.raises(InputError, match=r"pip install -e \"\.\[sentence-transformers\]\""):
            await embed(["a"], model="sentence-transformers/any", kind="query")
