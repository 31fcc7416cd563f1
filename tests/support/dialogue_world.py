"""Fixtures for conversations against the scripted model; a test file asks for them with `pytest_plugins`.

The world is built once for all files of a run: `talk` gives each test a ledger of its own in it.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import stations
from support.dialogues import Talk, build_world
from support.endpoint import TestEndpoint

World = tuple[TestEndpoint, Path, Path]


@pytest.fixture(scope="session")
def dialogue_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The scripted model on loopback, a home with the corpus, and the settings."""
    folder = tmp_path_factory.mktemp("world")
    with (
        TestEndpoint(reply=stations.reply, embed=stations.embeddings) as endpoint,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("MTR_HOME", str(folder / "home"))
        settings = asyncio.run(build_world(folder, endpoint.base_url))
        patch.undo()
        yield endpoint, folder / "home", settings


@pytest.fixture
def talk(dialogue_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Runs conversations in the world."""
    endpoint, home, settings = dialogue_world
    monkeypatch.setenv("MTR_HOME", str(home))
    return Talk(endpoint, settings, tmp_path / "ledger.sqlite")
