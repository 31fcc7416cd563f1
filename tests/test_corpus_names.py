"""Names of corpora: any letters of people's languages, nothing that leads out of the folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.corpora import ANIMALS, build, embedding_endpoint, write_documents
from support.endpoint import TestEndpoint

from mtr.corpus.corpus import open_corpus
from mtr.corpus.options import checked_name
from mtr.errors import InputError
from mtr.retrieval.collection import open_collection


@pytest.fixture(name="endpoint")
def _endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestEndpoint]:
    with embedding_endpoint(tmp_path / "config", monkeypatch) as endpoint:
        yield endpoint


@pytest.fixture(name="documents")
def _documents(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "documents", ANIMALS)


@pytest.mark.parametrize("name", ["Grüße aus Köln", "知识 库", "v1.2_final-3", "a"])
async def test_names_in_any_letters(endpoint: TestEndpoint, documents: Path, name: str) -> None:
    assert (await build(name, documents)).name == name
    assert open_corpus(name).name == name
    assert open_collection(open_corpus(name)).store.count() == 4


BAD_NAMES = [
    "",
    " ",
    ".",
    "..",
    "../x",
    "a/b",
    "a\\b",
    ".hidden",
    "a\n",
    "a\x00b",
    "-x",
    "x.",
    "x ",
    "a" * 81,
    "a:b",
    "~",
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="name"):
        checked_name(name)


def test_a_name_is_the_same_however_its_letters_are_composed() -> None:
    assert checked_name("Ko\u0308ln") == checked_name("Köln")
