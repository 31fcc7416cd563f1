"""Reports as Markdown and findings as CSV: nothing of a data set is markup or a formula there."""

import csv
import re

import pytest
from support.audits import attacked, make_findings
from support.html_pages import ATTACK

from mtr.evaluation.report import audit_markdown, findings_csv
from mtr.evaluation.report.findings_csv import csv_text
from mtr.evaluation.report.markdown import escaped, section_lines
from mtr.evaluation.report.tables import Cell, Section, Table


def test_markdown_shows_the_first_findings_and_holds_no_markup_of_a_data_set() -> None:
    findings = [one.model_copy(update={"words": f"{ATTACK} | `x` [a](b)"}) for one in make_findings(30)]
    found = audit_markdown(attacked(), findings, most=7)
    assert "<" not in found
    assert found.count("\\| \\`x\\` \\[a\\](b)") == 7
    assert "Shown: 7 of 30. All of them are in findings.jsonl." in found
    tables = re.findall(r"(?:^\|.*\n)+", found, flags=re.MULTILINE)
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


@pytest.mark.parametrize(
    ("plain", "safe"),
    [
        ("snake_case_name", "snake_case_name"),
        ("_stressed_ and *strong*", r"\_stressed\_ and \*strong\*"),
        ("# no heading", r"\# no heading"),
        ("1. no list", r"1\. no list"),
        ("a\n- b", "a - b"),
        ("![x](http://y.test)", r"\!\[x\](http://y.test)"),
        ("a & <b>", "a &amp; &lt;b&gt;"),
        ("c:\\d", r"c:\\d"),
    ],
)
def test_markdown_is_escaped(plain: str, safe: str) -> None:
    assert escaped(plain) == safe


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝"])
def test_no_cell_can_start_a_formula(start: str) -> None:
    attack = f'{start}HYPERLINK("http://x.test";"a")'
    findings = [
        one.model_copy(update={"words": attack, "query_id": attack, "passage_id": "p=1"}) for one in make_findings(2)
    ]
    rows = list(csv.DictReader(findings_csv(findings).splitlines(keepends=True)))
    assert [row["words"] for row in rows] == [row["query_id"] for row in rows] == ["'" + attack] * 2
    assert [(row["passage_id"], row["score"], row["turn"]) for row in rows] == [("p=1", "1.75", "1"), ("p=1", "", "1")]


def test_every_cell_is_quoted() -> None:
    assert csv_text(["a"], [["b;=c"], ['d"e']]) == '"a"\n"b;=c"\n"d""e"\n'


def test_running_text_stands_to_the_left_and_numbers_to_the_right() -> None:
    rows = ((Cell(text="query"), Cell(text="How many lamps?", prose=True), Cell(text="0.5")),)
    table = Table(columns=("what", "text", "score"), rows=rows)
    lines = list(section_lines([Section(key="k", title="T", tables=(table,))]))
    assert "| --- | --- | ---: |" in lines
