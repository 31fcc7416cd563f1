"""Texts of others inside a prompt: fenced so that none can close its fence, the same bytes for the same texts."""

from collections.abc import Sequence
from hashlib import sha256


def passage_block(passages: Sequence[tuple[str, str]]) -> str:
    """Fence (label, text) pairs, each with a tag that carries eight digits of its own sha256.

    A tag is drawn again until it occurs in none of the labels and texts, so no document can hold its own fence nor
    another's. The same passages are the same bytes, and so are the first of them before more: ledger and prefix cache
    still hit.
    """
    if not passages:
        raise ValueError("passage_block needs at least one passage")
    everything = "\x1f".join(f"{label}\x1e{text}" for label, text in passages)
    tags = [_unused_tag(f"{label}\x1e{text}", everything) for label, text in passages]
    return "\n\n".join(_fenced(f"passage-{tag}", *passage) for tag, passage in zip(tags, passages, strict=True))


def fenced_text(name: str, text: str) -> str:
    """Any other text that is data, between tags of that name, as safe as a passage."""
    return _fenced(f"{name}-{_unused_tag(text, text)}", "", text)


def _unused_tag(seed: str, everything: str) -> str:
    tag = _tag(seed)
    while tag in everything:
        seed += tag
        tag = _tag(seed)
    return tag


def _tag(seed: str) -> str:
    return sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _fenced(name: str, label: str, text: str) -> str:
    opening = f"<{name}> {' '.join(label.split())}".rstrip()
    return f"{opening}\n{text}\n</{name}>"
