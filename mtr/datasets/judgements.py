"""Relevance judgements of other people's: BEIR's `query-id corpus-id score` or TREC's `query 0 passage grade`."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mtr.datasets.records import Gold
from mtr.relevance import qrels_rows


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
        for _, query_id, passage_id, grade in qrels_rows(path):
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
