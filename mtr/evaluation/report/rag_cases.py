"""The section of the four cases: was gold retrieved, is the answer right; a table and examples for each system."""

from collections.abc import Iterator, Mapping

from mtr.evaluation.rag import ArmFigures, Case, CaseName, Example, RagSummary
from mtr.evaluation.report.numbers import counted
from mtr.evaluation.report.rag_words import best_arms, k_words, named
from mtr.evaluation.report.tables import Cell, Section, Table

_BLAME: Mapping[CaseName, str] = {
    "found, right": "as it should be",
    "found, wrong": "generation: gold was there and the answer is wrong",
    "not found, wrong": "retrieval: no gold was there to answer from",
    "not found, right": "unmarked gold, or what the model knows by itself",
}
_SHOWN: tuple[CaseName, ...] = ("found, wrong", "not found, wrong", "not found, right", "found, right")
"""The order of examples: what went wrong first."""


def cases_sections(summary: RagSummary) -> Iterator[Section]:
    """The counts of every system and k; then examples of each system at its best k."""
    columns = ("system", "k", *_BLAME, "undecided")
    text = (
        "Found: at least one gold passage is among what was retrieved. Refusals stand in brackets. Undecided: no gold "
        "is marked, or what was retrieved or whether the answer is right is not known."
    )
    meaning = tuple(f"{name}: {words}" for name, words in _BLAME.items())
    table = Table(columns=columns, rows=tuple(map(_row, summary.arms)))
    yield Section(key="cases", title="Retrieval or generation?", text=(text,), tables=(table,), items=meaning)
    for number, arm in enumerate(best_arms(summary), 1):
        tables = tuple(_example(case, one) for name in _SHOWN for case in _cases(arm, name) for one in case.examples)
        if tables:
            yield Section(key=f"examples-{number}", title=f"Examples of {arm.name}", tables=tables)


def _cases(arm: ArmFigures, name: CaseName) -> list[Case]:
    return [one for one in arm.cases if one.name == name]


def _row(arm: ArmFigures) -> tuple[Cell, ...]:
    counts = (case for name in _BLAME for case in _cases(arm, name))
    return Cell(text=arm.system), Cell(text=k_words(arm.k)), *map(_count, counts), Cell(text=f"{arm.undecided:,}")


def _count(case: Case) -> Cell:
    return Cell(text=f"{case.count:,}", small=(counted(case.refused, "refusal"),) if case.refused else ())


def _example(case: Case, one: Example) -> Table:
    scores = ", ".join(
        f"{named(name)} {'–' if score is None else f'{score:.1f}'}" for name, score in one.scores.items()
    )
    rows = [
        ("query", one.query),
        ("answer", one.answer or "none"),
        ("reference", one.reference or "none"),
        ("gold", ", ".join(one.gold)),
        ("retrieved", ", ".join(one.retrieved) or "nothing"),
        ("scores", scores),
    ]
    return Table(
        title=f"{case.name}: {one.query_id}",
        columns=("", "text"),
        rows=tuple((Cell(text=name), Cell(text=text, prose=True)) for name, text in rows),
    )
