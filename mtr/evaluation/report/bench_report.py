"""`report.md` of a benchmark: the best system, the table, what is told apart, where systems are strong and weak."""

from collections.abc import Iterator

from mtr.evaluation.benchmark import BenchSummary
from mtr.evaluation.report.bench_sections import (
    audit_section,
    breakdown_sections,
    cost_section,
    missed_section,
    notes_section,
    pairs_section,
    table_section,
)
from mtr.evaluation.report.markdown import page, section_lines
from mtr.evaluation.report.numbers import counted, of


def bench_markdown(summary: BenchSummary) -> str:
    """The report as Markdown."""
    sections = [
        table_section(summary),
        pairs_section(summary),
        *breakdown_sections(summary),
        missed_section(summary),
        audit_section(summary),
        cost_section(summary),
        notes_section(summary),
    ]
    return page(f"Which system finds the gold of {summary.dataset}?", list(_lead(summary)), section_lines(sections))


def _lead(summary: BenchSummary) -> Iterator[str]:
    best = max(summary.systems, key=lambda one: one.figures.means[summary.metric].mean or 0.0)
    mean = best.figures.means[summary.metric].mean
    yield (
        f"{best.name} is best by {summary.metric}, {mean:.4f}, of {counted(len(summary.systems), 'system')} on "
        f"{of(summary.turns, summary.judged)} judged turns of {counted(summary.conversations, 'conversation')}, "
        f"each ranked among {_searched(summary)}."
    )
    compared = next((one for one in summary.comparisons if one.metric == summary.metric), None)
    if compared is not None and compared.discrimination is not None:
        power = compared.discrimination
        yield (
            f"The set tells {of(power.told_apart, power.pairs)} pairs of systems apart by {summary.metric} "
            f"(Holm-corrected p below {power.alpha}); between best and worst lie {power.gap:.4f}."
        )
    yield _trust(summary)


def _searched(summary: BenchSummary) -> str:
    if summary.parts:
        return f"the passages of its own subset ({', '.join(summary.parts)}; {summary.passages:,} in all)"
    return counted(summary.passages, "passage")


def _trust(summary: BenchSummary) -> str:
    if summary.audit is None:
        return "Not audited: how far the gold can be trusted is not known. `mtr audit` tells."
    return "The set was audited; its figures are below."
