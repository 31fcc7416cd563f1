"""Where the data set is strong and weak: means by turn number, by move and by subset."""

from mtr.evaluation.audit_records import AuditSummary, CriterionSummary, Group
from mtr.evaluation.report.numbers import NOT_MEASURED, Unit, interval_of, number, of, spoken, unit_of
from mtr.evaluation.report.reasons import why_not_group
from mtr.evaluation.report.tables import Cell, Section, Table, dots, not_measured


def breakdown_sections(summary: AuditSummary) -> tuple[Section, ...]:
    """A section for each way to group the turns; one that the data set does not know says so."""
    return (
        _section("turns", "By turn number", "turn", [(one, one.by_turn) for one in summary.criteria]),
        _section("moves", "By move", "move", [(one, one.by_move) for one in summary.criteria]),
        _section("subsets", "By subset", "subset", [(one, one.by_subset) for one in summary.criteria]),
    )


def _section(key: str, title: str, column: str, groups: list[tuple[CriterionSummary, tuple[Group, ...]]]) -> Section:
    tables = tuple(_table(one, rows, column) for one, rows in groups if rows)
    missing = f"Not measured: the turns judged name no {column}." if not tables else ""
    return Section(key=key, title=title, text=(missing,) if missing else (), tables=tables, side_by_side=True)


def _table(one: CriterionSummary, groups: tuple[Group, ...], column: str) -> Table:
    return Table(
        title=spoken(one.criterion),
        columns=(column, "mean", "95 % interval", "turns measured"),
        rows=tuple(_row(group, unit_of(one.reply)) for group in groups),
    )


def _row(group: Group, unit: Unit) -> tuple[Cell, ...]:
    mean = group.mean
    measured = Cell(text=of(mean.measured, mean.asked))
    if mean.mean is None:
        nothing = not_measured(why_not_group(mean.asked))
        return (Cell(text=spoken(group.name)), nothing, Cell(text=NOT_MEASURED), measured)
    value = Cell(text=number(mean.mean, unit), dots=dots(mean, unit))
    return (Cell(text=spoken(group.name)), value, Cell(text=interval_of(mean, unit)), measured)
