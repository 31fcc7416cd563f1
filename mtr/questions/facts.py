"""What a passage holds to ask about: its sentences, and where it has none, the rows of its tables."""

import re
from collections.abc import Sequence

from mtr.corpus.blocks import outline
from mtr.corpus.facts import Fact, facts_of, readable, topic_of
from mtr.prompts import DomainSettings
from mtr.records import Passage, Span
from mtr.seeding import seeded
from mtr.words import contains, identifiers, length, numbers

_ROW = re.compile(r"^[ \t]*\|(.+)\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"[\s|:+=-]*")
_NAME = re.compile(r"(?<=[\w,;)] )[A-Z]\w+|[《「“](.+?)[》」”]")
_SHORTEST, _LONGEST = 3.0, 55.0
_TELLING = 2


def askable_facts(passage: Passage, settings: DomainSettings, seed: int) -> tuple[Fact, ...]:
    """The facts of the passage, specific ones first, else best first; empty for one of code or of headings alone."""
    found = facts_of(passage, settings, seed) or _row_facts(passage, settings, seed)
    return tuple(sorted(found, key=lambda fact: -min(specifics(fact), _TELLING)))


def specifics(fact: Fact) -> int:
    """Numbers, names of code and proper names of the fact that its topic lacks: what one right answer can consist of.

    A sentence without any is mostly advice, and a query about it is as loose as the sentence.
    """
    names = {match.group() for match in _NAME.finditer(fact.text)}
    found = names | numbers(fact.text) | identifiers(fact.text)
    return sum(not contains(fact.topic, one) for one in found)


def _row_facts(passage: Passage, settings: DomainSettings, seed: int) -> tuple[Fact, ...]:
    """Rows of one line each, in seeded order, each cell behind its head; wrapped cells read as nonsense.

    They are asked for as any fact is: without an opening small models say the row again.
    """
    found: list[Fact] = []
    opening = settings.openings.get("*", "")
    for block in outline(passage.text):
        table = passage.text[block.start : block.end]
        if block.kind != "table" or "+-" in table or "+=" in table:
            continue
        rows = [match for match in _ROW.finditer(table) if not _RULE.fullmatch(match.group())]
        headed = len(rows) > 1 and any(_RULE.fullmatch(line) for line in table.split("\n")[1:2])
        heads = _cells(rows[0]) if headed else []
        for row in rows[1:] if headed else rows:
            text = _told(heads, _cells(row))
            if _SHORTEST <= length(text) <= _LONGEST:
                start = block.start + row.start()
                span = Span(start=start, end=block.start + row.end())
                topic = topic_of(passage, start)
                fact = Fact(passage_id=passage.passage_id, span=span, text=text, topic=topic, opening=opening)
                found.append(fact)
    seeded(seed, passage.passage_id, "rows").shuffle(found)
    return tuple(found)


def _cells(row: re.Match[str]) -> list[str]:
    return [readable(cell) for cell in row.group(1).split("|")]


def _told(heads: Sequence[str], cells: Sequence[str]) -> str:
    """A row in words: its cells, each behind the head of its column where the table has one for each."""
    named = zip(heads, cells, strict=True) if len(heads) == len(cells) else (("", cell) for cell in cells)
    return "; ".join(f"{head}: {cell}" if head else cell for head, cell in named if cell)
