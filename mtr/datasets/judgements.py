"""Relevance judgements of other people's: BEIR's `query-id corpus-id score` or TREC's `query 0 passage grade`."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mtr.datasets.foreign import text_lines
from mtr.datasets.records import Gold
from mtr.errors import InputError


@dataclass
class Judgements:
    """Gold by query, in the files' order. `judged` are all queries with a line; `zeros` lines say "not relevant"."""

    gold: dict[str, list[Gold]] = field(default_factory=dict)
    judged: dict[str, None] = field(default_factory=dict)
    zeros: int = 0
    repeated: int = 0
    seen: set[tuple[str, str]] = field(default_factory=set)

    def of(self, query_id: str) -> tuple[Gold, ...]:
        """The gold of one query, none where it has no judgement."""
        return tuple(self.gold.get(query_id, ()))

    def read(self, path: Path) -> None:
        """Take in a file. A grade of 0 or less is no gold; a pair that stands twice counts once, as it stands first."""
        for query_id, passage_id, grade in _rows(path):
            self.judged[query_id] = None
            if (query_id, passage_id) in self.seen:
                self.repeated += 1
            elif grade > 0:
                self.gold.setdefault(query_id, []).append(Gold(passage_id=passage_id, grade=grade))
            else:
                self.zeros += 1
            self.seen.add((query_id, passage_id))

    def notes(self) -> Iterator[str]:
        """What the files hold besides gold."""
        if self.zeros:
            yield f"{self.zeros} judgements have a grade of 0 or less: judged, and no gold"
        if self.repeated:
            yield f"{self.repeated} judgements repeat a pair of query and passage; the first counts"


def read_judgements(*paths: Path) -> Judgements:
    """The judgements of some files together."""
    judgements = Judgements()
    for path in paths:
        judgements.read(path)
    return judgements


def _rows(path: Path) -> Iterator[tuple[str, str, int]]:
    for number, line in text_lines(path):
        columns = line.split("\t") if line.count("\t") == 2 else line.split()
        if len(columns) == 4:
            columns = [columns[0], columns[2], columns[3]]
        if len(columns) != 3 or not columns[0] or not columns[1]:
            message = "needs `query passage grade`, or `query 0 passage grade` as TREC has it"
            raise InputError(f"{path}:{number}: {line[:80]!r} {message}")
        if number == 1 and not _is_number(columns[2]):
            continue
        yield columns[0], columns[1], _grade(columns[2], f"{path}:{number}")


def _is_number(text: str) -> bool:
    return text.strip().lstrip("+-").replace(".", "", 1).isdigit()


def _grade(text: str, where: str) -> int:
    """A whole grade; `1.0` is one."""
    if not _is_number(text) or not float(text).is_integer():
        raise InputError(f"{where}: score: {text!r} is not a whole number; grades are 0, 1, 2 …")
    return int(float(text))
