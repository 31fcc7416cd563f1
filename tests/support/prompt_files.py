"""Domains written by tests."""

from pathlib import Path

import pytest

from mtr.prompts.folders import DOMAIN_FILE, MODEL_DOMAIN, shipped_root

SETTINGS = """description: a domain for tests
language: en
personas: [a new colleague]
styles:
  plain: in one sentence
phrases:
  negations: [no, not, never]
"""

FAULTS = "faults:" + (shipped_root() / MODEL_DOMAIN / DOMAIN_FILE).read_text(encoding="utf-8").partition("\nfaults:")[2]
"""The shipped table, which every domain must have whole."""

ANSWERER = """---
description: answers
inputs: [passages, query]
max_tokens: 180
---
# System
You answer.

# User
{{passages}}

Query: {{query}}
"""

PREFIX = "---\ndescription: shared\n---\n# System\nYou help.\n# User\none?\n# Assistant\nno\n"


def enter_empty(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the folder the current one; returns the root of a user's own domains in it, which is not there yet."""
    monkeypatch.chdir(folder)
    monkeypatch.delenv("MTR_PROMPTS", raising=False)
    return folder / "prompts"


def write_domain(root: Path, name: str = "tiny", **files: str) -> Path:
    """A domain folder with an answerer; a keyword `judges__tone` is the file `judges/tone.md`."""
    folder = root / name
    (folder / "judges").mkdir(parents=True, exist_ok=True)
    (folder / "domain.yaml").write_text(SETTINGS + FAULTS, encoding="utf-8")
    for role, text in {"answerer": ANSWERER, **files}.items():
        (folder / f"{role.replace('__', '/')}.md").write_text(text, encoding="utf-8")
    return folder


def prompt(body: str, inputs: str = "[]", extra: str = "") -> str:
    """A prompt file: its header takes lines 1 to 4 plus those of `extra`."""
    return f"---\ndescription: x\ninputs: {inputs}\n{extra}---\n{body}"
