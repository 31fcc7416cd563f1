"""Findings with their texts as HTML: each folded on the screen; in print the first ones stand open."""

from collections.abc import Mapping, Sequence

from mtr.datasets.records import AnyPassage, Said
from mtr.evaluation.findings import Finding
from mtr.evaluation.report.finding_texts import KINDS, MESSAGES, FindingTexts, by_kind, cut
from mtr.evaluation.report.markup import Markup, join, tag
from mtr.evaluation.report.numbers import of

TITLE = "Findings, worst first"
PRINTED = 20
"""So many findings are printed with their texts."""


def html_findings(findings: Sequence[Finding], texts: Mapping[str, FindingTexts], most: int) -> Markup:
    """The first `most` findings, each with what stood before the judges."""
    if not findings:
        body = tag("p", "Nothing was found that a person should look at.")
        return tag("section", tag("h2", TITLE), body, id="findings")
    kinds = [tag("li", tag("b", f"{count:,}"), " ", words) for words, count in by_kind(findings)]
    shown = f"Shown: {of(min(most, len(findings)), len(findings))}. All of them are in findings.jsonl."
    items = [
        _finding(finding, texts.get(finding.query_id), place < PRINTED) for place, finding in enumerate(findings[:most])
    ]
    return tag(
        "section",
        tag("h2", TITLE),
        tag("ul", *kinds, class_="kinds"),
        tag("p", shown),
        tag("ol", *items, class_="findings"),
        id="findings",
    )


def _finding(finding: Finding, texts: FindingTexts | None, printed: bool) -> Markup:
    """Print opens no details, so the texts stand a second time after them, for print alone."""
    summary = tag(
        "summary",
        tag("span", KINDS[finding.kind], class_=f"kind {finding.kind.replace('_', '-')}"),
        tag("span", f"{finding.query_id}, turn {finding.turn}", class_="where"),
        tag("span", finding.words, class_="words", dir="auto"),
    )
    body = _texts(finding, texts)
    return tag(
        "li",
        tag("details", summary, tag("div", body, class_="texts")),
        tag("div", body, class_="texts print-only", aria_hidden="true") if printed else None,
    )


def _texts(finding: Finding, texts: FindingTexts | None) -> Markup:
    if texts is None:
        return tag("p", "The texts of this turn are not at hand.")
    others = [finding.passage_id] if finding.passage_id and finding.passage_id not in texts.gold else []
    return join(
        [
            _history(texts.history),
            _text("Query", texts.query),
            _text("Answer", texts.answer) if texts.answer is not None else None,
            *(_passage(name, texts.passages.get(name), "Not marked", finding) for name in others),
            *(_passage(name, texts.passages.get(name), "Gold", finding) for name in texts.gold),
        ]
    )


def _history(history: Sequence[Said]) -> Markup | None:
    if not history:
        return None
    left_out = len(history) - MESSAGES
    before = tag("p", f"{left_out:,} earlier messages are left out.", class_="note") if left_out > 0 else None
    said = [
        tag("p", tag("b", one.speaker), " ", tag("span", cut(one.text), dir="auto", lang=""))
        for one in history[-MESSAGES:]
    ]
    return tag("div", tag("h3", "History"), before, *said, class_="history")


def _passage(name: str, passage: AnyPassage | None, kind: str, finding: Finding) -> Markup:
    here = " (this finding)" if name == finding.passage_id else ""
    if passage is None:
        return _text(f"{kind} passage {name}{here}", "The data set holds no text of it.")
    title = " › ".join(part for part in (passage.title, passage.heading) if part)
    return _text(f"{kind} passage {name}{here}", passage.text, title)


def _text(heading: str, words: str, title: str = "") -> Markup:
    return tag(
        "div",
        tag("h3", heading),
        tag("p", title, class_="title", dir="auto", lang="") if title else None,
        tag("blockquote", cut(words), dir="auto", lang=""),
    )
