"""The sections of a RAG report on systems: scores beside retrieval, coverage, refusals, what answers took."""

from collections.abc import Iterator

from mtr.evaluation.audit_records import CriterionSummary
from mtr.evaluation.intervals import Share
from mtr.evaluation.rag import ArmFigures, RagSummary
from mtr.evaluation.report.numbers import NOT_MEASURED, counted, interval_of, number, of, unit_of
from mtr.evaluation.report.rag_words import k_words, named, reasons_words
from mtr.evaluation.report.tables import Cell, Section, Table, dots, mean_cell, not_measured

_RETRIEVAL = {"R": "context recall", "nDCG": "nDCG", "MRR": "MRR"}


def systems_section(summary: RagSummary) -> Section:
    """Every system at every k: right answers, the scores, and the retrieval of the same turns."""
    criteria = [one.criterion for one in summary.arms[0].criteria] if summary.arms else []
    columns = ("system", "k", "right answers", *map(named, criteria), *_RETRIEVAL.values())
    text = (
        "Scores of 1 to 5 are means over the answers that were judged; a refusal is judged by nobody. 95 % intervals "
        "by resampling whole conversations. Context recall is the share of a turn's gold among what was retrieved.",
    )
    made = tuple(f"{one.name}: {one.description}" for one in summary.systems)
    tables = (Table(columns=columns, rows=tuple(map(_row, summary.arms))),)
    return Section(key="systems", title="Systems", text=text, tables=tables, items=made)


def _row(arm: ArmFigures) -> tuple[Cell, ...]:
    why = reasons_words(arm.not_retrieved)
    return (
        Cell(text=arm.system),
        Cell(text=k_words(arm.k)),
        _right(arm.right),
        *map(_score, arm.criteria),
        *(mean_cell(arm.retrieval[name], "share", why) for name in _RETRIEVAL),
    )


def _right(share: Share) -> Cell:
    if share.share is None:
        return not_measured("no answer is decided")
    small = (interval_of(share, "share"), of(share.count, share.measured))
    return Cell(text=number(share.share, "share"), small=small, dots=dots(share, "share"))


def _score(one: CriterionSummary) -> Cell:
    return mean_cell(one.mean, unit_of(one.reply), reasons_words(one.unasked) or "no verdict")


def coverage_section(summary: RagSummary) -> Section:
    """How much each score rests on: asked, measured, abstentions, splits, agreement, and why not."""
    columns = ("system", "k", "criterion", "measured", "unreadable", "abstained", "splits", "alpha", "not asked")
    rows = [row for arm in summary.arms for row in _coverage(arm)]
    text = "What a turn lacks leaves a score null, with the reason. Alpha is Krippendorff's, for two judges or more."
    tables = (Table(columns=columns, rows=tuple(rows)),)
    return Section(key="coverage", title="What the scores rest on", text=(text,), tables=tables)


def _coverage(arm: ArmFigures) -> Iterator[tuple[Cell, ...]]:
    for one in arm.criteria:
        alpha = one.agreement.alpha if one.agreement else None
        yield (
            Cell(text=arm.system),
            Cell(text=k_words(arm.k)),
            Cell(text=named(one.criterion)),
            Cell(text=of(one.mean.measured, arm.turns)),
            Cell(text=f"{one.unreadable:,}"),
            Cell(text=f"{one.abstained:,}"),
            Cell(text=f"{one.splits:,}"),
            Cell(text=NOT_MEASURED if alpha is None else f"{alpha:.2f}"),
            Cell(text=reasons_words(one.unasked), prose=True),
        )


def refusals_section(summary: RagSummary) -> Section:
    """Answers that decline, right and wrong."""
    columns = (
        "system", "k", "refused", "rightly", "wrongly", "unanswerable turns answered", "not known", "no answer"
    )  # fmt: skip
    said = f"The set says of {counted(summary.unanswerable, 'turn')} of {summary.turns:,} that nothing answers them"
    text = f"{said}; there a refusal is right. Elsewhere it is wrong, also where no gold was retrieved."
    tables = (Table(columns=columns, rows=tuple(map(_refusals, summary.arms))),)
    return Section(key="refusals", title="Refusals", text=(text,), tables=tables)


def _refusals(arm: ArmFigures) -> tuple[Cell, ...]:
    one = arm.refusals
    lost = reasons_words(arm.no_answer)
    numbers = (one.refused, one.right, one.refused - one.right, one.answered_unanswerable, one.unknown)
    return (
        Cell(text=arm.system),
        Cell(text=k_words(arm.k)),
        *(Cell(text=f"{count:,}") for count in numbers),
        Cell(text=f"{arm.turns - arm.answered:,}", small=(lost,) if lost else ()),
    )


def cost_section(summary: RagSummary) -> Section:
    """What answers took, by k."""
    columns = ("system", "k", "tokens an answer", "counted", "seconds an answer", "usd in all")
    text = (
        "Of the calls that wrote the answers, as they were paid for: retrieval, query rewriting, reranking and judges "
        "are not among them. rag.json has all that was used. Tokens and dollars of your own systems are what they say."
    )
    tables = (Table(columns=columns, rows=tuple(map(_cost, summary.arms))),)
    return Section(key="cost", title="What answers took", text=(text,), tables=tables)


def _cost(arm: ArmFigures) -> tuple[Cell, ...]:
    cost = arm.cost
    return (
        Cell(text=arm.system),
        Cell(text=k_words(arm.k)),
        Cell(text=NOT_MEASURED if cost.tokens is None else f"{cost.tokens:,.0f}"),
        Cell(text=of(cost.counted, arm.turns)),
        Cell(text=NOT_MEASURED if cost.seconds is None else f"{cost.seconds:.2f}"),
        Cell(text=NOT_MEASURED if cost.usd is None else f"${cost.usd:.4f}"),
    )
