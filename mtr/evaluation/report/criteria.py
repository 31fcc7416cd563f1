"""The table of criteria: means, what was measured, what went wrong, how far the judges agree."""

from mtr.evaluation.audit_records import AuditSummary, CriterionSummary
from mtr.evaluation.report.numbers import counted, in_words, number, spoken, unit_of
from mtr.evaluation.report.reasons import (
    criterion_of,
    why_no_agreement,
    why_no_alpha,
    why_no_kappa,
    why_not,
)
from mtr.evaluation.report.tables import Cell, Section, Table, dots, in_one_line, mean_cell, not_measured
from mtr.verdicts import COMPLETENESS, FAITHFULNESS

SCALED = "as 1 + 4 × share, for comparison with the published 1–5 scale"
_REPLY = {"scale": "1 to 5", "claims": "1 to 5, by claim", "yes_no": "share of yes", "choice": "share of gold chosen"}


def criteria_section(summary: AuditSummary) -> Section:
    """Every criterion with its mean, its counts, and the agreement of its judges."""
    return Section(
        key="criteria",
        title="Criteria",
        text=(
            _sentence(f"{spoken(COMPLETENESS).capitalize()} {SCALED}", scaled_cell(summary)),
            _sentence("Claims of answers that are stated in the gold, by all judges", claims_cell(summary)),
        ),
        tables=(_means(summary), _agreement(summary)),
    )


def scaled_cell(summary: AuditSummary, *, heat: bool = False) -> Cell:
    """1 + 4 × share with the share's own interval, moved to the same scale."""
    one = next((row for row in summary.criteria if row.reply == "choice"), None)
    if one is None or summary.completeness_scaled is None:
        return not_measured(why_not(one, COMPLETENESS))
    low, high = (None if end is None else 1 + 4 * end for end in (one.mean.low, one.mean.high))
    moved = one.mean.model_copy(update={"mean": summary.completeness_scaled, "low": low, "high": high})
    return mean_cell(moved, "scale", "", heat=heat)


def _means(summary: AuditSummary) -> Table:
    return Table(
        title="Means",
        columns=(
            "criterion",
            "mean, 95 % interval, turns measured",
            "asks",
            "unreadable",
            "abstained",
            "ties",
            "splits",
            "adjudicated",
        ),
        rows=tuple(_mean_row(one) for one in summary.criteria),
        note="An ask is one thing put before every judge; replies that could not be read and abstentions are counted "
        "by judge, ties and splits by ask.",
    )


def _mean_row(one: CriterionSummary) -> tuple[Cell, ...]:
    unit = unit_of(one.reply)
    mean = mean_cell(one.mean, unit, why_not(one, one.criterion))
    counts = (one.asks, one.unreadable, one.abstained, one.ties, one.splits, one.adjudicated)
    return (
        criterion_cell(one),
        mean.model_copy(update={"dots": dots(one.mean, unit)}),
        *(Cell(text=f"{count:,}") for count in counts),
    )


def criterion_cell(one: CriterionSummary) -> Cell:
    """The name of a criterion with what its judges were asked."""
    return Cell(text=spoken(one.criterion), small=(f"{one.description} ({_REPLY[one.reply]})",))


def _agreement(summary: AuditSummary) -> Table:
    return Table(
        title="Agreement of the judges",
        columns=("criterion", "Krippendorff's alpha", "Fleiss' kappa", "raw: the same mark", "raw: within one step"),
        rows=tuple((Cell(text=spoken(one.criterion)), *_agreement_cells(one)) for one in summary.criteria),
        note="1 is full agreement and 0 that of chance. Raw agreement is the share of pairs of marks.",
    )


def _agreement_cells(criterion: CriterionSummary) -> tuple[Cell, ...]:
    one = criterion.agreement
    if one is None or not one.items:
        return (not_measured(why_no_agreement(criterion)),) * 4
    items = counted(one.items, "item")
    return (
        _cell(one.alpha, f"{one.level}, {items}", why_no_alpha(one)),
        _cell(one.kappa, counted(one.kappa_items, "item"), why_no_kappa(one)),
        _raw(one.exact, items, "no item has two marks"),
        _raw(one.within_one, items, "these marks have no steps" if one.level == "nominal" else "no item has two marks"),
    )


def _cell(value: float | None, small: str, reason: str) -> Cell:
    return not_measured(reason) if value is None else Cell(text=f"{value:.2f}", small=(small,))


def _raw(share: float | None, small: str, reason: str) -> Cell:
    if share is None:
        return not_measured(reason)
    return Cell(text=number(share, "share"), small=(small,))


def claims_cell(summary: AuditSummary) -> Cell:
    """The share of claims that are stated in the gold."""
    share = summary.claims
    if share is not None and share.share is not None:
        count = f"{share.count:,} of {counted(share.measured, 'claim')}"
        return Cell(text=number(share.share, "share"), small=(count, in_words(share, "share")))
    one = criterion_of(summary, FAITHFULNESS)
    measured = one is not None and one.mean.mean is not None
    return not_measured("the judges listed no claim" if measured else why_not(one, FAITHFULNESS))


def _sentence(name: str, cell: Cell) -> str:
    return f"{name}: {in_one_line(cell)}."
