"""The prompt library: domains are folders of Markdown files, rendered afresh at each use. Knows no model."""

from mtr.prompts.folders import domains, roles
from mtr.prompts.passages import fenced_text, passage_block
from mtr.prompts.records import DomainSettings, Fault, Message, PromptHeader, RenderedPrompt
from mtr.prompts.rendering import load_domain, prompt_hashes, prompt_header, prompt_text, render

__all__ = [
    "DomainSettings",
    "Fault",
    "Message",
    "PromptHeader",
    "RenderedPrompt",
    "domains",
    "fenced_text",
    "load_domain",
    "passage_block",
    "prompt_hashes",
    "prompt_header",
    "prompt_text",
    "render",
    "roles",
]
