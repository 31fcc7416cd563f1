"""Reports are safe to open: no text of a data set becomes HTML, nothing is asked of a network."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from support.audits import attacked, make_findings, make_summary, make_texts
from support.html_pages import ATTACK, Page, shown_by_a_browser

from mtr.evaluation.report import audit_html, comparison_html
from mtr.evaluation.report.markup import Markup, style_sheet, tag


@cache
def attacked_pages() -> dict[str, str]:
    findings = [one.model_copy(update={"words": ATTACK, "passage_id": ATTACK}) for one in make_findings(25)]
    return {
        "audit": audit_html(attacked(), findings, make_texts(findings, ATTACK)),
        "comparison": comparison_html([attacked(), make_summary()]),
    }


@pytest.mark.parametrize("name", ["audit", "comparison"])
def test_no_text_of_a_data_set_becomes_html(name: str) -> None:
    page = Page(attacked_pages()[name])
    assert {"script", "img", "iframe", "object", "embed", "link", "base", "form"}.isdisjoint(
        element for element, _ in page.elements
    )
    for _, attributes in page.elements:
        assert not [key for key in attributes if key.startswith("on") or key in {"src", "style", "srcset"}]
        assert attributes.get("href", "#").startswith("#")
        assert not [value for value in attributes.values() if re.match(r"\s*(\w+:)?//", value)]
    assert page.text.count(" ".join(ATTACK.split())) > 3


@pytest.mark.parametrize("name", ["audit", "comparison"])
def test_a_page_asks_for_nothing(name: str) -> None:
    html = attacked_pages()[name]
    page = Page(html)
    policies = [attributes for _, attributes in page.elements if "http-equiv" in attributes]
    assert policies == [
        {
            "http-equiv": "Content-Security-Policy",
            "content": "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
        }
    ]
    assert ("html", {"lang": "en"}) in page.elements
    assert "url(" not in html and "@import" not in html
    assert html.startswith("<!DOCTYPE html>\n<html")


def test_links_lead_to_sections_that_are_there() -> None:
    page = Page(audit_html(make_summary(), [], {}))
    links = [attributes["href"][1:] for element, attributes in page.elements if element == "a"]
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert links == ids == list(dict.fromkeys(ids))
    headings = [element for element, _ in page.elements if element in {"h1", "h2"}]
    assert headings == ["h1"] + ["h2"] * len(ids)


@pytest.mark.parametrize(
    "make",
    [
        lambda: tag("script", "alert(1)"),
        lambda: tag("p onclick", "x"),
        lambda: tag("p", onclick="x"),
        lambda: tag("p", style="x"),
        lambda: tag("a", href="https://x.test"),
        lambda: style_sheet("p { background: url(//x.test) }"),
        lambda: style_sheet("</style>"),
    ],
)
def test_the_builder_refuses_what_could_run_or_load(make: Callable[[], Markup]) -> None:
    with pytest.raises(ValueError, match=r"no element|no attribute|may not"):
        make()


def test_only_what_the_builder_made_stands_unescaped() -> None:
    assert tag("p", "a < b", tag("b", '"c"'), None, class_="d'e") == (
        '<p class="d&#x27;e">a &lt; b<b>&quot;c&quot;</b></p>'
    )
    assert tag("p", f"{Markup('<b>')}") == "<p>&lt;b&gt;</p>"
    assert tag("p", "re\u202eversed\x00") == "<p>reversed</p>"


def test_a_browser_shows_it_without_a_network(tmp_path: Path) -> None:
    page = Page(shown_by_a_browser(attacked_pages()["audit"], tmp_path))
    kinds = [element for element, _ in page.elements]
    assert "script" not in kinds and "img" not in kinds
    assert kinds.count("details") == 25 and kinds.count("svg") > 5
    assert "24 of 310 gold passages (7.7 %" in page.text
