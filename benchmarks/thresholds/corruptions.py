"""Answers made wrong by code: what an answer verifier must not let pass. Each returns None where it finds no hold."""

import re

from mtr.corpus.sentences import sentence_spans
from mtr.prompts import DomainSettings
from mtr.records import Passage
from mtr.words import is_dense, length

_DIGITS = re.compile(r"\d+")
_DENIALS = (
    (r"\bcannot\b", "can"),
    (r"\b(is|are|was|were|does|do|did|must|can|will|should|may|has|have)(?: not|n['’]t)\b", r"\1"),
    (r"\bnever\b", "always"),
    (r"\bwithout\b", "with"),
    (r"\bunless\b", "if"),
    ("(?:不|没|未)(?=[是能会可得有在被])", ""),
    ("从未", "曾经"),
)
_ASSERTIONS = (
    (r"\b(is|are|was|were|must|can|will|should|may|has|have)\b(?! not)", r"\1 not"),
    (r"\balways\b", "never"),
    (r"\b(?:only )?(?:when|if)\b", "unless"),
    (r"\bwith\b", "without"),
    ("(是|能|会|可以|在|被)", r"不\1"),
    ("有", "没有"),
)
_LEAST_WORDS = 6


def number_changed(answer: str) -> str | None:
    """The first number is another one."""
    found = _DIGITS.search(answer)
    if found is None:
        return None
    return f"{answer[: found.start()]}{int(found.group()) + 3}{answer[found.end() :]}"


def negation_flipped(answer: str) -> str | None:
    """What is denied is asserted, or the reverse."""
    for pattern, instead in (*_DENIALS, *_ASSERTIONS):
        changed, count = re.subn(pattern, instead, answer, count=1)
        if count:
            return changed
    return None


def sentence_added(answer: str, other: Passage, settings: DomainSettings) -> str | None:
    """A sentence of another passage stands behind it; the text is in the domain's language."""
    spans = sentence_spans(other.text, prose_only=True)
    sentences = (" ".join(other.text[span.start : span.end].split()) for span in spans)
    dense = settings.language in ("zh", "ja", "th")
    taken = next((text for text in sentences if length(text) >= _LEAST_WORDS and is_dense(text) == dense), None)
    return None if taken is None else f"{answer}{'' if dense else ' '}{taken}"
