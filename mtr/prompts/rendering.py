"""From a role and its values to the messages that are sent."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from mtr.errors import InputError
from mtr.prompts.expansion import Expansion, expand
from mtr.prompts.fault_table import table_faults
from mtr.prompts.folders import (
    DOMAIN_FILE,
    MODEL_DOMAIN,
    domain_folder,
    prefix_path,
    read_text,
    role_text,
    roles_in,
    shipped_root,
)
from mtr.prompts.records import DomainSettings, Fault, Message, PromptHeader, RenderedPrompt, bytes_faults, refuse
from mtr.prompts.source import Piece, PromptTemplate, parse
from mtr.prompts.yaml_text import read_yaml


def render(
    domain: str, role: str, values: Mapping[str, str], *, text: str | None = None, temperature: float | None = None
) -> RenderedPrompt:
    """Fill a role's prompt. `text` stands in for the file's, `temperature` for the header's.

    Values go in as they are and are never expanded. InputError, naming file and line, for a faulty prompt, and for
    values that are not exactly its inputs. Looks at the disk, and reads a file only when it has changed.
    """
    prompt = expansion(domain_folder(domain), role, text)
    header = prompt.sound_header()
    _refuse_values(domain, role, header, values)
    return RenderedPrompt(
        domain=domain,
        role=role,
        messages=tuple(part if isinstance(part, Message) else _fill(*part, values) for part in prompt.parts),
        temperature=header.temperature if temperature is None else temperature,
        max_tokens=header.max_tokens,
        sha256=prompt.sha256,
    )


def expansion(folder: Path, role: str, text: str | None = None) -> Expansion:
    """A role's prompt with its prefix, its faults not raised but listed; InputError for an unknown role."""
    path, kept = role_text(folder, role)
    source, name = (kept, str(path)) if text is None else (text.replace("\r\n", "\n"), f"{path} (edited)")
    prefix = parse(source, name).prefix
    if prefix is None:
        return expand(source, name, None, None)
    shared = prefix_path(folder, prefix)
    return expand(source, name, read_text(shared), str(shared))


def prompt_header(domain: str, role: str) -> PromptHeader:
    """The header of a role: its inputs, sampling parameters and kind of reply."""
    return expansion(domain_folder(domain), role).sound_header()


def prompt_text(domain: str, role: str) -> str:
    """The text of a role's file, as it stands."""
    return role_text(domain_folder(domain), role)[1]


def prompt_hashes(domain: str) -> dict[str, str]:
    """The sha256 of each role's prompt (its prefix included)."""
    folder = domain_folder(domain)
    return {role: expansion(folder, role).sha256 for role in roles_in(folder)}


def load_domain(domain: str) -> DomainSettings:
    """The settings in a domain's `domain.yaml`."""
    settings, faults = read_settings(domain_folder(domain))
    refuse(faults)
    if settings is None:
        raise InputError(f"domain {domain}: its {DOMAIN_FILE} is gone")
    return settings


def read_settings(folder: Path) -> tuple[DomainSettings | None, tuple[Fault, ...]]:
    """The settings of a domain's folder, None when they cannot be read, and the faults of its file.

    A table of faults that is not whole is a fault here and not at its first use: that may be hours into a batch.
    """
    path = folder / DOMAIN_FILE
    text = read_text(path)
    if text is None:
        return None, (Fault(path=str(path), message="is missing; copy one from another domain"),)
    settings, faults = _settings(text, str(path))
    return settings, (*faults, *_table_faults(text, str(path), read_text(shipped_root() / MODEL_DOMAIN / DOMAIN_FILE)))


@lru_cache(maxsize=64)
def _settings(text: str, path: str) -> tuple[DomainSettings | None, tuple[Fault, ...]]:
    settings, faults = read_yaml(text, DomainSettings, path)
    return settings, (*faults, *bytes_faults(text, path))


@lru_cache(maxsize=64)
def _table_faults(text: str, path: str, model_text: str | None) -> tuple[Fault, ...]:
    own, model = _settings(text, path)[0], _settings(model_text or "", "")[0]
    return tuple(table_faults(own, model, text, path)) if own and model else ()


def _fill(piece: Piece, template: PromptTemplate, values: Mapping[str, str]) -> Message:
    return Message(role=piece.role, content=template.substitute(values))


def _refuse_values(domain: str, role: str, header: PromptHeader, values: Mapping[str, str]) -> None:
    if values.keys() == set(header.inputs) and all(isinstance(value, str) for value in values.values()):
        return
    missing = [name for name in header.inputs if name not in values]
    unknown = [name for name in values if name not in header.inputs]
    no_text = [name for name, value in values.items() if not isinstance(value, str)]
    parts = {"without a value": missing, "not among its inputs": unknown, "not text": no_text}
    said = "; ".join(f"{what}: {', '.join(names)}" for what, names in parts.items() if names)
    raise InputError(f"prompt {domain}/{role}: {said}; its inputs are {', '.join(header.inputs) or 'none'}")
