"""Texts of others inside a prompt: fenced so that none can close its fence, the same bytes for the same texts."""

from collections.abc import Sequence
from hashlib import sha256


def passage_block(passages: Sequence[tuple[str, str]]) -> str:
    """Fence (label, text) pairs with tags that carry eight digits of the passages' sha256.

    The tag is drawn again until it occurs in no label or text, so a document cannot hold its own fence, and a request
    made twice is the same request: ledger and prefix cache still hit.
    """
    if not passages:
        raise ValueError("passage_block needs at least one passage")
    tag = _unused_tag("\x1f".join(f"{label}\x1e{text}" for label, text in passages))
    return "\n\n".join(_fenced(f"passage-{tag}", label, text) for label, text in passages)


def fenced_text(name: str, text: str) -> str:
    """Any other text that is data, between tags of that name, as safe as a passage."""
    return _fenced(f"{name}-{_unused_tag(text)}", "", text)


def _unused_tag(content: str) -> str:
    seed, tag = content, _tag(content)
    while tag in content:
        seed += tag
        tag = _tag(seed)
    return tag


def _tag(seed: str) -> str:
    return sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _fenced(name: str, label: str, text: str) -> str:
    opening = f"<{name}> {' '.join(label.split())}".rstrip()
    return f"{opening}\n{text}\n</{name}>"
