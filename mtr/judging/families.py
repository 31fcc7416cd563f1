"""Whether a judge may have written what it judges: the same model, or one of its family."""

import re
from collections.abc import Sequence

_FAMILY = re.compile(r"[a-z]+")
_VENDORS = re.compile(r"^(?:[\w.-]+/)+")


def family(model: str) -> str:
    """The first word of a model's own name: `openai/gpt-4o-mini` is of `gpt`, `local/qwen2.5-coder-1.5b` of `qwen`."""
    name = _VENDORS.sub("", model.casefold())
    found = _FAMILY.search(name)
    return found.group() if found else name


def wrote(judge: str, writers: Sequence[str]) -> bool:
    """Whether one of the writers is of the judge's family."""
    return family(judge) in {family(writer) for writer in writers}
