"""Reports of benchmarks: the answer first, numbers and charts as in the summary, no text becomes HTML."""

import re
from pathlib import Path

import pytest
from support.audits import make_summary
from support.bench_summaries import THREE, make_bench, make_cost, make_system
from support.html_pages import ATTACK, Page, shown_by_a_browser

from mtr.evaluation.benchmark import BenchSummary, StageCost
from mtr.evaluation.intervals import Mean
from mtr.evaluation.latency import latencies
from mtr.evaluation.report.bench_charts import cutoff_chart, cutoffs_of, group_chart, latency_chart, seconds_text
from mtr.evaluation.report.bench_report import bench_html, bench_markdown
from mtr.evaluation.report.bench_verdict import not_told_apart
from mtr.evaluation.report.charts.drawing import svg_chart
from mtr.evaluation.report.charts.marks import DASHES, MARKERS, STYLES
from mtr.evaluation.report.charts.records import Chart
from mtr.evaluation.report.charts.scale import Scale, log_ticks, scale, ticks_from_zero

MANY = tuple(
    f"{first}·{second}" for first in ("bm25", "dense", "hybrid") for second in ("last_turn", "h:1", "h:2", "h:3")
)


def attacked() -> BenchSummary:
    """A summary every text of which attacks."""
    names = tuple(f"{name}{''.join(ATTACK.split())}" for name in THREE)
    found = make_bench(names, dataset=f"towers{ATTACK}", text=ATTACK)
    group = found.breakdowns[0].groups[0]
    subset = found.breakdowns[0].model_copy(
        update={"by": "subset", "groups": (group.model_copy(update={"name": ATTACK}),)}
    )
    return found.model_copy(
        update={"notes": (ATTACK,), "breakdowns": (*found.breakdowns, subset), "audit": make_summary(ATTACK)}
    )


def test_no_text_of_a_data_set_or_system_becomes_html() -> None:
    page = Page(bench_html(attacked()))
    assert {"script", "img", "iframe", "object", "embed", "link", "base", "form"}.isdisjoint(
        element for element, _ in page.elements
    )
    for _, attributes in page.elements:
        assert not [
            key for key in attributes if key.startswith("on") or key in {"src", "style", "srcset", "xlink:href"}
        ]
        assert attributes.get("href", "#").startswith("#")
    assert page.text.count("<script>alert(1)</script>") > 30
    assert "<" not in bench_markdown(attacked())


def test_a_page_asks_for_nothing_and_its_links_lead_somewhere() -> None:
    html = bench_html(make_bench())
    page = Page(html)
    assert "url(" not in html and "@import" not in html and "http://" not in html and "https://" not in html
    assert any("default-src 'none'" in attributes.get("content", "") for _, attributes in page.elements)
    links = [attributes["href"][1:] for element, attributes in page.elements if element == "a"]
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert links == ids == list(dict.fromkeys(ids)) and not any(" " in one for one in ids)
    assert {"turn", "move", "hard-switch", "length-of-the-query", "type-of-the-query", "subset", "latency"} < set(ids)


@pytest.mark.parametrize("audited", [False, True])
def test_the_first_screen_answers_what_a_reader_came_for(audited: bool) -> None:
    summary = make_bench(MANY).model_copy(update={"audit": make_summary() if audited else None})
    first = Page(bench_html(summary)).text.split("Systems Are they different?")[0].replace("\u00a0", " ")
    lead = bench_markdown(summary).split("\n## ")[0].replace("\u00a0", " ")
    best = max(summary.systems, key=lambda one: one.figures.means["nDCG@10"].mean or 0)
    alike = not_told_apart(summary)
    assert "Which system finds the gold of towers?" in first
    for text in (first, lead):
        assert f"{best.name} is best by nDCG@10, {best.figures.means['nDCG@10'].mean:.4f}, of 12 systems" in text
        assert f"perhaps as good: {alike[0]}, {alike[1]}, {alike[2]} and {len(alike) - 3} more." in text
        told = "gold that does not answer 7.7 %; turns that miss evidence 10.8 %" if audited else "not known; mtr audit"
        assert told in text
    assert f"{len(alike)} of 11" in first
    assert ("not audited" in first) is not audited
    assert ("24 of 310 gold passages" in first) is audited


def test_what_is_not_told_apart_are_pairs_with_the_best_above_alpha() -> None:
    summary = make_bench(MANY)
    (compared,) = (one for one in summary.comparisons if one.metric == "nDCG@10")
    assert compared.discrimination is not None
    best = compared.discrimination.best
    apart = {name for one in compared.pairs if one.p_holm < 0.05 and best in (one.first, one.second)
             for name in (one.first, one.second)} - {best}  # fmt: skip
    assert apart and set(not_told_apart(summary)) == set(MANY) - apart - {best}


def test_one_system_alone_and_an_audit_of_another_version_are_said() -> None:
    alone = make_bench(THREE[:1]).model_copy(update={"audit": make_summary()})
    for text in (Page(bench_html(alone)).text, bench_markdown(alone)):
        assert "One system alone has nothing to be compared with." in text
        assert "The audit is of a set of 1,204 turns, this one has 96" in text
    assert "not told apart" not in Page(bench_html(alone)).text


def test_everything_in_the_markdown_is_in_the_page() -> None:
    summary = make_bench(MANY)
    page, markdown = Page(bench_html(summary)), bench_markdown(summary)
    headings = re.findall(r"^##+ (.+)$", markdown, flags=re.MULTILINE)
    assert len(headings) > 14
    cells = {cell.split(" (")[0] for line in re.findall(r"^\| (.*) \|$", markdown, flags=re.MULTILINE)
             for cell in line.split(" | ")} - {"---", "---:", ""}  # fmt: skip
    items = re.findall(r"^- (.+)$", markdown, flags=re.MULTILINE)
    missing = [one for one in (*headings, *cells, *items) if one.replace("\\", "") not in page.text]
    assert missing == [] and len(cells) > 300


WAYS = ["turn", "move", "hard switch", "length of the query", "type of the query"]


def test_every_way_to_group_is_told_and_what_is_not_known_has_a_reason() -> None:
    summary = make_bench(language="de")
    known = {one.by for one in summary.breakdowns}
    assert known == set(WAYS) - {"type of the query"} and {one.by for one in make_bench().breakdowns} == set(WAYS)
    for text in (Page(bench_html(summary)).text, bench_markdown(summary)):
        assert "question words are known for these languages alone: en, zh" in text
        assert "Not measured: the data set names no subsets." in text
    (types,) = (one for one in make_bench().breakdowns if one.by == "type of the query")
    names = ["what, who, when, where", "how", "why", "comparison", "yes or no", "other"]
    assert [(one.name, one.means[THREE[0]].asked) for one in types.groups] == [(name, 16) for name in names]


def charts_of(summary: BenchSummary) -> dict[str, Chart]:
    """Every chart of the report, by what its section is called."""
    found = {one.by: group_chart(summary, one) for one in summary.breakdowns if one.by in {"turn", "hard switch"}}
    found |= {measure: cutoff_chart(summary, measure, cutoffs) for measure, cutoffs in cutoffs_of(summary)}
    latency = latency_chart(summary, latencies(summary.systems))
    assert latency is not None
    return {**found, "latency": latency}


def means_of(summary: BenchSummary, chart: str, system: str) -> list[Mean]:
    """What a chart should show of a system, from left to right."""
    if chart == "latency":
        return [next(one for one in summary.systems if one.name == system).figures.means[summary.metric]]
    if chart == "R":
        means = next(one for one in summary.systems if one.name == system).figures.means
        return [means[f"R@{cutoff}"] for cutoff in (1, 5, 20)]
    return [group.means[system] for one in summary.breakdowns if one.by == chart for group in one.groups]


@pytest.mark.parametrize("chart", ["turn", "hard switch", "R", "latency"])
def test_charts_stand_where_the_summary_says(chart: str) -> None:
    """The places in the drawing are turned back into numbers by the ticks that are written beside it."""
    summary = make_bench()
    drawn = svg_chart(charts_of(summary)[chart])
    ticks = re.findall(r'y="([\d.]+)" dy="0.32em" class="tick end">([\d.]+)<', drawn)
    (low, least), (high, most) = ((float(y), float(text)) for y, text in (ticks[0], ticks[-1]))

    def number(y: str) -> float:
        return least + (float(y) - low) / (high - low) * (most - least)

    groups = re.findall(r'<g class="series s(\d)">(.*?</g>)</g>', drawn)
    assert [int(style) for style, _ in groups] == [0, 1, 2]
    for (_, body), system in zip(groups, THREE, strict=True):
        points = re.findall(
            r"<g><title>(.*?)</title><path d=\"M[\d.]+ ([\d.]+)V([\d.]+)M.*?translate\([\d.]+ ([\d.]+)\)", body
        )
        means = means_of(summary, chart, system)
        assert len(points) == len(means)
        for (words, bottom, top, place), mean in zip(points, means, strict=True):
            assert [number(bottom), number(top), number(place)] == pytest.approx(
                [mean.low, mean.high, mean.mean], abs=0.0002
            )
            assert words.startswith(system) and f": {mean.mean:.4f} ({mean.low:.4f} to {mean.high:.4f}), " in words
        if len(means) > 1:
            line = re.findall(r'<polyline points="([^"]+)"', body)[0].split()
            assert [one.split(",")[1] for one in line] == [place for *_, place in points]


def test_the_page_draws_four_kinds_of_charts_with_legends() -> None:
    page = Page(bench_html(make_bench()))
    labels = [
        attributes["aria-label"] for element, attributes in page.elements if element == "svg" and "role" in attributes
    ]
    assert [label.split(":")[0] for label in labels] == [
        "R by cutoff",
        "nDCG@10 by turn",
        "nDCG@10 by hard switch",
        "Latency against quality",
    ]
    assert sum(attributes.get("class") == "swatch" for _, attributes in page.elements) == 4 * len(THREE)


def test_with_many_systems_charts_show_the_best_and_say_so() -> None:
    summary = make_bench(MANY)
    for chart in charts_of(summary).values():
        assert [one.name for one in chart.series] == list(MANY[-STYLES:])
        assert chart.note.startswith("Shown: the 8 best of 12 systems by nDCG@10; the table has them all.")
    text = Page(bench_html(summary)).text
    assert "26 more pairs in summary.json." in text
    assert "Shown:" not in Page(bench_html(make_bench())).text


def test_styles_are_told_apart_without_colour() -> None:
    assert len(set(MARKERS)) == len(set(DASHES)) == STYLES


def test_measures_with_one_cutoff_have_no_chart() -> None:
    assert cutoffs_of(make_bench()) == (("R", (1, 5, 20)),)
    one = make_bench(metrics=("nDCG@10", "MAP", "R@5"))
    assert cutoffs_of(one) == () and "Score by cutoff" not in bench_markdown(one)


FIRST, FUNNEL = "dense·last_turn", "dense·last_turn·llm:house/m@20"
BASE = (make_cost("queries last_turn", 0.96), make_cost("index dense", 99.0), make_cost("retrieve x a", 9.6))


@pytest.mark.parametrize(
    ("rerank", "seconds", "usd", "estimated"),
    [
        (make_cost("rerank x 1", 96.0, calls=900, tokens=9, usd=0.96), 1.11, 0.01, False),
        (make_cost("rerank x 1", 96.0, calls=300, replayed=600, tokens=9, usd=0.96), 3.11, 0.03, True),
        (make_cost("rerank x 1", 0.02, replayed=900), None, None, True),
        (make_cost("rerank x 1", 96.0, calls=900, tokens=None, usd=None), 1.11, None, False),
    ],
)
def test_a_query_takes_all_stages_but_the_index(
    rerank: StageCost, seconds: float | None, usd: float | None, estimated: bool
) -> None:
    figures = make_bench().systems[0].figures
    first, funnel = latencies([make_system(FIRST, figures, BASE), make_system(FUNNEL, figures, (rerank,))])
    assert (first.seconds, first.rerank, first.estimated) == (pytest.approx(0.11), 0.0, False)
    assert funnel.seconds == (None if seconds is None else pytest.approx(seconds))
    assert funnel.usd == (None if usd is None else pytest.approx(usd))
    assert funnel.estimated is estimated and funnel.retrieve == pytest.approx(0.1)


def test_a_system_whose_time_was_not_measured_is_in_the_table_only() -> None:
    summary = make_bench()
    last = summary.systems[2].model_copy(update={"costs": (make_cost("rerank x 1", 0.02, replayed=900),)})
    summary = summary.model_copy(update={"systems": (*summary.systems[:2], last)})
    chart = charts_of(summary)["latency"]
    assert [one.name for one in chart.series] == list(THREE[:2])
    assert [one.style for one in chart.series] == [0, 1]
    assert re.search(r"llm:house/m@20 \| 0\.\d{4} \(.*?\) \| not measured \|", bench_markdown(summary))


@pytest.mark.parametrize(
    ("highest", "texts"),
    [
        (1.0, "0 0.2 0.4 0.6 0.8 1"),
        (0.93, "0 0.2 0.4 0.6 0.8 1"),
        (0.3, "0 0.05 0.1 0.15 0.2 0.25 0.3"),
        (0.041, "0 0.01 0.02 0.03 0.04 0.05"),
        (0.0, "0 1"),
    ],
)
def test_ticks_are_round_and_reach_the_highest(highest: float, texts: str) -> None:
    assert " ".join(tick.text for tick in ticks_from_zero(highest)) == texts


@pytest.mark.parametrize(
    ("values", "texts"),
    [([0.013, 0.4], "0.01 0.02 0.05 0.1 0.2 0.5"), ([2.0], "2"), ([0.0003, 40.0], "0.0001 0.001 0.01 0.1 1 10 100")],
)
def test_logarithmic_ticks_enclose_the_values(values: list[float], texts: str) -> None:
    assert " ".join(tick.text for tick in log_ticks(values)) == texts


def test_scales_map_ends_to_ends() -> None:
    assert scale([1, 100, 10], 0, 200, log=True)(10) == 100
    assert [Scale(0, 4, 100, 20)(value) for value in (0, 1, 4)] == [100, 80, 20]
    assert scale([3], 0, 50)(3) == 25


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(123.4, "123 s"), (12.34, "12.3 s"), (1.234, "1.23 s"), (0.1234, "0.123 s"), (0.0123, "0.0123 s")],
)  # fmt: skip
def test_seconds_have_three_digits(seconds: float, text: str) -> None:
    assert seconds_text(seconds) == text


def test_a_browser_shows_it_without_a_network(tmp_path: Path) -> None:
    page = Page(shown_by_a_browser(bench_html(attacked()), tmp_path))
    kinds = [element for element, _ in page.elements]
    assert "script" not in kinds and "img" not in kinds and kinds.count("polyline") > 9
    assert "is best by nDCG@10" in page.text
