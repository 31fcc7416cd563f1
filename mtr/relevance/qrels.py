"""Relevance judgements: TREC's `query 0 passage grade` and BEIR's `query-id corpus-id score` under a header."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mtr.datasets.foreign import text_lines
from mtr.errors import InputError
from mtr.relevance.columns import one_column, write_lines

BEIR_HEADER = "query-id\tcorpus-id\tscore\n"
_LINE_END = re.compile(r"[\t\r\n]")


@dataclass(frozen=True)
class Qrels:
    """query_id → passage_id → grade. A grade of 0 or less says "judged, and not relevant"."""

    grades: Mapping[str, Mapping[str, int]]

    def __post_init__(self) -> None:
        for query_id, judged in self.grades.items():
            if not isinstance(query_id, str):
                raise InputError(f"qrels: query id {query_id!r} is not text; ids are strings")
            for passage_id, grade in judged.items():
                if not isinstance(passage_id, str):
                    raise InputError(f"qrels: {query_id}: passage id {passage_id!r} is not text; ids are strings")
                if type(grade) is not int:
                    raise InputError(f"qrels: {query_id}: {passage_id}: grade {grade!r} is not a whole number")


def read_qrels(path: Path) -> Qrels:
    """Read either layout, plain or gzipped. A pair that stands twice is refused, with its line."""
    grades: dict[str, dict[str, int]] = {}
    for number, query_id, passage_id, grade in qrels_rows(path):
        judged = grades.setdefault(query_id, {})
        if passage_id in judged:
            where = f"{path}:{number}: passage {passage_id!r} is judged twice for query {query_id!r}"
            raise InputError(f"{where}; remove one of the lines")
        judged[passage_id] = grade
    if not grades:
        raise InputError(f"{path} holds no judgements; a line is `query 0 passage grade` or `query passage grade`")
    return Qrels(grades)


def write_qrels(path: Path, qrels: Qrels) -> None:
    """Write TREC's four columns; InputError for an id with white space."""
    lines = [
        f"{one_column(query_id, 'query id')} 0 {one_column(passage_id, 'passage id')} {grade}\n"
        for query_id, judged in qrels.grades.items()
        for passage_id, grade in judged.items()
    ]
    write_lines(path, lines)


def write_beir_qrels(path: Path, qrels: Qrels) -> None:
    """Write BEIR's three columns under their header; ids may hold blanks, but neither tabs nor line ends."""
    lines = [
        f"{_cell(query_id, 'query id')}\t{_cell(passage_id, 'passage id')}\t{grade}\n"
        for query_id, judged in qrels.grades.items()
        for passage_id, grade in judged.items()
    ]
    write_lines(path, [BEIR_HEADER, *lines])


def qrels_rows(path: Path) -> Iterator[tuple[int, str, str, int]]:
    """(line number, query_id, passage_id, grade) of each judgement, repeated pairs included."""
    for number, line in text_lines(path):
        columns = line.split("\t") if line.count("\t") == 2 else line.split()
        if len(columns) == 4:
            columns = [columns[0], columns[2], columns[3]]
        if len(columns) != 3 or not columns[0] or not columns[1]:
            message = "needs `query passage grade`, or `query 0 passage grade` as TREC has it"
            raise InputError(f"{path}:{number}: {line[:80]!r} {message}")
        if number == 1 and not _is_number(columns[2]):
            continue
        yield number, columns[0], columns[1], _grade(columns[2], f"{path}:{number}")


def _is_number(text: str) -> bool:
    return text.strip().lstrip("+-").replace(".", "", 1).isdigit()


def _grade(text: str, where: str) -> int:
    """A whole grade; `1.0` is one."""
    if not _is_number(text) or not float(text).is_integer():
        raise InputError(f"{where}: score: {text!r} is not a whole number; grades are 0, 1, 2 …")
    return int(float(text))


def _cell(text: str, what: str) -> str:
    if not text.strip() or _LINE_END.search(text):
        raise InputError(f"{what} {text!r} is blank or holds a tab or a line end, which BEIR's qrels cannot: rename it")
    return text
