"""Facts: the sentences of a passage that a query can be about, best first.

A small model asked to "write a query about this passage" asks about its topic; given one sentence it asks about that
sentence. So the sentence is chosen here, by code, by what makes a statement worth asking for.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from mtr.corpus.blocks import Block, outline
from mtr.corpus.markup import shown
from mtr.corpus.sentences import sentence_spans
from mtr.prompts import DomainSettings
from mtr.records import Passage, Record, Span
from mtr.seeding import seeded
from mtr.words import any_of, contains, identifiers, is_dense, length, numbers, tokens

_SHORTEST, _LONGEST = 9.0, 55.0
_SIGNATURE = re.compile(r"\w\(")
_CODE_LIKE = re.compile(r"::=|>>>|[{}<>=]{2,}|\||\w = \w")
_STEP = re.compile(r"\s*(?:\d+[.)]|\[\d+\])\s")
_LIST_BULLET = re.compile(r"^\s*(?:[-*•+]|\d+[.)]|\[\d+\])\s+")
_WRAP = re.compile(r"(?<=\w)-\n\s*(?=\w)|\s+")
_PAIRS = (("(", ")"), ("[", "]"), ("（", "）"), ("“", "”"), ("「", "」"), ("《", "》"))
_NEAR_ENOUGH = 3
_LEAST_SALIENCE = 0.5
_STEP_WEIGHS = 0.8
_CUED = 0.7


class Fact(Record):
    """One sentence of a passage: `span` counts in the passage's text, `text` is it as the model sees it.

    `opening` is how a query about it may well begin, empty when the domain has no cue for it.
    """

    passage_id: str
    span: Span
    text: str
    topic: str
    context: str = ""
    opening: str = ""


def readable(text: str) -> str:
    """The text on one line, as a model reads it best: words joined over line ends, no markup."""
    return " ".join(shown(_WRAP.sub(lambda match: "-" if match.group().startswith("-") else " ", text)).split())


def facts_of(passage: Passage, settings: DomainSettings, seed: int) -> tuple[Fact, ...]:
    """The facts of a passage, most telling first; the seed varies the order among near equals."""
    noise = seeded(seed, passage.passage_id, "facts")
    weighed = [(salience, 0.8 * noise.random(), fact) for salience, fact in _weighed(passage, settings)]
    scored = [(salience + more, fact) for salience, more, fact in weighed if fact is not None]
    return tuple(fact for _, fact in sorted(scored, key=lambda row: -row[0]))


@lru_cache(maxsize=2048)
def _weighed(passage: Passage, settings: DomainSettings) -> tuple[tuple[float, Fact | None], ...]:
    """The salience of each sentence, and its fact, None where it tells too little; the same whatever the seed."""
    spans = sentence_spans(passage.text, prose_only=True)
    return tuple(_weighed_sentence(passage, spans, number, settings) for number in range(len(spans)))


def _weighed_sentence(
    passage: Passage, spans: Sequence[Span], number: int, settings: DomainSettings
) -> tuple[float, Fact | None]:
    fact = _fact(passage, spans, number, settings)
    salience = _salience(fact, settings) - (_STEP_WEIGHS if _is_step(passage, fact.span) else 0.0)
    return salience, fact if salience >= _LEAST_SALIENCE and _tells(fact, settings) else None


@lru_cache(maxsize=4096)
def topic_of(passage: Passage, offset: int = 0) -> str:
    """Title and nearest heading above the offset, without repeating one in the other."""
    title = readable(passage.title)
    heading = readable(_heading_above(passage.text, offset) or _heading_over(passage, offset))
    if not heading or heading.casefold() in title.casefold():
        return title or heading
    return heading if title.casefold() in heading.casefold() else f"{title} - {heading}"


def _fact(passage: Passage, spans: Sequence[Span], number: int, settings: DomainSettings) -> Fact:
    span = spans[number]
    text = readable(_LIST_BULLET.sub("", passage.text[span.start : span.end]))
    before = ""
    if number > 0 and _points_back(text, settings):
        previous = spans[number - 1]
        near = passage.text[previous.end : span.start].count("\n") < _NEAR_ENOUGH
        before = readable(passage.text[previous.start : previous.end]) if near else ""
    return Fact(
        passage_id=passage.passage_id,
        span=span,
        text=text,
        topic=topic_of(passage, span.start),
        context=before,
        opening=next((opening for cue, opening in settings.openings.items() if _cued(text, cue, settings)), ""),
    )


def _cued(text: str, cue: str, settings: DomainSettings) -> bool:
    if cue[0] == "!":
        orders = _begins_with(_main_clause(text, settings), settings.words("orders"))
        return orders and (cue == "!" or contains(text, cue[1:].strip()))
    return cue == "*" or bool(numbers(text) if cue == "#" else contains(text, cue))


def _main_clause(text: str, settings: DomainSettings) -> str:
    """What follows the condition that a sentence begins with; the sentence where it begins with none."""
    clause, _, rest = text.replace("，", ",").partition(",")
    return rest.strip() if rest and _begins_with(clause, settings.words("conditions")) else text


def _points_back(text: str, settings: DomainSettings) -> bool:
    return _begins_with(text, settings.words("pointing"))


def _begins_with(text: str, words: Sequence[str]) -> bool:
    start = text[:40].casefold()
    found = (word for word in words if start.startswith(word))
    return any(is_dense(word) or not start[len(word) :][:1].isalpha() for word in found)


def _tells(fact: Fact, settings: DomainSettings) -> bool:
    text = fact.text
    starts_well = is_dense(text) or text[0].isupper() or text[0].isdigit() or text[0] in "`*“'"
    return (
        _SHORTEST <= length(text) <= _LONGEST
        and starts_well
        and text[-1] in ".!。！…」”'`)）*]"
        and not set("?？") & set(text)
        and _balanced(text)
        and not _CODE_LIKE.search(text)
        and sum(map(str.isalpha, text)) + text.count(" ") >= 0.8 * len(text)
        and (not _points_back(text, settings) or fact.context != "")
        and not any(text.casefold().startswith(skipped) for skipped in settings.words("skipped"))
        and not any_of(text, settings.words("referring"))
    )


def _balanced(text: str) -> bool:
    return all(text.count(opening) == text.count(closing) for opening, closing in _PAIRS)


def _salience(fact: Fact, settings: DomainSettings) -> float:
    text = fact.text
    score = sum(0.6 for phrase in settings.words("salient") if contains(text, phrase))
    score += 0.5 * min(len(numbers(text)) + len(identifiers(text)), 3)
    score += _CUED if fact.opening and fact.opening != settings.openings.get("*") else 0.0
    score -= sum(0.8 for phrase in settings.words("weak") if phrase in text.casefold())
    score -= 0.03 * max(len(tokens(text)) - 30, 0)
    return min(score, 3.5)


def _is_step(passage: Passage, span: Span) -> bool:
    """A numbered step leans on the steps before it: what it speaks of is often named there alone."""
    return bool(_STEP.match(passage.text[span.start : span.end]))


def _heading_over(passage: Passage, offset: int) -> str:
    """The passage's own heading; none where the text before the offset has left the signature that it is."""
    if not _SIGNATURE.search(passage.heading):
        return passage.heading
    blocks = [block for block in outline(passage.text) if block.start <= offset]
    own = next((n for n, b in enumerate(blocks) if b.kind == "signature" and b.label == passage.heading), None)
    if own is None:
        return passage.heading if _stays_under(blocks, blocks[0].indent - 1) else ""
    return passage.heading if _stays_under(blocks[own + 1 :], blocks[own].indent) else ""


def _heading_above(text: str, offset: int) -> str:
    """The last heading before the offset, or the signature that the text at the offset describes."""
    blocks = [block for block in outline(text) if block.start <= offset]
    for number in range(len(blocks) - 1, -1, -1):
        block = blocks[number]
        if block.kind == "heading" and block.end <= offset:
            return text[block.start : block.end].split("\n", 1)[0].strip("# ")
        below = blocks[number + 1 :]
        if block.kind == "signature" and below and _stays_under(below, block.indent):
            return block.label
    return ""


def _stays_under(blocks: Sequence[Block], indent: int) -> bool:
    """Whether the blocks describe the signature that stands before them at this indent: none goes back to it."""
    return all(block.indent > indent for block in blocks)
