"""`mtr generate --audit`: one command, one budget, two accounts; a judge that cannot be asked is told at once."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from support import stations
from support.endpoint import Body, TestEndpoint, as_json, chat_body
from typer.testing import CliRunner

from mtr.auditing.files import AuditNote, read_summary
from mtr.cli import app
from mtr.datasets.own_reading import read_dataset
from mtr.errors import BudgetError, InputError

CONVERSATIONS, TURNS, ASKS = 2, 3, 8
REPLIES = {
    "Scored": as_json(reason="Good.", score=5),
    "ChoiceReply": as_json(reason="It stands first.", choice="A"),
    "ClaimsReply": as_json(claims=[], reason="No claim.", score=5),
}


def reply(body: Body) -> "str | Body":
    """The stations' script, and judges who like everything."""
    if "You check " not in str(body["messages"][0]["content"]):
        return stations.reply(body)
    shape = body.get("response_format", {}).get("json_schema", {}).get("name")
    return REPLIES[shape] if shape else chat_body("yes", chances={"yes": -0.1, "no": -3.0})


@pytest.fixture(scope="module")
def running() -> Iterator[TestEndpoint]:
    """The stations' model and its judges, on loopback."""
    with TestEndpoint(reply=reply, embed=stations.embeddings) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def built(running: TestEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with settings and a corpus."""
    return stations.build_world(tmp_path_factory.mktemp("world"), running.base_url)


@pytest.fixture
def world(built: Path, running: TestEndpoint, monkeypatch: pytest.MonkeyPatch) -> TestEndpoint:
    """The folder, entered, with nothing but the corpus in it; the endpoint as new."""
    monkeypatch.chdir(built)
    monkeypatch.setenv("MTR_HOME", str(built / "mtr-home"))
    stations.forget(built / "mtr-home")
    shutil.rmtree(built / "set", ignore_errors=True)
    running.sent.clear()
    return running


def generate(*words: str) -> Result:
    """The command, in this process."""
    size = ("--conversations", str(CONVERSATIONS), "--turns", str(TURNS))
    return CliRunner().invoke(
        app, ["generate", "stations", *size, "--model", "stations/script", "--out", "set", *words]
    )


def judged(endpoint: TestEndpoint) -> list[str]:
    """What judges were sent."""
    asked = (json.dumps(body["messages"]) for body in endpoint.sent if "messages" in body)
    return [text for text in asked if "You check " in text]


def test_each_turn_is_judged_once_and_both_accounts_are_their_own(world: TestEndpoint) -> None:
    result = generate("--audit", "--judge", "stations/judge")
    assert result.exit_code == 0, result.output
    asked = judged(world)
    assert len(asked) == len(set(asked)) > CONVERSATIONS * TURNS
    summary = read_summary(Path("set") / "audit")
    assert summary.turns == summary.turns_of == CONVERSATIONS * TURNS
    assert "audit              set/audit" in result.stdout
    made_by = {spent.role for spent in read_dataset(Path("set")).manifest.run.usage}
    assert not any(role.startswith("judges/") for role in made_by)
    note = AuditNote.model_validate_json((Path("set") / "audit" / "audit.json").read_bytes())
    assert {spent.role.split("/")[0] for spent in note.usage} == {"judges"}
    assert sum(spent.calls for spent in note.usage) == len(asked)


def test_a_judge_that_cannot_be_asked_is_told_before_anything_is_made(world: TestEndpoint) -> None:
    result = generate("--audit", "--judge", "nowhere/judge")
    assert isinstance(result.exception, InputError) and "nowhere" in str(result.exception)
    assert world.sent == []


def test_judges_draw_on_the_same_budget(world: TestEndpoint) -> None:
    assert generate().exit_code == 0
    spent = sum(one.prompt_tokens + one.completion_tokens for one in read_dataset(Path("set")).manifest.run.usage)
    stations.forget(Path("mtr-home"))
    result = generate("--audit", "--judge", "stations/judge", "--budget-tokens", str(spent + 3_000))
    assert isinstance(result.exception, BudgetError)
    assert not (Path("set") / "audit").exists()


def test_a_judge_without_an_audit_is_refused(world: TestEndpoint) -> None:
    result = generate("--judge", "stations/judge")
    assert isinstance(result.exception, InputError) and "--audit" in str(result.exception)
