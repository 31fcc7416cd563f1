"""CSV that a spreadsheet only shows: no cell can start a formula."""

import csv
import io
from collections.abc import Iterable, Sequence

from mtr.evaluation.findings import Finding
from mtr.evaluation.sheets import guarded


def csv_text(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV, every cell guarded and in quotes, so that no other separator can begin a cell either."""
    target = io.StringIO()
    writer = csv.writer(target, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow([guarded(heading) for heading in headings])
    writer.writerows([[guarded(cell) for cell in row] for row in rows])
    return target.getvalue()


def findings_csv(findings: Sequence[Finding]) -> str:
    """All findings, worst first, a row each; an absent score is an empty cell."""
    headings = tuple(Finding.model_fields)
    return csv_text(headings, ([_cell(getattr(finding, name)) for name in headings] for finding in findings))


def _cell(value: str | float | None) -> str:
    return "" if value is None else str(value)
