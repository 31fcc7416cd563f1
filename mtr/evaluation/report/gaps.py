"""What was not measured, and why; and what the data set's adapter noted."""

from collections.abc import Iterator

from mtr.evaluation.audit_records import AuditSummary, CriterionSummary
from mtr.evaluation.report.numbers import counted, of, spoken
from mtr.evaluation.report.tables import Cell, Section, Table


def gaps_section(summary: AuditSummary) -> Section:
    """Every turn that a criterion lacks, by its reason."""
    rows = tuple(row for one in summary.criteria for row in _rows(one, summary.turns))
    return Section(
        key="gaps",
        title="What was not measured, and why",
        text=() if rows else ("Every criterion was measured on every turn judged.",),
        tables=(Table(columns=("criterion", "turns", "why"), rows=rows),) if rows else (),
    )


def notes_section(summary: AuditSummary) -> Section:
    """The notes of the data set."""
    none = ("The data set's adapter noted nothing.",)
    return Section(key="notes", title="Notes on the data set", text=() if summary.notes else none, items=summary.notes)


def _rows(one: CriterionSummary, turns: int) -> Iterator[tuple[Cell, ...]]:
    name = Cell(text=spoken(one.criterion))
    for reason, count in sorted(one.unasked.items(), key=lambda row: (-row[1], row[0])):
        yield name, Cell(text=of(count, turns)), Cell(text=f"not asked: {reason}")
    lost = one.mean.asked - one.mean.measured
    if lost:
        why = f"asked without a result: {counted(one.abstained, 'abstention')}, {counted(one.ties, 'unbroken tie')}"
        yield name, Cell(text=of(lost, turns)), Cell(text=f"{why} in all")
