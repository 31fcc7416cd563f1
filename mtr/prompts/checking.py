"""Every fault of a domain at once: its own files, and where it parts from what the shipped `general` promises."""

import json
from collections.abc import Iterator
from pathlib import Path

from mtr.prompts.expansion import Expansion
from mtr.prompts.folders import (
    DOMAIN_FILE,
    MODEL_DOMAIN,
    domain_folder,
    domain_name,
    misnamed_in,
    own_root,
    read_text,
    roles_in,
    shipped_root,
)
from mtr.prompts.records import Fault
from mtr.prompts.rendering import expansion, read_settings
from mtr.prompts.yaml_text import line_of


def check_domain(domain: str) -> tuple[Fault, ...]:
    """All faults of a domain, sorted by file and line; a folder without `domain.yaml` is checked too."""
    own = own_root() / domain_name(domain)
    folder = own if own.is_dir() else domain_folder(domain)
    model = shipped_root() / MODEL_DOMAIN
    faults = [*_own_faults(folder)]
    if folder.resolve() != model.resolve():
        faults += _faults_against(folder, model)
    return tuple(sorted(dict.fromkeys(faults), key=lambda fault: (fault.path, fault.line or 0)))


def _own_faults(folder: Path) -> Iterator[Fault]:
    yield from read_settings(folder)[1]
    for path in misnamed_in(folder):
        yield Fault(path=str(path), message="no role can have this name; use small letters, digits and _")
    for role in roles_in(folder):
        prompt = expansion(folder, role)
        yield from prompt.faults
        if prompt.header and prompt.header.reply == "json":
            yield from _example_faults(prompt)


def _example_faults(prompt: Expansion) -> Iterator[Fault]:
    """The role's own examples must be JSON; those of a shared prefix serve other kinds of reply as well."""
    for piece in prompt.pieces:
        if piece.role == "assistant" and piece.path == prompt.path and piece.content:
            try:
                json.loads(piece.content)
            except json.JSONDecodeError as error:
                line = piece.line + error.lineno - 1
                yield Fault(
                    path=prompt.path, line=line, message=f"the reply is json, but this example is not: {error.msg}"
                )


def _faults_against(folder: Path, model: Path) -> Iterator[Fault]:
    present = roles_in(folder)
    for role in roles_in(model):
        if role not in present:
            yield Fault(path=str(folder / f"{role}.md"), message=f"is missing; copy it from {MODEL_DOMAIN}")
        else:
            yield from _promise_faults(expansion(folder, role), expansion(model, role))
    yield from _phrase_faults(folder, model)


def _promise_faults(prompt: Expansion, model: Expansion) -> Iterator[Fault]:
    """The program fills the inputs of `general` and reads its kind of reply, whatever the domain."""
    if prompt.header is None or model.header is None:
        return
    inputs, filled = set(prompt.header.inputs), set(model.header.inputs)
    messages = [(name, f"is missing; {MODEL_DOMAIN} has it") for name in sorted(filled - inputs)]
    messages += [(name, f"is never filled; {MODEL_DOMAIN} does not have it") for name in sorted(inputs - filled)]
    for name, message in messages:
        yield Fault(path=prompt.path, line=prompt.line_of("inputs"), message=f"the input `{name}` {message}")
    if prompt.header.reply != model.header.reply:
        message = f"the reply must be {model.header.reply or 'left out'}, as in {MODEL_DOMAIN}"
        yield Fault(path=prompt.path, line=prompt.line_of("reply"), message=message)


def _phrase_faults(folder: Path, model: Path) -> Iterator[Fault]:
    """A list nobody reads is a slip of the pen: its check would be off without a word."""
    settings, known = read_settings(folder)[0], read_settings(model)[0]
    if settings is None or known is None:
        return
    path, lists = folder / DOMAIN_FILE, ", ".join(sorted(known.phrases))
    for name in sorted(set(settings.phrases) - set(known.phrases)):
        line = line_of(read_text(path) or "", "phrases", name)
        yield Fault(path=str(path), line=line, message=f"phrases: nothing reads the list `{name}`; lists are {lists}")
