"""Domains and prompts as plain text for a reader."""

from mtr.prompts.expansion import Expansion
from mtr.prompts.folders import domain_folder, roles_in
from mtr.prompts.rendering import expansion, read_settings
from mtr.prompts.source import PLACEHOLDER

FAULTY = "(faulty: see mtr prompts check)"
_BORDERS = {"system": "# System", "user": "# User", "assistant": "# Assistant"}


def describe_domain(domain: str) -> str:
    """A line for the domain, and one for each role: name, first twelve digits of the sha256, description."""
    folder = domain_folder(domain)
    settings = read_settings(folder)[0]
    about = f"{settings.description} [{settings.language}]" if settings else FAULTY
    roles = roles_in(folder)
    width = max((len(role) for role in roles), default=0)
    lines = [f"{domain}  {about}  {folder}"]
    for role in roles:
        prompt = expansion(folder, role)
        said = FAULTY if prompt.faults or not prompt.header else prompt.header.description
        lines.append(f"  {role:{width}}  {prompt.sha256[:12]}  {said}")
    return "\n".join(lines)


def describe_role(domain: str, role: str) -> str:
    """What is known of a role, then its messages as sent; InputError when the prompt is faulty."""
    prompt = expansion(domain_folder(domain), role)
    messages = (f"{_BORDERS[piece.role]}\n{piece.content}" for piece in prompt.pieces)
    return "\n\n".join((_facts(prompt), *messages))


def marked(text: str, mark: str) -> str:
    """The text with each placeholder replaced by `mark`, in which `\\1` stands for the name."""
    return PLACEHOLDER.sub(mark, text)


def _facts(prompt: Expansion) -> str:
    header = prompt.sound_header()
    facts = {
        "file": prompt.path,
        "sha256": prompt.sha256,
        "description": header.description,
        "inputs": ", ".join(header.inputs) or "none",
        "prefix": header.prefix,
        "reply": header.reply,
        "temperature": f"{header.temperature:g}",
        "max_tokens": str(header.max_tokens),
    }
    return "\n".join(f"{name}: {value}" for name, value in facts.items() if value is not None)
