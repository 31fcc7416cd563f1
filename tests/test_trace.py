"""`mtr trace`: a turn step by step from what is stored, without a network, saying plainly what is missing."""

import asyncio
from pathlib import Path

import pytest
from support.conversations import make_conversation, make_passage
from support.manifests import make_manifest
from typer.testing import CliRunner

from mtr.cli import app
from mtr.datasets.own import Made, write_dataset
from mtr.errors import InputError
from mtr.llm.ledger import Ledger, Paid
from mtr.llm.records import RawReply, Request, Usage
from mtr.prompts import Message
from mtr.records import Step

PREFIX = "the shared beginning " * 20


def make_request(text: str) -> Request:
    """A request of a system message and the text."""
    return Request(
        endpoint="local",
        model="m",
        messages=(Message(role="system", content=PREFIX), Message(role="user", content=text)),
        temperature=0.0,
        max_tokens=100,
        reply_schema="{}",
        sample=0,
    )


def paid(request: Request, ask: int, text: str, error: str | None = None, probability: float | None = None) -> Paid:
    """A reply of 1,203 tokens read and 17 written in 2.25 s."""
    usage = Usage(prompt_tokens=1203, cached_tokens=900, completion_tokens=17)
    raw = RawReply(text, "stop", None, None, usage, 2.25)
    return Paid(request, "general", "answerer", "p" * 64, ask, raw, None if error else "fences", error, probability)


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A conversation of two turns; one call of three is not in the ledger."""
    monkeypatch.setenv("MTR_HOME", str(tmp_path / "home"))
    first, second = make_request("What is it?\n\x1b[31mred"), make_request("Does it answer?")

    async def keep() -> None:
        ledger = Ledger(tmp_path / "home" / "ledger.sqlite")
        await ledger.keep(paid(first, 1, "not json", error="there is no JSON object in the reply"))
        await ledger.keep(paid(first, 2, '```{"answer": "it is 7"}```'))
        await ledger.keep(paid(second, 1, "yes", probability=0.91))
        ledger.close()

    asyncio.run(keep())
    steps = (
        Step(step_id="1", turn=1, attempt=1, node="write_answer", outcome="written", calls=(first.key,)),
        Step(
            step_id="2",
            turn=1,
            attempt=2,
            node="verify_uniqueness",
            outcome="one other answers",
            calls=(second.key, "f" * 64),
        ),
        Step(step_id="3", turn=2, attempt=1, node="keep_turn", outcome="kept"),
    )
    made = Made(conversation=make_conversation("demo-0001", turns=2), steps=steps)
    write_dataset(tmp_path / "set", [make_passage(n) for n in range(8)], [made], make_manifest())
    return tmp_path / "set"


def run(*words: str) -> str:
    """The command's stdout."""
    result = CliRunner().invoke(app, ["trace", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_every_step_with_prompt_reply_reading_tokens_and_time(dataset: Path) -> None:
    text = run(str(dataset), "demo-0001")
    for part in (
        "turn 1",
        "write_answer · written",
        "answerer of general · local/m · temperature 0.0 · sample 0",
        "1 messages before, 420 characters (--full shows them)",
        "│ What is it?",
        "rejected (1,203 tokens read, 900 of them cached, 17 written, 2.2 s)",
        "rejected because there is no JSON object in the reply",
        '│ ```{"answer": "it is 7"}```',
        "read  fences\n",
        "verify_uniqueness · try 2 · one other answers",
        "P(yes) 0.910",
        "not in this ledger",
        "turn 2",
        "keep_turn · kept",
    ):
        assert part in text
    assert "shared beginning" not in text
    assert "\x1b" not in text


def test_the_whole_prompt_and_a_single_turn(dataset: Path) -> None:
    assert run(str(dataset), "demo-0001", "--full").count("prompt, system") == 2
    assert run(str(dataset), "demo-0001", "--turn", "2").startswith("turn 2\n")


def test_a_missing_ledger_is_said(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTR_HOME", str(dataset / "elsewhere"))
    result = CliRunner().invoke(app, ["trace", str(dataset), "demo-0001"])
    assert result.exit_code == 0
    assert "no ledger at" in result.stderr
    assert "write_answer · written" in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("demo-7",), "no conversation 'demo-7'; it has: demo-0001"),
        (("demo-0001", "--turn", "9"), "demo-0001 has no turn 9; it has 1 to 2"),
    ],
)
def test_a_wrong_name_is_named(dataset: Path, words: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        CliRunner().invoke(app, ["trace", str(dataset), *words], catch_exceptions=False)
