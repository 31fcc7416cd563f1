"""Several audits side by side: data set × criterion, and judge × criterion for each."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mtr.evaluation.audit_records import AuditSummary
from mtr.evaluation.report.criteria import SCALED, claims_cell, scaled_cell
from mtr.evaluation.report.guide import guide_section
from mtr.evaluation.report.html_page import contents, html_page
from mtr.evaluation.report.html_sections import html_section
from mtr.evaluation.report.judges import judge_table
from mtr.evaluation.report.markdown import page, section_lines
from mtr.evaluation.report.markup import tag
from mtr.evaluation.report.numbers import counted, listed, of, spoken, unit_of
from mtr.evaluation.report.reasons import criterion_of, why_not
from mtr.evaluation.report.tables import Cell, Section, Table, dots, mean_cell, not_measured
from mtr.evaluation.report.verdict import facts
from mtr.verdicts import COMPLETENESS, CRITERIA

TITLE = "Audits side by side"


def comparison_markdown(summaries: Sequence[AuditSummary]) -> str:
    """The comparison as Markdown."""
    return page(TITLE, _lead(summaries), section_lines(comparison_sections(summaries)))


def comparison_html(summaries: Sequence[AuditSummary]) -> str:
    """The comparison as one HTML file."""
    sections = comparison_sections(summaries)
    lead = [tag("p", paragraph, class_="verdict") for paragraph in _lead(summaries)]
    return html_page(
        TITLE,
        tag("header", tag("h1", TITLE), *lead),
        contents([(section.key, section.title) for section in sections]),
        tag("main", *(html_section(section) for section in sections)),
    )


def comparison_sections(summaries: Sequence[AuditSummary]) -> tuple[Section, ...]:
    """What both writers show."""
    names = _names(summaries)
    return (
        Section(key="heat", title="Data set by criterion", tables=(_heat(summaries, names),)),
        Section(key="gold", title="The gold", tables=(_gold(summaries, names),)),
        Section(
            key="intervals",
            title="Criterion by criterion",
            tables=tuple(_by_criterion(summaries, names, one) for one in _criteria(summaries)),
            side_by_side=True,
        ),
        Section(
            key="judges",
            title="Judge by criterion",
            tables=tuple(judge_table(one, name) for one, name in zip(summaries, names, strict=True)),
        ),
        guide_section(),
    )


def _lead(summaries: Sequence[AuditSummary]) -> list[str]:
    audits = f"{counted(len(summaries), 'audit')}: {listed(_names(summaries))}."
    panels = {(one.judges, one.rule) for one in summaries}
    if len(panels) == 1:
        ((judges, rule),) = panels
        return [audits, f"All of them were judged by {listed(judges) or 'nobody'}, tallied by {rule}."]
    return [audits, "They differ in their judges or in the tally, so their means may differ for that reason alone."]


def _names(summaries: Sequence[AuditSummary]) -> tuple[str, ...]:
    """Names of the data sets, numbered where one comes more than once."""
    often, seen = Counter(one.dataset for one in summaries), Counter[str]()
    names = []
    for one in summaries:
        seen[one.dataset] += 1
        names.append(one.dataset if often[one.dataset] == 1 else f"{one.dataset} ({seen[one.dataset]})")
    return tuple(names)


def _criteria(summaries: Sequence[AuditSummary]) -> list[str]:
    found = dict.fromkeys(one.criterion for summary in summaries for one in summary.criteria)
    return sorted(found, key=lambda name: CRITERIA.index(name) if name in CRITERIA else len(CRITERIA))


def _heat(summaries: Sequence[AuditSummary], names: Sequence[str]) -> Table:
    criteria = _criteria(summaries)
    columns = ["data set"]
    for name in criteria:
        columns.append(f"{spoken(name)}, share" if name == COMPLETENESS else spoken(name))
        if name == COMPLETENESS:
            columns.append(f"{spoken(name)} {SCALED}")
    rows = [(Cell(text=name), *_heat_cells(one, criteria)) for one, name in zip(summaries, names, strict=True)]
    return Table(
        columns=tuple(columns),
        rows=tuple(rows),
        note="Below each mean: its 95 % interval, and turns measured of turns asked.",
    )


def _heat_cells(summary: AuditSummary, criteria: Sequence[str]) -> Iterator[Cell]:
    for name in criteria:
        yield _mean(summary, name, heat=True)
        if name == COMPLETENESS:
            yield scaled_cell(summary, heat=True)


def _mean(summary: AuditSummary, name: str, *, heat: bool = False) -> Cell:
    one = criterion_of(summary, name)
    if one is None:
        return not_measured(why_not(None, name))
    return mean_cell(one.mean, unit_of(one.reply), why_not(one, name), heat=heat)


def _by_criterion(summaries: Sequence[AuditSummary], names: Sequence[str], name: str) -> Table:
    rows = []
    for summary, dataset in zip(summaries, names, strict=True):
        one = criterion_of(summary, name)
        cell = _mean(summary, name)
        drawn = dots(one.mean, unit_of(one.reply)) if one else None
        rows.append((Cell(text=dataset), cell.model_copy(update={"dots": drawn})))
    return Table(title=spoken(name), columns=("data set", "mean, 95 % interval, turns measured"), rows=tuple(rows))


def _gold(summaries: Sequence[AuditSummary], names: Sequence[str]) -> Table:
    return Table(
        columns=(
            "data set",
            "gold that does not answer",
            "turns that miss evidence",
            "claims stated",
            "turns judged",
            "judges",
        ),
        rows=tuple(_gold_row(one, name) for one, name in zip(summaries, names, strict=True)),
    )


def _gold_row(summary: AuditSummary, name: str) -> tuple[Cell, ...]:
    noise, missing, _ = facts(summary)
    return (
        Cell(text=name, small=(f"layout {summary.layout}",)),
        *(Cell(text=fact.text, small=fact.small, dots=fact.dots) for fact in (noise, missing)),
        claims_cell(summary),
        Cell(text=of(summary.turns, summary.turns_of), small=(counted(summary.conversations, "conversation"),)),
        Cell(text=listed(summary.judges) or "nobody", small=(f"tallied by {summary.rule}",)),
    )
