"""`mtr generate --audit`: one command, one budget, two accounts; a judge that cannot be asked is told at once."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from support import stations
from support.endpoint import Body, TestEndpoint, as_json, chat_body
from typer.testing import CliRunner

from mtr.auditing.files import AuditNote, read_summary
from mtr.cli import app
from mtr.corpus.build import build_corpus
from mtr.corpus.options import CorpusOptions
from mtr.datasets.own_reading import read_dataset
from mtr.errors import BudgetError, InputError
from mtr.llm import open_door
from mtr.settings import load_settings

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


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestEndpoint]:
    """A folder with settings and a corpus, entered."""
    monkeypatch.chdir(tmp_path)
    with TestEndpoint(reply=reply, embed=stations.embeddings) as endpoint:
        settings = stations.write_settings(tmp_path / "mtr.toml", endpoint.base_url)
        documents = stations.write_documents(tmp_path / "stations.jsonl", 24)

        async def build() -> None:
            options = CorpusOptions(embedding_model="stations/vectors", text_column="text", id_column="id")
            async with open_door(load_settings(settings)):
                await build_corpus("stations", [documents], options)

        asyncio.run(build())
        endpoint.sent.clear()
        yield endpoint


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


def test_each_turn_is_judged_once_and_both_accounts_are_their_own(world: TestEndpoint, tmp_path: Path) -> None:
    result = generate("--audit", "--judge", "stations/judge")
    assert result.exit_code == 0, result.output
    asked = judged(world)
    assert len(asked) == len(set(asked)) > CONVERSATIONS * TURNS
    summary = read_summary(tmp_path / "set" / "audit")
    assert summary.turns == summary.turns_of == CONVERSATIONS * TURNS
    assert "audit              set/audit" in result.stdout
    made_by = {spent.role for spent in read_dataset(tmp_path / "set").manifest.run.usage}
    assert not any(role.startswith("judges/") for role in made_by)
    note = AuditNote.model_validate_json((tmp_path / "set" / "audit" / "audit.json").read_bytes())
    assert {spent.role.split("/")[0] for spent in note.usage} == {"judges"}
    assert sum(spent.calls for spent in note.usage) == len(asked)


def test_a_judge_that_cannot_be_asked_is_told_before_anything_is_made(world: TestEndpoint) -> None:
    result = generate("--audit", "--judge", "nowhere/judge")
    assert isinstance(result.exception, InputError) and "nowhere" in str(result.exception)
    assert world.sent == []


def test_judges_draw_on_the_same_budget(world: TestEndpoint, tmp_path: Path) -> None:
    assert generate().exit_code == 0
    spent = sum(one.prompt_tokens + one.completion_tokens for one in read_dataset(tmp_path / "set").manifest.run.usage)
    (tmp_path / "mtr-home" / "ledger.sqlite").unlink()
    (tmp_path / "mtr-home" / "batches.sqlite").unlink()
    result = generate("--audit", "--judge", "stations/judge", "--budget-tokens", str(spent + 3_000))
    assert isinstance(result.exception, BudgetError)
    assert not (tmp_path / "set" / "audit").exists()


def test_a_judge_without_an_audit_is_refused(world: TestEndpoint) -> None:
    result = generate("--judge", "stations/judge")
    assert isinstance(result.exception, InputError) and "--audit" in str(result.exception)
