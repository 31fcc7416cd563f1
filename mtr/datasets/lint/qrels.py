"""Rules about judgements: pairs judged twice, grades below 0, and twins of a gold passage that are not marked."""

from collections import Counter
from collections.abc import Collection, Iterator
from functools import partial
from itertools import islice

from mtr.datasets.lint.finding import Hit, Rule
from mtr.datasets.lint.material import Material
from mtr.datasets.lint.rows import QrelRow

_NAMED = 3


def _judged_twice(material: Material, *, other_grade: bool) -> Iterator[Hit]:
    first: dict[tuple[str, str], QrelRow] = {}
    for row in material.qrels:
        before = first.setdefault((row.query_id, row.passage_id), row)
        if before is row or (before.grade != row.grade) != other_grade:
            continue
        line = "" if before.place.line is None else f" in {before.place.file}:{before.place.line}"
        grades = f"{before.grade}, here {row.grade}" if other_grade else str(row.grade)
        yield Hit(row.place, row.query_id, f"passage {row.passage_id!r} is judged{line} already, with grade {grades}")


def _negative(material: Material) -> Iterator[Hit]:
    for row in material.qrels:
        if row.grade < 0:
            yield Hit(row.place, row.query_id, f"passage {row.passage_id!r} has the grade {row.grade}; 0 is the lowest")


def _unmarked_twins(material: Material) -> Iterator[Hit]:
    """A finding for each query and text: the gold's text stands under other ids, which are not gold of this query."""
    key_of = {row.passage_id: row.key for row in material.passages}
    for query_id, rows in material.gold.items():
        marked = {row.passage_id: row for row in rows}
        groups = Counter(key for key in map(key_of.get, marked) if key is not None)
        told: set[bytes] = set()
        for row in marked.values():
            key = key_of.get(row.passage_id)
            if key is None or key in told or len(material.ids_by_text[key]) == groups[key]:
                continue
            told.add(key)
            group = material.ids_by_text[key]
            twins = _named(group, marked)
            more = len(group) - groups[key] - len(twins)
            others = ", ".join(map(repr, twins)) + (f" and {more} more" if more > 0 else "")
            yield Hit(row.place, query_id, f"gold {row.passage_id!r} has the text of {others}, not marked gold")


def _named(group: list[str], marked: Collection[str]) -> list[str]:
    """The first few that are not marked; a text under thousands of ids is not read to its end."""
    return list(islice((passage_id for passage_id in group if passage_id not in marked), _NAMED))


QREL_RULES = (
    Rule(
        "qrel-conflict",
        "error",
        "a passage judged twice for a query, with two grades",
        partial(_judged_twice, other_grade=True),
    ),
    Rule("qrel-repeat", "warning", "a passage judged twice for a query", partial(_judged_twice, other_grade=False)),
    Rule("qrel-negative", "warning", "a grade below 0", _negative),
    Rule("gold-twin", "warning", "a gold passage's text under other ids that are not marked gold", _unmarked_twins),
)
