"""A checked benchmark: data set, retrievers, strategies and rerankers exist, and each system has its key."""

from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

from mtr.auditing.files import SUMMARY as AUDIT_SUMMARY
from mtr.auditing.files import read_summary
from mtr.benchmarking.options import BenchOptions
from mtr.benchmarking.parts import Part, judged_turns, parts_of
from mtr.benchmarking.systems import Agents, Line, line_up
from mtr.corpus.languages import detect_language
from mtr.datasets.fingerprint import fingerprint
from mtr.datasets.records import AnyTurn, Dataset
from mtr.evaluation.audit_records import AuditSummary
from mtr.evaluation.metrics import DEFAULT_METRICS, Metric, parse_metrics
from mtr.retrieval.specs import Surroundings
from mtr.settings import Settings

_SAMPLED, _CHARACTERS = 50, 400


@dataclass(frozen=True)
class BenchJob:
    """What is to be ranked and scored: `turns` have gold; `audit` is the set's, where one lies beside it."""

    options: BenchOptions
    dataset: Dataset
    turns: tuple[AnyTurn, ...]
    parts: tuple[Part, ...]
    metrics: tuple[Metric, ...]
    line: Line
    audit: AuditSummary | None
    analyzer: str
    place: Path
    fingerprint: str

    @cached_property
    def ids(self) -> frozenset[str]:
        """Every id of the data set that a run can hold."""
        return frozenset(self.dataset.passages) | {turn.query_id for turn in self.turns}


def prepare(options: BenchOptions, dataset: Dataset, settings: Settings, agents: Agents, place: Path) -> BenchJob:
    """Check the benchmark; InputError says what is wrong. Nothing is called. `place` is where the data set lies."""
    metrics = parse_metrics(options.metrics) if options.metrics else DEFAULT_METRICS
    turns = judged_turns(dataset, options.sample, options.seed)
    analyzer = analyzer_for(dataset)
    around = Surroundings(settings, analyzer)
    audit, held = place / "audit", fingerprint(dataset)
    return BenchJob(
        options=options,
        dataset=dataset,
        turns=turns,
        parts=parts_of(dataset, turns),
        metrics=metrics,
        line=line_up(options, around, agents, held),
        audit=read_summary(audit) if (audit / AUDIT_SUMMARY).is_file() else None,
        analyzer=analyzer,
        place=place,
        fingerprint=held,
    )


def analyzer_for(dataset: Dataset) -> str:
    """Lucene's English for English passages, the one for any script for all others."""
    return "lucene_english" if language_of(dataset) == "en" else "words"


def language_of(dataset: Dataset) -> str | None:
    """The set's language as it says, else that of its first passages."""
    texts = islice((one.text[:_CHARACTERS] for one in dataset.passages.values() if one.text.strip()), _SAMPLED)
    return dataset.language or detect_language("\n".join(texts))
