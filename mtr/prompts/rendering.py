"""From a role and its values to the messages that are sent."""

from collections.abc import Mapping

from mtr.errors import InputError
from mtr.prompts.expansion import Expansion, expand
from mtr.prompts.folders import DOMAIN_FILE, domain_folder, prefix_path, read_text, role_text, roles
from mtr.prompts.records import DomainSettings, Message, PromptHeader, RenderedPrompt, refuse
from mtr.prompts.source import Piece, PromptTemplate, parse
from mtr.prompts.yaml_text import read_yaml


def render(
    domain: str, role: str, values: Mapping[str, str], *, text: str | None = None, temperature: float | None = None
) -> RenderedPrompt:
    """Fill a role's prompt. `text` stands in for the file's, `temperature` for the header's.

    Values go in as they are and are never expanded. InputError, naming file and line, for a faulty prompt, and for
    values that are not exactly its inputs. Looks at the disk: in an async function that must not block, use a thread.
    """
    prompt = expansion(domain, role, text)
    refuse(prompt.faults)
    _refuse_values(domain, role, prompt.header, values)
    return RenderedPrompt(
        domain=domain,
        role=role,
        messages=tuple(part if isinstance(part, Message) else _fill(*part, values) for part in prompt.filled),
        temperature=prompt.header.temperature if temperature is None else temperature,
        max_tokens=prompt.header.max_tokens,
        sha256=prompt.sha256,
    )


def expansion(domain: str, role: str, text: str | None = None) -> Expansion:
    """A role's prompt with its prefix, faults included; InputError for an unknown domain or role."""
    folder = domain_folder(domain)
    path, kept = role_text(folder, role)
    source, name = (kept, str(path)) if text is None else (text.replace("\r\n", "\n"), f"{path} (edited)")
    prefix = parse(source, name).prefix
    if prefix is None:
        return expand(source, name, None, None)
    shared = prefix_path(folder, prefix)
    return expand(source, name, read_text(shared), str(shared))


def prompt_header(domain: str, role: str) -> PromptHeader:
    """The header of a role: its inputs, sampling parameters and kind of reply."""
    prompt = expansion(domain, role)
    refuse(prompt.faults)
    return prompt.header


def prompt_text(domain: str, role: str) -> str:
    """The text of a role's file, as it stands."""
    return role_text(domain_folder(domain), role)[1]


def prompt_hashes(domain: str) -> dict[str, str]:
    """The sha256 of each role's prompt (its prefix included)."""
    return {role: expansion(domain, role).sha256 for role in roles(domain)}


def load_domain(domain: str) -> DomainSettings:
    """The settings in a domain's `domain.yaml`."""
    path = domain_folder(domain) / DOMAIN_FILE
    settings, faults = read_yaml(read_text(path) or "", DomainSettings, str(path))
    refuse(faults)
    if settings is None:
        raise InputError(f"{path}: cannot be read")
    return settings


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
