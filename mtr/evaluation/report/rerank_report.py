"""The rerank study as Markdown and HTML: what is gained, by query type and move, and the clearest turns with texts."""

from collections.abc import Iterator, Sequence

from mtr.datasets.records import AnyTurn, Dataset, Said
from mtr.evaluation.intervals import Mean
from mtr.evaluation.report.bench_sections import mean_cell
from mtr.evaluation.report.html_page import contents, html_page
from mtr.evaluation.report.html_sections import html_section
from mtr.evaluation.report.markdown import page, section_lines
from mtr.evaluation.report.markup import tag
from mtr.evaluation.report.numbers import counted, of
from mtr.evaluation.report.tables import Cell, Section, Table
from mtr.evaluation.reranking import Moved, Outcome, RerankedGroup, RerankedTurn, RerankStudy, clearest
from mtr.judging.showing import cut

LONGEST_PASSAGE, LONGEST_MESSAGE, MESSAGES = 500, 160, 4
"""Characters shown of a passage and of a message, and last messages of a history."""

TITLES: dict[Outcome, str] = {
    "mended": "Mended",
    "spoiled": "Spoiled",
    "not_mended": "Not mended, though gold was there",
    "out_of_reach": "Out of reach: no reranker can",
}
_COLUMNS = ("before", "after", "after − before", "best order")


def rerank_markdown(study: RerankStudy, dataset: Dataset, cases: int) -> str:
    """The study as Markdown, with at most so many turns of each kind."""
    return page(_title(study), list(_lead(study)), section_lines(_sections(study, dataset, cases)))


def rerank_html(study: RerankStudy, dataset: Dataset, cases: int) -> str:
    """The same as one HTML file."""
    sections = _sections(study, dataset, cases)
    return html_page(
        _title(study),
        tag("header", tag("h1", _title(study)), *(tag("p", one, class_="verdict") for one in _lead(study))),
        contents([(section.key, section.title) for section in sections]),
        tag("main", *(html_section(section) for section in sections)),
    )


def _title(study: RerankStudy) -> str:
    return f"What does reranking the top {study.depth} do? {study.system}"


def _lead(study: RerankStudy) -> Iterator[str]:
    whole, turns = study.whole, len(study.turns)
    yield (
        f"{study.metric} is {_mean(whole.before)} before reranking and {_mean(whole.after)} after it, on "
        f"{counted(turns, 'turn')} of {counted(whole.before.clusters, 'conversation')}; the difference is "
        f"{_signed(whole.difference)}. The best order of the same {study.depth} passages would reach "
        f"{_mean(whole.best)}."
    )
    yield (
        f"Of {turns:,} turns {len(study.of('mended')):,} were mended and {len(study.of('spoiled')):,} spoiled; "
        f"{len(study.of('kept')):,} stayed, with no better order to be found; {len(study.of('not_mended')):,} were not "
        f"mended, though a better order was there; and for {len(study.of('out_of_reach')):,} no gold is among the best "
        f"{study.depth} of {study.base}: no reranker can mend those."
    )


def _mean(mean: Mean) -> str:
    return "not measured" if mean.mean is None else f"{mean.mean:.4f}"


def _signed(mean: Mean) -> str:
    if mean.mean is None:
        return "not measured"
    if mean.low is None or mean.high is None:
        return f"{mean.mean:+.4f}"
    return f"{mean.mean:+.4f} (95 % interval {mean.low:+.4f} to {mean.high:+.4f})"


def _sections(study: RerankStudy, dataset: Dataset, cases: int) -> list[Section]:
    tables = [Table(columns=("", "turns", *_COLUMNS), rows=(_group(study.whole),))]
    for by, groups in study.groups.items():
        tables.append(Table(title=f"By {by}", columns=(by, "turns", *_COLUMNS), rows=tuple(map(_group, groups))))
    text = (
        f"Before: {study.base}. After: the best {study.depth} of it in the order of {study.system}, the others below "
        "as they were. 95 % intervals by resampling whole conversations; a turn that was not asked counts 0."
    )
    first = Section(key="scores", title=f"{study.metric} before and after", text=(text,), tables=tuple(tables))
    return [first, *(_cases(study, dataset, outcome, cases) for outcome in TITLES)]


def _group(group: RerankedGroup) -> tuple[Cell, ...]:
    means = (group.before, group.after, group.difference, group.best)
    return Cell(text=group.name), Cell(text=f"{group.before.asked:,}"), *map(mean_cell, means)


def _cases(study: RerankStudy, dataset: Dataset, outcome: Outcome, cases: int) -> Section:
    turns = {turn.query_id: turn for turn in dataset.turns}
    shown = clearest(study, outcome, cases, dataset.passages)
    count = len(study.of(outcome))
    text = f"{of(count, len(study.turns))} turns" + (f"; the clearest {len(shown)}:" if shown else ".")
    tables = tuple(_case(study, dataset, turns[one.query_id], one) for one in shown)
    return Section(key=outcome, title=TITLES[outcome], text=(text,), tables=tables)


def _case(study: RerankStudy, dataset: Dataset, turn: AnyTurn, one: RerankedTurn) -> Table:
    move = f", {turn.move.replace('_', ' ')}" if turn.move else ""
    rows = [("query", turn.query), ("said before", _history(turn.history))]
    rows += [(_place(gold), _passage(dataset, gold.passage_id)) for gold in one.gold]
    rows += [("first before", _first(dataset, one, one.first_before))]
    rows += [("first after", _first(dataset, one, one.first_after))]
    change = f"{study.metric} {one.before:.4f} → {one.after:.4f}, best order {one.best:.4f}"
    return Table(
        title=f"{one.query_id}, turn {turn.turn}{move}: {change}",
        columns=("", "text"),
        rows=tuple((Cell(text=name), Cell(text=text, prose=True)) for name, text in rows),
    )


def _history(history: Sequence[Said]) -> str:
    said = [f"{one.speaker}: {cut(' '.join(one.text.split()), LONGEST_MESSAGE)}" for one in history[-MESSAGES:]]
    left_out = [f"({counted(len(history) - MESSAGES, 'message')} before)"] if len(history) > MESSAGES else []
    return " / ".join([*left_out, *said]) or "nothing"


def _place(gold: Moved) -> str:
    grade = "" if gold.grade == 1 else f", grade {gold.grade}"
    if gold.before is None:
        return f"gold{grade}, not ranked"
    return f"gold{grade}, place {gold.before} → {gold.after}"


def _first(dataset: Dataset, one: RerankedTurn, passage_id: str | None) -> str:
    if passage_id is None:
        return "nothing was ranked"
    if any(gold.passage_id == passage_id for gold in one.gold):
        return f"{passage_id}, the gold"
    return _passage(dataset, passage_id)


def _passage(dataset: Dataset, passage_id: str) -> str:
    passage = dataset.passages.get(passage_id)
    if passage is None:
        return f"{passage_id}, not in the corpus"
    title = " › ".join(dict.fromkeys(part for part in (passage.title, passage.heading) if part))
    text = cut(" ".join(passage.text.split()), LONGEST_PASSAGE)
    return f"{passage_id}{f', {title}' if title else ''}: {text}"
