"""Reports as Markdown. Text from elsewhere is escaped: it makes no table, link, image or HTML of its own."""

import re
from collections.abc import Iterable, Iterator, Sequence

from mtr.evaluation.report.tables import Section, Table, in_one_line
from mtr.transcript import printable

_SPECIAL = re.compile(r"([\\`*\[\]|~$!]|(?<![^\W_])_|_(?![^\W_])|^[#+>-](?=\s)|^\d+(?=[.)]\s))")
_REFERENCES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def escaped(value: str) -> str:
    """Text on one line in which Markdown finds nothing to do."""
    line = " ".join(printable(value).split())
    return _SPECIAL.sub(_escape, line.translate(_REFERENCES))


def section_lines(sections: Iterable[Section]) -> Iterator[str]:
    """Sections under second-level headings."""
    for section in sections:
        yield f"\n## {escaped(section.title)}"
        yield from (f"\n{escaped(paragraph)}" for paragraph in section.text)
        for table in section.tables:
            yield from _table(table)
        if section.items:
            yield ""
        yield from (f"- {escaped(item)}" for item in section.items)


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield f"\n### {escaped(table.title)}"
    yield ""
    yield _row(escaped(column) for column in table.columns)
    yield _row("---" if place in _columns_of_words(table) else "---:" for place in range(len(table.columns)))
    yield from (_row(escaped(in_one_line(cell)) for cell in row) for row in table.rows)
    if table.note:
        yield f"\n{escaped(table.note)}"


def _columns_of_words(table: Table) -> set[int]:
    """The first column, and those that hold running text; the others hold numbers and stand to the right."""
    return {0, *(place for row in table.rows for place, cell in enumerate(row) if cell.prose)}


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escape(match: re.Match[str]) -> str:
    return f"{match[0]}\\" if match[0].isdigit() else f"\\{match[0]}"


def page(title: str, lead: Sequence[str], lines: Iterable[str]) -> str:
    """A whole report: a title, first paragraphs, and the rest line by line."""
    head = [f"# {escaped(title)}", *(f"\n{escaped(paragraph)}" for paragraph in lead)]
    return "\n".join([*head, *lines]) + "\n"
