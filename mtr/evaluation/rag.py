"""The whole of a RAG evaluation: what its reports tell. Records only."""

from collections.abc import Mapping
from typing import Literal

from mtr.evaluation.audit_records import CriterionSummary
from mtr.evaluation.intervals import Mean, Share
from mtr.evaluation.rag_turns import Right
from mtr.evaluation.significance import PairTest
from mtr.records import Record

CaseName = Literal["found, right", "found, wrong", "not found, right", "not found, wrong"]
CASES: tuple[CaseName, ...] = ("found, right", "found, wrong", "not found, right", "not found, wrong")
RIGHT, RECALL = "right answers", "context recall"
"""Measures of a turn beside the criteria."""


class Example(Record):
    """A turn to look at, its texts cut."""

    query_id: str
    query: str
    answer: str
    reference: str
    gold: tuple[str, ...]
    retrieved: tuple[str, ...]
    scores: Mapping[str, float | None]


class Case(Record):
    """One of the four: was any gold retrieved, is the answer right. `refused` of them declined to answer."""

    name: CaseName
    count: int
    refused: int
    examples: tuple[Example, ...]


class Refusals(Record):
    """Answers that decline; `right` are those to turns of which the set says that nothing answers them.

    `answered_unanswerable`: such turns that were answered. `unknown`: it is not known whether the answer declines.
    """

    refused: int
    right: int
    answered_unanswerable: int
    unknown: int


class ArmCost(Record):
    """What an answer took, as the mean over those that were `counted`; `usd` is the sum. None where none was."""

    tokens: float | None
    counted: int
    seconds: float | None
    usd: float | None


class ArmFigures(Record):
    """One system at one k: a row of the table.

    `criteria` are over the answers that were judged; `right` over all turns for which it is decided. `retrieval` holds
    R, nDCG and MRR over turns with gold whose retrieved ids are known. The reasons count turns that were not measured.
    """

    system: str
    k: int | None
    turns: int
    answered: int
    no_answer: Mapping[str, int]
    criteria: tuple[CriterionSummary, ...]
    right: Share
    retrieval: Mapping[str, Mean]
    not_retrieved: Mapping[str, int]
    refusals: Refusals
    cases: tuple[Case, ...]
    undecided: int
    cost: ArmCost

    @property
    def name(self) -> str:
        """How tables call it."""
        return self.system if self.k is None else f"{self.system} @{self.k}"


class Sweep(Record):
    """One measure of one system over k, on the `turns` that are measured at every k.

    `best` has the highest mean, the smallest k where several have; `alike` are the other ks that it is not told apart
    from. None is best where nothing is measured, or every mean is 0.
    """

    system: str
    measure: str
    turns: int
    conversations: int
    means: Mapping[int, Mean]
    best: int | None
    alike: tuple[int, ...]
    tests: tuple[PairTest, ...]


class SideBySide(Record):
    """Systems at one k under one measure, on the `turns` that are measured for each."""

    k: int | None
    measure: str
    turns: int
    means: Mapping[str, Mean]
    tests: tuple[PairTest, ...]


class SystemMade(Record):
    """A system and what it is made of."""

    name: str
    description: str


class RagSummary(Record):
    """What a RAG evaluation found, as a whole."""

    dataset: str
    layout: str
    turns: int
    turns_of: int
    conversations: int
    unanswerable: int
    judges: tuple[str, ...]
    rule: str
    right: Right
    seed: int
    systems: tuple[SystemMade, ...]
    arms: tuple[ArmFigures, ...]
    sweeps: tuple[Sweep, ...]
    comparisons: tuple[SideBySide, ...]
    notes: tuple[str, ...]
