"""Judge by judge: heat maps, the means without judges who wrote the items, and whether places draw choices."""

from mtr.evaluation.audit_records import AuditSummary, CriterionSummary, JudgePositions, JudgeSummary
from mtr.evaluation.positions import LEVEL
from mtr.evaluation.report.numbers import NOT_MEASURED, counted, of, spoken, unit_of
from mtr.evaluation.report.reasons import criterion_of, why_not, why_not_judge
from mtr.evaluation.report.tables import Cell, Section, Table, mean_cell, not_measured
from mtr.verdicts import COMPLETENESS

TOGETHER = "all, tallied"


def judges_section(summary: AuditSummary) -> Section:
    """Judge × criterion."""
    return Section(key="judges", title="Judge by judge", tables=(judge_table(summary),))


def judge_table(summary: AuditSummary, title: str = "") -> Table:
    """The heat map judge × criterion, with the tally as its last row."""
    names = dict.fromkeys([*summary.judges, *(row.judge for one in summary.criteria for row in one.judges)])
    rows = [(Cell(text=name), *(_judge_cell(one, name) for one in summary.criteria)) for name in names]
    together = [
        mean_cell(one.mean, unit_of(one.reply), why_not(one, one.criterion), heat=True) for one in summary.criteria
    ]
    return Table(
        title=title,
        columns=("judge", *(spoken(one.criterion) for one in summary.criteria)),
        rows=(*rows, (Cell(text=TOGETHER), *together)),
        note="Below each mean: its 95 % interval, and turns measured of turns asked.",
    )


def _judge_cell(one: CriterionSummary, name: str) -> Cell:
    found = next((row for row in one.judges if row.judge == name), None)
    if found is None:
        return not_measured(why_not(one, one.criterion) if not one.mean.asked else "this judge was not asked")
    return mean_cell(found.mean, unit_of(one.reply), why_not_judge(found), heat=True, more=_trouble(found))


def _trouble(one: JudgeSummary) -> str:
    counts = {"abstained": one.abstained, "unreadable": one.unreadable, "on own family's turns": one.wrote}
    return ", ".join(f"{count:,} {words}" for words, count in counts.items() if count)


def writers_section(summary: AuditSummary) -> Section:
    """The means with and without judges whose family wrote the turn."""
    touched = [one for one in summary.criteria if one.without_writers is not None]
    known = "No verdict came from a judge whose family is known to have written the turn."
    return Section(
        key="writers",
        title="With and without judges who wrote the items",
        text=() if touched else (known,),
        tables=(_writers(touched),) if touched else (),
    )


def _writers(touched: list[CriterionSummary]) -> Table:
    rows = []
    for one in touched:
        unit = unit_of(one.reply)
        without = one.without_writers
        nobody = "no judge is left who did not write the turns"
        rows.append(
            (
                Cell(text=spoken(one.criterion)),
                mean_cell(one.mean, unit, why_not(one, one.criterion)),
                not_measured(nobody) if without is None else mean_cell(without, unit, nobody),
                Cell(text=f"{sum(row.wrote for row in one.judges):,}"),
            )
        )
    return Table(
        columns=("criterion", "with all judges", "without those who wrote the turn", "verdicts of those who wrote it"),
        rows=tuple(rows),
    )


def positions_section(summary: AuditSummary) -> Section:
    """Whether a judge's choices lean to a place among the candidates."""
    if not summary.positions:
        one = criterion_of(summary, COMPLETENESS)
        reason = why_not(one, COMPLETENESS) if one is None or one.mean.mean is None else "no choice was recorded"
        text: tuple[str, ...] = (f"Choices by place were {NOT_MEASURED}: {reason}.",)
    else:
        text = (
            f"A judge is flagged when its choices lie further from the expected ones than chance gives (p < {LEVEL}).",
        )
    return Section(
        key="positions",
        title="Do choices lean to a place?",
        text=text,
        tables=(_positions(summary),) if summary.positions else (),
    )


def _positions(summary: AuditSummary) -> Table:
    return Table(
        columns=("judge", "flag", "choices measured", "gold chosen", "chosen / expected, by place", "statistic", "p"),
        rows=tuple(_position_row(one) for one in summary.positions),
    )


def _position_row(one: JudgePositions) -> tuple[Cell, ...]:
    test = one.test
    places = " · ".join(f"{count:,} / {hope:.1f}" for count, hope in zip(test.counts, test.expected, strict=True))
    nothing = not_measured("no choice was made")
    return (
        Cell(text=one.judge),
        _flag(one),
        Cell(text=of(test.measured, test.asked)),
        Cell(text=of(test.hits, test.measured)) if test.measured else nothing,
        Cell(text=places) if places else nothing,
        nothing if test.statistic is None else Cell(text=f"{test.statistic:.2f}"),
        nothing if test.p_value is None else Cell(text=f"{test.p_value:.4f}"),
    )


def _flag(one: JudgePositions) -> Cell:
    test = one.test
    if test.p_value is None:
        return not_measured("no choice was made")
    if not test.flagged:
        return Cell(text="no lean found")
    if test.favoured is None:
        return Cell(text="leans on places")
    count, hope = test.counts[test.favoured], test.expected[test.favoured]
    return Cell(text=f"leans to place {test.favoured + 1}", small=(f"{counted(count, 'choice')}, {hope:.1f} expected",))
