"""Reports show the records' numbers, and name what was not measured."""

import re
from functools import cache

import pytest
from support.audits import THREE, make_criterion, make_findings, make_mean, make_summary, make_texts, unmeasured_summary
from support.html_pages import Page

from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold, Said
from mtr.evaluation.audit_records import AuditSummary
from mtr.evaluation.report import audit_html, audit_markdown, comparison_html, comparison_markdown, texts_of
from mtr.evaluation.report.finding_texts import LONGEST
from mtr.evaluation.report.html_sections import heat_class
from mtr.evaluation.report.verdict import verdict
from mtr.verdicts import ALIGNMENT

VERDICT = (
    "24 of 310 gold passages (7.7 %, 95 % interval 5.7 to 9.7 %, 8 of 318 not measured) do not answer; "
    "31 of 287 turns (10.8 %, 95 % interval 8.8 to 12.8 %) miss evidence; "
    "the answers score 4.06 of 5 in faithfulness (95 % interval 3.96 to 4.16, 266 of 276 turns measured); "
    "300 of 1,204 turns (45 conversations) were judged by "
)


@pytest.mark.parametrize(
    ("summary", "sentence"),
    [
        (make_summary(), VERDICT + "3 judges, local/small, house/large and house/other, tallied by mean."),
        (
            make_summary(judges=("local/small",)),
            VERDICT + "one judge, local/small, so that agreement is not known.",
        ),
        (
            unmeasured_summary(),
            "That is not known: whether the gold answers was not measured (12 turns: the corpus holds no text); "
            "whether evidence is missing was not measured (evidence completeness was not among the criteria judged); "
            "how faithful the answers are was not measured (no result on any of 12 turns asked: 36 abstentions, "
            "0 unbroken ties); 12 of 12 turns (45 conversations) were judged by one judge, local/small, "
            "so that agreement is not known.",
        ),
    ],
)
def test_the_first_screen_says_what_a_reader_came_for(summary: AuditSummary, sentence: str) -> None:
    assert verdict(summary).replace("\u00a0", " ") == sentence
    page = Page(audit_html(summary, [], {}))
    assert page.text.index("How far can the gold of towers be trusted?") < page.text.index(sentence) < 400
    assert sentence in audit_markdown(summary, []).split("\n##")[0]


def test_what_was_measured_comes_before_what_was_not() -> None:
    told = verdict(make_summary(noise=None, criteria=make_summary().criteria[1:]))
    assert told.startswith("31 of 287 turns")
    assert "; whether the gold answers was not measured (query evidence alignment was not among" in told


def shown(kind: str, summary: AuditSummary) -> str:
    return Page(audit_html(summary, [], {})).text if kind == "html" else audit_markdown(summary, [])


SHOWN = [
    *("4.31", "4.21 to 4.41", "281 of 290"),  # the mean of alignment
    *("86.4 %", "76.4 to 96.4 %", "279 of 289"),  # completeness as a share
    *("4.46", "4.06 to 4.86"),  # and as 1 + 4 x share with its ends
    "for comparison with the published 1–5 scale",
    *("86.2 %", "777 of 901 claims"),
    *("1,301", "17", "19", "23", "29", "27"),
    *("0.61", "ordinal, 271 items", "0.53", "263 items", "71.8 %", "90.5 %", "these marks have no steps"),
    *("4.29", "280 of 290", "4.27", "279 of 290", "3 abstained, 2 unreadable, 2 on own family's turns"),
    *("101 of 102", "103 of 104", "follow up", "no result on any of 7 turns asked"),
    "the turns judged name no subset",
    *("leans to place 1", "57 choices, 20.4 expected", "no lean found", "57 / 20.4 · 2 / 20.3 · 1 / 19.3"),
    *("60 of 64", "22 of 60", "98.76", "0.0005", "0.9876"),
    *("277 of 290", "4.11 to 4.31"),  # without those who wrote the turns
    *("24 of 300", "300 of 300", "not asked: it has no answer", "9 of 300"),
    "The source names no answers for 24 turns.",
]


@cache
def shown_of_the_records(kind: str) -> str:
    """A whole report in which the choices have no steps to agree within."""
    nominal = make_summary().criteria[1]
    assert nominal.agreement is not None
    agreed = nominal.agreement.model_copy(update={"within_one": None})
    criteria = list(make_summary().criteria)
    criteria[1] = nominal.model_copy(update={"agreement": agreed})
    return shown(kind, make_summary(criteria=tuple(criteria)))


@pytest.mark.parametrize("kind", ["html", "markdown"])
@pytest.mark.parametrize("words", SHOWN)
def test_numbers_are_those_of_the_records(kind: str, words: str) -> None:
    assert re.search(rf"(?<![\d.,]){re.escape(words)}(?!\d)", shown_of_the_records(kind))


@pytest.mark.parametrize("kind", ["html", "markdown"])
def test_what_was_not_measured_is_named_with_its_reason(kind: str) -> None:
    found = shown(kind, unmeasured_summary())
    for reason in (
        "12 turns: the corpus holds no text",
        "no verdict on any of 12 turns asked: 3 abstentions",
        "fewer than two judges",
        "evidence completeness was not among the criteria judged",
    ):
        assert reason in found
    assert not re.search(r"\bNone\b|\bnan\b|\| +\|", found)
    assert "Not measured: the turns judged name no subset." in found


def test_one_conversation_has_no_interval_and_says_so() -> None:
    mean = make_mean(4.0, 3, 3).model_copy(update={"low": None, "high": None, "clusters": 1})
    found = audit_markdown(make_summary(criteria=(make_criterion(ALIGNMENT, "scale", mean, *THREE),)), [])
    assert "4.00 (no interval: fewer than two conversations; 3 of 3)" in found


def test_findings_stand_with_their_texts_folded_on_the_screen_and_open_in_print() -> None:
    findings = make_findings(30)
    page = Page(audit_html(make_summary(), findings, make_texts(findings), most=25))
    kinds = [element for element, _ in page.elements]
    assert kinds.count("details") == kinds.count("summary") == 25
    assert sum(attributes.get("class") == "texts print-only" for _, attributes in page.elements) == 20
    assert page.text.count("passage p3 words") == 2 and page.text.count("passage p24 words") == 1
    assert "Not marked passage q3 (this finding)" in page.text and "Gold passage p4 (this finding)" in page.text
    assert "Shown: 25 of 30." in page.text and "passage p25 words" not in page.text
    assert page.text.index("reason number 0") < page.text.index("reason number 1")


def test_a_finding_without_texts_says_so() -> None:
    page = Page(audit_html(make_summary(), make_findings(1), {}))
    assert "The texts of this turn are not at hand." in page.text


def test_texts_come_from_the_data_set_and_long_ones_are_cut() -> None:
    turn = AnyTurn(
        query_id="c1::1",
        conversation_id="c1",
        turn=1,
        query="how many?",
        history=tuple(Said(speaker="user", text=f"message {place}") for place in range(11)),
        gold=(Gold(passage_id="p1"), Gold(passage_id="gone")),
    )
    passages = {name: AnyPassage(passage_id=name, text="z" * (LONGEST + 1234)) for name in ("p1", "q1", "unused")}
    findings = make_findings(2)
    texts = texts_of(Dataset(name="d", layout="own", passages=passages, turns=(turn,)), findings)
    assert list(texts) == ["c1::1"] and set(texts["c1::1"].passages) == {"p1", "q1"}
    page = Page(audit_html(make_summary(), findings, texts))
    assert "z … (1,234 more characters)" in page.text and "z" * (LONGEST + 1) not in page.text
    assert "3 earlier messages are left out" in page.text and "message 2" not in page.text
    assert "Gold passage gone The data set holds no text of it." in page.text


def test_no_findings_is_said() -> None:
    for kind in ("html", "markdown"):
        assert "Nothing was found that a person should look at." in shown(kind, make_summary())


def test_comparison_shows_each_set_by_criterion_and_its_judges() -> None:
    other = make_summary("lakes", ("house/large",), noise=None, criteria=make_summary().criteria[1:3])
    for text in (Page(comparison_html([make_summary(), other])).text, comparison_markdown([make_summary(), other])):
        assert "2 audits: towers and lakes." in text
        assert "their means may differ for that reason alone" in text
        assert "evidence completeness, share" in text
        assert "evidence completeness as 1 + 4 × share, for comparison with the published 1–5 scale" in text
        assert "query evidence alignment was not among the criteria judged" in text
        assert text.count("all, tallied") == 2
        assert text.count("4.46") == 2


def test_two_audits_of_one_set_are_told_apart() -> None:
    text = comparison_markdown([make_summary(), make_summary(), make_summary("lakes")])
    assert "3 audits: towers (1), towers (2) and lakes." in text
    assert "All of them were judged by local/small, house/large and house/other, tallied by mean." in text


@pytest.mark.parametrize(("heat", "step"), [(0.0, 0), (0.11, 0), (0.12, 1), (0.5, 4), (0.99, 8), (1.0, 8)])
def test_heat_has_nine_steps(heat: float, step: int) -> None:
    assert heat_class(heat) == f"heat h{step}"
