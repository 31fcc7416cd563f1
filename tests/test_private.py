"""Whole runs of `mtr generate` against a scripted model on loopback: private, repeatable, resumed, within budget."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from support import stations
from support.endpoint import TestEndpoint
from typer.testing import CliRunner

from mtr.cli import app
from mtr.datasets.own_reading import read_dataset
from mtr.errors import BudgetError

CONVERSATIONS, TURNS = 4, 3
HOME = "mtr-home"
SETS = ("set", "one", "eight", "replayed", "at-once")
ORDER = ["stations", "--conversations", str(CONVERSATIONS), "--turns", str(TURNS), "--model", "stations/script"]


@pytest.fixture(scope="module")
def running() -> Iterator[TestEndpoint]:
    """The scripted model, on loopback."""
    with TestEndpoint(reply=stations.reply, embed=stations.embeddings) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def built(running: TestEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with settings, and a home with the corpus `stations`: building takes longer than any test here."""
    return stations.build_world(tmp_path_factory.mktemp("world"), running.base_url, home=HOME)


@pytest.fixture
def endpoint(running: TestEndpoint) -> TestEndpoint:
    """The endpoint as new."""
    running.delay = 0.0
    running.sent.clear()
    return running


@pytest.fixture
def world(built: Path, endpoint: TestEndpoint, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder, entered; of the home only the corpus is left."""
    monkeypatch.chdir(built)
    monkeypatch.setenv("MTR_HOME", str(built / HOME))
    stations.forget(built / HOME)
    for name in SETS:
        shutil.rmtree(built / name, ignore_errors=True)
    return built


def generate(*words: str) -> Result:
    """The command, in this process."""
    return CliRunner().invoke(app, ["generate", *ORDER, *words])


def files(folder: Path) -> dict[str, object]:
    """Every file's bytes; of the manifest all but what may vary."""
    found: dict[str, object] = {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["run"]
    return found | {"manifest.json": manifest}


def paid_twice(endpoint: TestEndpoint) -> int:
    """How many requests came that had come before."""
    seen = Counter(json.dumps(body, sort_keys=True) for body in endpoint.sent)
    return sum(count - 1 for count in seen.values())


def test_nothing_leaves_the_machine(world: Path, loopback_only: list[str]) -> None:
    result = generate("--out", "set", "--print")
    assert result.exit_code == 0, result.output
    dataset = read_dataset(world / "set")
    assert [len(one.turns) for one in dataset.conversations] == [TURNS] * CONVERSATIONS
    assert dataset.manifest.shares.switched.n == CONVERSATIONS // 2
    assert result.stdout.count("⟦") == CONVERSATIONS * TURNS
    assert "mtr trace set stations-0001" in result.stdout
    assert loopback_only == []


def test_the_same_bytes_whatever_the_concurrency(world: Path, endpoint: TestEndpoint) -> None:
    assert generate("--out", "eight", "--concurrency", "8").exit_code == 0
    assert paid_twice(endpoint) == 0
    stations.forget(world / HOME)
    assert generate("--out", "one", "--concurrency", "1").exit_code == 0
    assert files(world / "one") == files(world / "eight")
    endpoint.sent.clear()
    (world / HOME / "batches.sqlite").unlink()
    assert generate("--out", "replayed", "--concurrency", "3").exit_code == 0
    assert endpoint.sent == []
    assert files(world / "replayed") == files(world / "eight")


def test_a_spent_budget_stops_and_the_same_command_goes_on(world: Path, endpoint: TestEndpoint) -> None:
    budget, runs = 30_000, 0
    while (result := generate("--out", "set", "--budget-tokens", str(budget))).exit_code:
        runs += 1
        assert isinstance(result.exception, BudgetError)
        assert "the same command goes on from there" in result.stderr
        assert not (world / "set").exists()
        assert tokens(endpoint) <= runs * budget
        assert runs < 20
    assert runs >= 2
    assert paid_twice(endpoint) == 0
    manifest = read_dataset(world / "set").manifest
    assert manifest.run.runs == runs + 1
    spent = [one for one in manifest.run.usage if one.role != "embedding"]
    assert sum(one.calls for one in spent) == len([body for body in endpoint.sent if "messages" in body])


def test_kill_9_and_ctrl_c_pay_nothing_finished_twice(world: Path, endpoint: TestEndpoint) -> None:
    endpoint.delay = 0.005
    with started("--out", "set", "--concurrency", "2") as victim:
        wait_for_calls(endpoint, 40)
        victim.send_signal(signal.SIGKILL)
    assert not (world / "set").exists()
    result = interrupted(endpoint, 80)
    assert result.exit_code == 130, result.output
    assert "conversations are kept; the same command goes on from there" in result.stderr
    endpoint.delay = 0.0
    assert generate("--out", "set", "--concurrency", "2").exit_code == 0
    assert paid_twice(endpoint) <= 2 * 2
    stations.forget(world / HOME)
    assert generate("--out", "at-once").exit_code == 0
    assert files(world / "set") == files(world / "at-once")


def test_the_dry_run_calls_nothing(world: Path, endpoint: TestEndpoint) -> None:
    result = generate("--dry-run")
    assert result.exit_code == 0
    assert f"estimate for {CONVERSATIONS} conversations of {TURNS} turns; nothing was called" in result.stdout
    assert "uniqueness_verifier\tstations/script" in result.stdout
    assert endpoint.sent == []
    assert not (world / HOME / "batches.sqlite").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--domain", "medicine"), "no domain 'medicine'"),
        (("--model", "nowhere/m"), "no endpoint 'nowhere'"),
        (("--answerer-model", "gpt"), "model 'gpt' is not of the form"),
        (("--model", "openai/gpt"), "OPENAI_API_KEY, which is not set"),
        (("--model", "local/other"), "local/other"),
        (("--switch-share", "2"), "--switch-share"),
        (("--far-reference-share", "1"), "--far-reference-share"),
        (("--turns", "2", "--switch-share", "0.5"), "needs --turns 3"),
        (("--out", "mtr.toml"), "is a file"),
        (("--out", "."), "is not empty"),
        (("--budget-usd", "-1"), "--budget-usd"),
    ],
)
def test_wrong_orders_are_refused_before_anything_is_called(
    world: Path, endpoint: TestEndpoint, words: tuple[str, ...], message: str
) -> None:
    result = generate(*words)
    assert result.exit_code != 0
    assert message in f"{result.exception} {result.stderr}"
    assert endpoint.sent == []


def test_an_unknown_corpus_names_those_there_are(world: Path) -> None:
    result = CliRunner().invoke(app, ["generate", "staitons"])
    assert "no corpus 'staitons'" in str(result.exception) and "stations" in str(result.exception)


def tokens(endpoint: TestEndpoint) -> int:
    """What the endpoint has counted for all chats."""
    return sum(stations.reply(body)["usage"]["prompt_tokens"] + 10 for body in endpoint.sent if "messages" in body)


def started(*words: str) -> subprocess.Popen[str]:
    """The command as a process of its own."""
    command = [sys.executable, "-c", "from mtr.cli import main; main()", "generate", *ORDER, *words]
    paths = os.pathsep.join([str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(command, text=True, env={**os.environ, "PYTHONPATH": paths})


def interrupted(endpoint: TestEndpoint, count: int) -> Result:
    """The command in this process, with Ctrl-C when the endpoint has had that many requests."""

    def interrupt() -> None:
        wait_for_calls(endpoint, count)
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    interrupter = threading.Thread(target=interrupt)
    interrupter.start()
    try:
        return generate("--out", "set", "--concurrency", "2")
    finally:
        interrupter.join()
        signal.signal(signal.SIGINT, before)


def wait_for_calls(endpoint: TestEndpoint, count: int) -> None:
    """Until the endpoint has had that many requests."""
    end = time.monotonic() + 120
    while len(endpoint.sent) < count:
        assert time.monotonic() < end
        time.sleep(0.002)
