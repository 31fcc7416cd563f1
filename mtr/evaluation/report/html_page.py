"""A report as one HTML file: no script, no network, nothing that a browser could run or fetch."""

from pathlib import Path

from mtr.evaluation.report.markup import Child, Markup, join, style_sheet, tag

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
SHEETS = ("style.css", "charts/charts.css")


def html_page(title: str, *body: Child) -> str:
    """The whole file around its body."""
    css = "".join((Path(__file__).parent / one).read_text(encoding="utf-8") for one in SHEETS)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        style_sheet(css),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, tag('body', *body), lang='en')}\n"


def contents(sections: list[tuple[str, str]]) -> Markup:
    """Links to the sections, (key, title) each."""
    links = [tag("li", tag("a", title, href=f"#{key}")) for key, title in sections]
    return tag("nav", tag("ul", join(links)), aria_label="Contents", class_="contents")
