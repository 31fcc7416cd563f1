"""Sample turns of any data set as text to read: history, query, answer, and the gold passages, cut."""

from collections.abc import Iterator

from mtr.datasets.records import AnyTurn, Dataset
from mtr.seeding import seeded
from mtr.transcript import field, printable, wrapped

_CUT = 400
_MOST_GOLD = 3
_MOST_SAID = 6


def sample_turns(dataset: Dataset, *, seed: int = 0, n: int = 3) -> tuple[AnyTurn, ...]:
    """Turns drawn by the seed, in the set's order; those with gold and a history come before others."""
    full = [turn for turn in dataset.turns if turn.gold and turn.history]
    gold = [turn for turn in dataset.turns if turn.gold and not turn.history]
    other = [turn for turn in dataset.turns if not turn.gold]
    draw = seeded(seed, "show", dataset.name)
    chosen: list[AnyTurn] = []
    for group in (full, gold, other):
        chosen += draw.sample(group, min(n - len(chosen), len(group)))
    places = {id(turn): place for place, turn in enumerate(dataset.turns)}
    return tuple(sorted(chosen, key=lambda turn: places[id(turn)]))


def turn_text(dataset: Dataset, turn: AnyTurn) -> str:
    """One turn; what the source does not say is named as not given."""
    return "\n".join(_lines(dataset, turn)) + "\n"


def _lines(dataset: Dataset, turn: AnyTurn) -> Iterator[str]:
    head = [f"turn {turn.turn}", turn.query_id, *([turn.subset] if turn.subset else [])]
    yield printable(" · ".join(head)).replace("\n", " ")
    if len(turn.history) > _MOST_SAID:
        yield field("history", f"({len(turn.history) - _MOST_SAID} earlier messages)")
    for said in turn.history[-_MOST_SAID:]:
        yield field(said.speaker, _cut(said.text))
    yield field("query", turn.query)
    yield field("standalone", turn.standalone_query or "(not given)")
    answer = "(not given)" if turn.answer is None else _cut(turn.answer)
    yield field("answer", f"{answer} (said to be unanswerable)" if turn.answerable is False else answer)
    for gold in turn.gold[:_MOST_GOLD]:
        yield _gold(dataset, gold.passage_id, gold.grade)
    if len(turn.gold) > _MOST_GOLD:
        yield field("gold", f"(and {len(turn.gold) - _MOST_GOLD} more)")
    if not turn.gold:
        yield field("gold", "(none)")


def _gold(dataset: Dataset, passage_id: str, grade: int) -> str:
    passage = dataset.passages.get(passage_id)
    name = f"{passage_id}, grade {grade}"
    if passage is None:
        return field("gold", f"{name} (not in the corpus)")
    title = " › ".join(part for part in (passage.title, passage.heading) if part)
    return field("gold", f"{name}  {title}".rstrip()) + "\n" + wrapped(_cut(passage.text.strip()), "      │ ")


def _cut(text: str) -> str:
    return text if len(text) <= _CUT else text[:_CUT].rstrip() + " …"
