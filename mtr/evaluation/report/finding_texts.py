"""The texts a reader needs beside a finding, taken from the data set; long ones are cut, and say so."""

from collections.abc import Mapping, Sequence

from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Said
from mtr.evaluation.findings import Finding, Kind
from mtr.records import Record

LONGEST = 3000
MESSAGES = 8
"""Characters of a text, and last messages of a history, that a report shows."""

KINDS: Mapping[Kind, str] = {
    "missing_evidence": "evidence missing",
    "noise": "gold does not answer",
    "unfaithful": "answer not stated in the gold",
    "poor_answer": "poor answer",
    "query": "query check failed",
    "split": "judges split",
    "unmeasured": "not measured",
}


class FindingTexts(Record):
    """What stood before the judges. `passages` holds the gold passages and those that findings speak of, by id."""

    query: str
    history: tuple[Said, ...] = ()
    answer: str | None = None
    gold: tuple[str, ...] = ()
    passages: Mapping[str, AnyPassage] = {}


def texts_of(dataset: Dataset, findings: Sequence[Finding]) -> dict[str, FindingTexts]:
    """The texts for the findings, by query id."""
    spoken_of: dict[str, list[str]] = {}
    for finding in findings:
        spoken_of.setdefault(finding.query_id, []).append(finding.passage_id)
    return {
        turn.query_id: _texts(dataset, turn, spoken_of[turn.query_id])
        for turn in dataset.turns
        if turn.query_id in spoken_of
    }


def cut(text: str) -> str:
    """The text, or its beginning and how much of it is left out."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]} … ({len(text) - LONGEST:,} more characters)"


def by_kind(findings: Sequence[Finding]) -> list[tuple[str, int]]:
    """How many findings of each kind, worst kind first."""
    counts = [(words, sum(one.kind == kind for one in findings)) for kind, words in KINDS.items()]
    return [(words, count) for words, count in counts if count]


def _texts(dataset: Dataset, turn: AnyTurn, spoken_of: Sequence[str]) -> FindingTexts:
    gold = tuple(one.passage_id for one in turn.gold)
    wanted = dict.fromkeys([*gold, *spoken_of])
    return FindingTexts(
        query=turn.query,
        history=turn.history,
        answer=turn.answer,
        gold=gold,
        passages={name: dataset.passages[name] for name in wanted if name in dataset.passages},
    )
