"""The sections of a benchmark's report. Scores go from 0 to 1 and are written with four decimals."""

from collections.abc import Iterator, Sequence

from mtr.evaluation.benchmark import SHOWN_MISSED, BenchSummary, Breakdown, StageCost, SystemFigures
from mtr.evaluation.intervals import Mean
from mtr.evaluation.report.numbers import NOT_MEASURED, counted, of
from mtr.evaluation.report.tables import Cell, Section, Table
from mtr.evaluation.report.verdict import verdict
from mtr.evaluation.significance import PairTest
from mtr.progress import duration

CEILING = "all gold that the corpus holds"
ORDER = (
    "Passages stand by score as a 32-bit float, then by id, both descending, as trec_eval has it. A judged turn that a "
    "system was not asked or found nothing for counts 0."
)


def table_section(summary: BenchSummary) -> Section:
    """Every system by every metric, and how many turns it stands for."""
    rows = [(Cell(text=one.name), *_means(one, summary), _measured(one)) for one in summary.systems]
    text = [f"95 % intervals by resampling whole conversations. {ORDER}"]
    if summary.ceiling is not None:
        lost = summary.ceiling.gold - summary.ceiling.present
        text.append(
            f"{of(lost, summary.ceiling.gold)} gold passages are not in the corpus, so that no system can reach 1; "
            "the last row is what a perfect ranking would score."
        )
        best = (Cell(text=f"{summary.ceiling.means[metric]:.4f}") for metric in summary.metrics)
        rows.append((Cell(text=CEILING), *best, Cell(text="")))
    columns = ("system", *summary.metrics, "turns answered")
    return Section(key="table", title="Systems", text=tuple(text), tables=(Table(columns=columns, rows=tuple(rows)),))


def _means(system: SystemFigures, summary: BenchSummary) -> Iterator[Cell]:
    return (mean_cell(system.figures.means[metric]) for metric in summary.metrics)


def mean_cell(mean: Mean) -> Cell:
    """A score with its interval."""
    if mean.mean is None:
        return Cell(text=NOT_MEASURED)
    interval = () if mean.low is None or mean.high is None else (f"{mean.low:.4f} to {mean.high:.4f}",)
    return Cell(text=f"{mean.mean:.4f}", small=interval)


def _measured(system: SystemFigures) -> Cell:
    figures = system.figures
    small = []
    if system.without_query:
        small.append(f"{system.without_query} without such a query")
    if figures.missing > system.without_query:
        small.append(f"{figures.missing - system.without_query} found nothing")
    if system.unknown:
        small.append(f"{counted(system.unknown, 'passage')} unknown to the corpus")
    return Cell(text=of(figures.judged - figures.missing, figures.judged), small=tuple(small))


def pairs_section(summary: BenchSummary) -> Section:
    """Paired tests under the main metric, and what the set tells apart under each."""
    title = "Are they different?"
    compared = next((one for one in summary.comparisons if one.metric == summary.metric), None)
    if compared is None:
        return Section(key="pairs", title=title, text=("One system alone has nothing to be compared with.",))
    columns = ("first − second", f"difference in {summary.metric}", "standardised", "p", "p after Holm")
    pairs = Table(columns=columns, rows=tuple(_pair(one) for one in sorted(compared.pairs, key=lambda one: one.p_holm)))
    told = [
        (Cell(text=one.metric), Cell(text=of(power.told_apart, power.pairs)), Cell(text=f"{power.gap:.4f}"),
         Cell(text=power.best), Cell(text=power.worst))
        for one in summary.comparisons if (power := one.discrimination) is not None
    ]  # fmt: skip
    power_columns = ("metric", "pairs told apart", "gap", "best", "worst")
    return Section(
        key="pairs",
        title=title,
        text=(
            "Two-sided paired permutation tests that flip whole conversations, corrected for all pairs by Holm's "
            "method. Standardised: mean of the differences over their standard deviation.",
        ),
        tables=(pairs, Table(title="Discriminative power", columns=power_columns, rows=tuple(told))),
    )


def _pair(test: PairTest) -> tuple[Cell, ...]:
    effect = NOT_MEASURED if test.standardised is None else f"{test.standardised:.2f}"
    return (
        Cell(text=f"{test.first} − {test.second}"),
        mean_cell(test.difference),
        Cell(text=effect),
        Cell(text=f"{test.p:.4f}"),
        Cell(text=f"{test.p_holm:.4f}"),
    )


def breakdown_sections(summary: BenchSummary) -> Iterator[Section]:
    """The main metric by groups of turns."""
    for one in summary.breakdowns:
        table = _breakdown(one, [system.name for system in summary.systems])
        yield Section(key=one.by, title=f"{summary.metric} by {one.by}", tables=(table,))


def _breakdown(breakdown: Breakdown, systems: Sequence[str]) -> Table:
    rows = []
    for group in breakdown.groups:
        turns = next(iter(group.means.values())).asked
        rows.append((Cell(text=group.name), Cell(text=f"{turns:,}"), *(mean_cell(group.means[one]) for one in systems)))
    return Table(columns=(breakdown.by, "turns", *systems), rows=tuple(rows))


def missed_section(summary: BenchSummary) -> Section:
    """Turns whose gold no system ranks at all."""
    count = of(len(summary.missed), summary.turns)
    text = f"For {count} turns no system ranks any gold among its best {summary.k}."
    items = [f"{one.query_id}, turn {one.turn}: {one.query}" for one in summary.missed[:SHOWN_MISSED]]
    if len(summary.missed) > SHOWN_MISSED:
        items.append(f"and {len(summary.missed) - SHOWN_MISSED:,} more, in summary.json")
    return Section(key="missed", title="Missed by every system", text=(text,), items=tuple(items))


def audit_section(summary: BenchSummary) -> Section:
    """What the set's audit says, or that there is none."""
    text = "Not audited." if summary.audit is None else verdict(summary.audit)
    return Section(key="audit", title="How far can the set be trusted?", text=(text,))


def cost_section(summary: BenchSummary) -> Section:
    """Time, calls, tokens and money of each stage, each once, as they were when it ran."""
    stages = {cost.stage: cost for system in summary.systems for cost in system.costs}
    columns = ("stage", "time", "items", "per item", "calls", "replayed", "tokens", "usd")
    table = Table(columns=columns, rows=tuple(map(_cost, stages.values())))
    text = "A call that was answered from the ledger is replayed: it took no time worth counting and costs nothing."
    return Section(key="cost", title="Time and money", text=(text,), tables=(table,))


def _cost(cost: StageCost) -> tuple[Cell, ...]:
    each = "" if not cost.items else f"{1000 * cost.seconds / cost.items:.2f} ms"
    time = duration(cost.seconds) if cost.seconds >= 10 else f"{cost.seconds:.2f} s"
    known = (
        f"{cost.calls:,}",
        f"{cost.replayed:,}",
        NOT_MEASURED if cost.tokens is None else f"{cost.tokens:,}",
        NOT_MEASURED if cost.usd is None else f"${cost.usd:.4f}",
    )
    return tuple(Cell(text=text) for text in (cost.stage, time, f"{cost.items:,}", each, *known))


def notes_section(summary: BenchSummary) -> Section:
    """What the data set lacks, and what everything was made with."""
    versions = ", ".join(f"{name} {version}" for name, version in summary.versions.items())
    items = (*summary.notes, f"best {summary.k} passages kept; seed {summary.seed}", versions)
    return Section(key="notes", title="Notes", items=items)
