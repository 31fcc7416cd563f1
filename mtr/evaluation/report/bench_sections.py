"""The sections of a benchmark's report. Scores go from 0 to 1 and are written with four decimals."""

from collections.abc import Iterator

from mtr.evaluation.benchmark import SHOWN_MISSED, BenchSummary, SystemFigures
from mtr.evaluation.intervals import Mean
from mtr.evaluation.report.bench_verdict import best_system, main_comparison
from mtr.evaluation.report.numbers import NOT_MEASURED, counted, of
from mtr.evaluation.report.tables import Cell, Dots, Section, Table
from mtr.evaluation.report.verdict import facts, verdict
from mtr.evaluation.significance import PairTest

CEILING = "all gold that the corpus holds"
ORDER = (
    "Passages stand by score as a 32-bit float, then by id, both descending, as trec_eval has it. A judged turn that a "
    "system was not asked or found nothing for counts 0."
)
SHOWN_PAIRS = 40
LONGEST_QUERY = 300
"""Characters of a query in a list of turns."""


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
    for metric in summary.metrics:
        mean = system.figures.means[metric]
        at = mean.mean if metric == summary.metric else None
        drawn = None if at is None else Dots(at=at, low=mean.low, high=mean.high)
        yield mean_cell(mean).model_copy(update={"dots": drawn})


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
    small += [f"{of(left.count, left.asked)} left as they were by {left.stage}, reply unreadable"
              for left in system.unreadable]  # fmt: skip
    small += [f"{one.search} found {one.share:.4f} of the {one.k} nearest" for one in system.recalls]
    return Cell(text=of(figures.judged - figures.missing, figures.judged), small=tuple(small))


def pairs_section(summary: BenchSummary) -> Section:
    """Paired tests under the main metric, and what the set tells apart under each."""
    title = "Are they different?"
    compared, best = main_comparison(summary), best_system(summary).name
    if compared is None:
        return Section(key="pairs", title=title, text=("One system alone has nothing to be compared with.",))
    columns = ("first − second", f"difference in {summary.metric}", "standardised", "p", "p after Holm")
    order = sorted(compared.pairs, key=lambda one: (best not in {one.first, one.second}, one.p_holm))
    left_out = len(order) - SHOWN_PAIRS
    pairs = Table(
        columns=columns,
        rows=tuple(map(_pair, order[:SHOWN_PAIRS])),
        note=f"{counted(left_out, 'more pair')} in summary.json." if left_out > 0 else "",
    )
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
            "method. Standardised: mean of the differences over their standard deviation. Pairs with the best system "
            "come first.",
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


def missed_section(summary: BenchSummary) -> Section:
    """Turns whose gold no system ranks at all."""
    count = of(len(summary.missed), summary.turns)
    text = f"For {count} turns no system ranks any gold among its best {summary.k}."
    items = [f"{one.query_id}, turn {one.turn}: {_cut(one.query)}" for one in summary.missed[:SHOWN_MISSED]]
    if len(summary.missed) > SHOWN_MISSED:
        items.append(f"and {len(summary.missed) - SHOWN_MISSED:,} more, in summary.json")
    return Section(key="missed", title="Missed by every system", text=(text,), items=tuple(items))


def _cut(query: str) -> str:
    return query if len(query) <= LONGEST_QUERY else f"{query[:LONGEST_QUERY]} …"


def audit_section(summary: BenchSummary) -> Section:
    """What the set's audit says, or that there is none."""
    key, title, audit = "audit", "How far can the set be trusted?", summary.audit
    if audit is None:
        known = "Not audited: nobody has judged whether the gold answers, and whether other passages answer as well."
        return Section(key=key, title=title, text=(known,))
    text = [verdict(audit)]
    if audit.turns_of != summary.turns_of:
        text.append(
            f"The audit is of a set of {counted(audit.turns_of, 'turn')}, this one has {summary.turns_of:,}: it may be "
            "of another version."
        )
    rows = tuple((Cell(text=one.name), Cell(text=one.text, small=one.small, dots=one.dots)) for one in facts(audit))
    return Section(key=key, title=title, text=tuple(text), tables=(Table(columns=("audited", "found"), rows=rows),))


def notes_section(summary: BenchSummary) -> Section:
    """What the data set lacks, and what everything was made with."""
    versions = ", ".join(f"{name} {version}" for name, version in summary.versions.items())
    items = (*summary.notes, f"best {summary.k} passages kept; seed {summary.seed}", versions)
    return Section(key="notes", title="Notes", items=items)
