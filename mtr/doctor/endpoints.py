"""Endpoints: each model that a role is bound to is asked for one token."""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from mtr.doctor.finding import Finding, broken, doubtful, fine
from mtr.errors import InputError, MtrError, ReplyError
from mtr.llm import YesNo, complete, embed, open_door
from mtr.llm.listing import local_models
from mtr.prompts import Message, RenderedPrompt
from mtr.settings import DEFAULT_EMBEDDING_MODEL, DEFAULT_MODEL, Settings, load_settings

PATIENCE_SECONDS = 30.0
PROBE = "ok?"


def examine_endpoints() -> Iterator[Finding]:
    """The settings themselves, then every model in use, all asked side by side; endpoints nobody uses are named."""
    try:
        settings = load_settings()
    except InputError as error:
        yield broken("settings", str(error), "correct mtr.toml; mtr.example.toml shows every setting")
        return
    models = _models_in_use(settings)
    yield fine("settings", f"{len(settings.endpoints)} endpoints, {len(settings.roles)} roles bound")
    yield from asyncio.run(_ask_all(settings, models))
    for name in sorted(set(settings.endpoints) - {model.partition("/")[0] for model in models}):
        yield _describe_unused(settings, name)


def _models_in_use(settings: Settings) -> dict[str, bool]:
    """Model name → whether it embeds; the embedded ones only where they are ready, their own lines say if not."""
    models = {model: role == "embedding" for role, model in settings.roles.items()}
    ready = {model.name for model in local_models() if model.ready}
    defaults = {DEFAULT_MODEL: False, DEFAULT_EMBEDDING_MODEL: True}
    return {name: embeds for name, embeds in (defaults | models).items() if name in ready or name not in defaults}


def _describe_unused(settings: Settings, name: str) -> Finding:
    endpoint = settings.endpoints[name]
    if endpoint.api_key_env and not os.environ.get(endpoint.api_key_env):
        return fine(f"endpoint {name}", f"not used: no role is bound to it, {endpoint.api_key_env} is not set")
    return doubtful(
        f"endpoint {name}", "not tried: no role is bound to it", f'bind one in mtr.toml: [roles] judge = "{name}/…"'
    )


async def _ask_all(settings: Settings, models: dict[str, bool]) -> list[Finding]:
    """Through the same door as everything else, but with little patience and a ledger that is thrown away."""
    endpoints = {
        name: endpoint.model_copy(update={"deadline_seconds": min(endpoint.deadline_seconds, PATIENCE_SECONDS)})
        if endpoint.base_url
        else endpoint
        for name, endpoint in settings.endpoints.items()
    }
    patient = settings.model_copy(update={"endpoints": endpoints})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        async with open_door(patient, ledger=Path(folder) / "ledger.sqlite"):
            return await asyncio.gather(*(_ask(model, embeds) for model, embeds in models.items()))


async def _ask(model: str, embeds: bool) -> Finding:
    subject, started = f"endpoint {model}", time.perf_counter()
    try:
        if embeds:
            await embed([PROBE], model=model, kind="query")
        else:
            said = (Message(role="user", content=PROBE),)
            prompt = RenderedPrompt(
                domain="doctor", role="doctor", messages=said, temperature=0.0, max_tokens=1, sha256="0" * 64
            )
            await complete(prompt, YesNo, model=model)
    except ReplyError:
        return fine(subject, f"answers in {time.perf_counter() - started:.1f} s")
    except MtrError as error:
        return broken(subject, str(error), "correct base_url, key or model name in mtr.toml, or start the server")
    return fine(subject, f"answers in {time.perf_counter() - started:.1f} s")
