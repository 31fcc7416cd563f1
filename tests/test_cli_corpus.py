"""`mtr corpus`: what is printed where, options, bad options, JSON."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.corpora import ANIMALS, MODEL, embedding_endpoint, write_documents
from support.endpoint import TestEndpoint
from typer.testing import CliRunner, Result

from mtr.cli.corpus import app
from mtr.errors import InputError

BUILD = ["build", "--embedding-model", MODEL]


@pytest.fixture(name="endpoint")
def _endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestEndpoint]:
    monkeypatch.delenv("MTR_CHROMA_URL", raising=False)
    with embedding_endpoint(tmp_path / "config", monkeypatch) as endpoint:
        yield endpoint


@pytest.fixture(name="documents")
def _documents(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "documents", ANIMALS | {"copy.md": ANIMALS["cats.md"], "blank.txt": " "})


def _run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


def test_build_show_and_list(endpoint: TestEndpoint, documents: Path) -> None:
    built = _run(*BUILD, documents, "--name", "our animals")
    assert built.exit_code == 0
    assert built.stdout == (
        "our animals: 4 passages of 4 documents, 1 clusters\nsee it with: mtr corpus show 'our animals'\n"
    )
    for step in ("load: 5 documents", "language: en 5", "split: 5", "filter: 5", "near-duplicates: 4", "embed: 4"):
        assert step in built.stderr
    shown = _run("show", "our animals")
    assert shown.exit_code == 0
    for line in (
        "passages\t4",
        f"embedding model\t{MODEL} (64 dimensions)",
        "en\t4",
        "4\t1",
        "# sample cluster c1",
        "near-duplicate\t1\tcopy.md:0-92\tJaccard 1.00 with cats.md:0-92\t",
        "blank",
    ):
        assert line in shown.stdout
    assert _run("list").stdout == (
        "# corpora\nname\tdocuments\tpassages\tclusters\tembedding model\n" + f"our animals\t4\t4\t1\t{MODEL}\n\n"
    )


def test_the_embedding_model_is_that_of_the_role(endpoint: TestEndpoint, documents: Path, tmp_path: Path) -> None:
    settings = tmp_path / "config" / "mtr.toml"
    settings.write_text(f'{settings.read_text(encoding="utf-8")}\n[roles]\nembedding = "{MODEL}"\n', encoding="utf-8")
    assert _run("build", documents, "--name", "by role").exit_code == 0
    assert f"embedding model\t{MODEL} (" in _run("show", "by role").stdout


def test_show_as_json(endpoint: TestEndpoint, documents: Path) -> None:
    _run(*BUILD, documents, "--name", "animals")
    summary = json.loads(_run("show", "animals", "--json").stdout)
    assert summary["manifest"]["counts"]["passages"] == 4
    assert summary["cluster_sizes"] == {"4": 1}
    assert len(summary["samples"][0]["passages"]) == 4
    assert summary["dropped"][0]["count"] == 1
    assert [quantile["share"] for quantile in summary["lengths"]][::6] == [0.0, 1.0]


def test_the_sample_is_drawn_by_the_seed(endpoint: TestEndpoint, documents: Path) -> None:
    _run(*BUILD, documents, "--name", "animals", "--cluster-size", 1)

    def drawn(seed: int) -> list[str]:
        samples = json.loads(_run("show", "animals", "--json", "--seed", seed).stdout)["samples"]
        return [sample["cluster_id"] for sample in samples]

    assert len(drawn(0)) == 3
    assert drawn(0) == drawn(0)
    assert len({tuple(drawn(seed)) for seed in range(6)}) > 1


@pytest.mark.parametrize(
    "words",
    [["build"], ["build", "--name", "x"], ["build", "."], ["build", ".", "--demo"], ["build", "--demo", "--name", "x"]],
)
def test_what_to_build_must_be_clear(words: list[str]) -> None:
    result = _run(*words)
    assert result.exit_code == 2
    assert "--demo alone" in " ".join(result.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["show", "nothing"], "mtr corpus build"),
        (["show", "../etc"], "cannot name a corpus"),
        (["build", ".", "--name", "a/b"], "cannot name a corpus"),
        (["build", "missing.txt", "--name", "a", "--embedding-model", "test/m"], "missing.txt"),
        (["build", ".", "--name", "a", "--embedding-model", "nowhere/m"], "no endpoint 'nowhere'"),
        (["build", ".", "--name", "a", "--embedding-model", "words"], "endpoint/model"),
        (["build", ".", "--name", "a", "--embedding-model", "test/m", "--size", "3"], "too small"),
    ],
)
def test_errors_say_what_to_do(
    endpoint: TestEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], says: str
) -> None:
    monkeypatch.chdir(write_documents(tmp_path / "documents", ANIMALS))
    with pytest.raises(InputError, match=says):
        _run(*words)


def test_help_is_quick_to_import() -> None:
    heavy = "chromadb numba bm25s numpy langchain_openai langgraph"
    code = f"import sys, mtr.cli.corpus; print([name for name in {heavy.split()!r} if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
