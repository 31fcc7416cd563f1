"""The figures of one system at one k: means, shares, the four cases, refusals, what it took."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from mtr.answers import Answered
from mtr.datasets.records import AnyTurn
from mtr.evaluation.audit import criterion_summary
from mtr.evaluation.intervals import clustered_mean, clustered_share
from mtr.evaluation.metrics import parse_metrics, score_run
from mtr.evaluation.rag import CASES, ArmCost, ArmFigures, Case, CaseName, Example, Refusals
from mtr.evaluation.rag_turns import RagTurn
from mtr.judging.tallying import Rule
from mtr.relevance import Qrels, Run
from mtr.seeding import seeded
from mtr.verdicts import Criterion, JudgedTurn

MEASURES = ("R", "nDCG", "MRR")
NO_GOLD = "no gold is marked"
NOT_SAID = "the system does not say what it retrieved"
TEXT_ALONE = "a passage was given by a text that the corpus does not hold"
EXAMPLES = 3
_LONGEST = 400


def retrieval_of(turns: Sequence[AnyTurn], answers: Mapping[str, Answered]) -> Mapping[str, Mapping[str, float] | str]:
    """R, nDCG and MRR of what was retrieved for each turn, by the metrics of `mtr bench`; or why there are none.

    All that was retrieved counts, whatever its number. An id that the corpus does not hold is not relevant.
    """
    reasons = {turn.query_id: _not_measured(turn, answers[turn.query_id]) for turn in turns}
    measured = [turn for turn in turns if not reasons[turn.query_id]]
    if not measured:
        return reasons
    ranked = {turn.query_id: _ids(answers[turn.query_id]) for turn in measured}
    run = Run.ranked(
        "retrieved", {name: [(one, -float(at)) for at, one in enumerate(ids)] for name, ids in ranked.items()}
    )
    qrels = Qrels({turn.query_id: {gold.passage_id: gold.grade for gold in turn.gold} for turn in measured})
    depth = max([1, *map(len, ranked.values())])
    metrics = parse_metrics([f"{measure}@{depth}" for measure in MEASURES])
    scores = score_run(qrels, run, metrics)
    rows = zip(*(scores.values[metric].tolist() for metric in metrics), strict=True)
    found = {name: dict(zip(MEASURES, row, strict=True)) for name, row in zip(scores.query_ids, rows, strict=True)}
    return {**reasons, **found}


def _not_measured(turn: AnyTurn, answered: Answered) -> str:
    if not any(gold.grade > 0 for gold in turn.gold):
        return NO_GOLD
    if answered.retrieved is None:
        return answered.fault or NOT_SAID
    return TEXT_ALONE if any(not one.passage_id for one in answered.retrieved) else ""


def _ids(answered: Answered) -> list[str]:
    return list(dict.fromkeys(one.passage_id for one in answered.retrieved or ()))


def arm_figures(
    rows: Sequence[RagTurn],
    judged: Sequence[JudgedTurn],
    criteria: Sequence[Criterion],
    example: Callable[[RagTurn], Example],
    *,
    rule: Rule,
    seed: int,
) -> ArmFigures:
    """The figures over the rows, which are of one system and k; `judged` in the same order."""
    clusters = [row.conversation_id for row in rows]
    return ArmFigures(
        system=rows[0].system,
        k=rows[0].k,
        turns=len(rows),
        answered=sum(row.answered for row in rows),
        no_answer=_no_answer(rows),
        criteria=tuple(criterion_summary(one, judged, rule, seed) for one in criteria),
        right=clustered_share([row.right for row in rows], clusters, seed=seed),
        retrieval={
            measure: clustered_mean([_retrieval(row, measure) for row in rows], clusters, seed=seed)
            for measure in MEASURES
        },
        not_retrieved=dict(Counter(row.retrieval_reason for row in rows if row.retrieval is None)),
        refusals=_refusals(rows),
        cases=tuple(_case(name, rows, example, seed) for name in CASES),
        undecided=sum(case_of(row) is None for row in rows),
        cost=_cost(rows),
    )


def case_of(row: RagTurn) -> CaseName | None:
    """Which of the four a turn is; None where either side is not known."""
    if row.found is None or row.right is None:
        return None
    if row.found:
        return "found, right" if row.right else "found, wrong"
    return "not found, right" if row.right else "not found, wrong"


def cut_text(text: str) -> str:
    """A text for an example."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} …"


def _retrieval(row: RagTurn, measure: str) -> float | None:
    return None if row.retrieval is None else row.retrieval[measure]


def _no_answer(rows: Sequence[RagTurn]) -> dict[str, int]:
    """Reasons are those of the first criterion: nothing was asked about an answer that is not there."""
    return dict(Counter(next(iter(row.reasons.values()), "") for row in rows if not row.answered))


def _refusals(rows: Sequence[RagTurn]) -> Refusals:
    return Refusals(
        refused=sum(row.refused is True for row in rows),
        right=sum(row.refused is True and row.answerable is False for row in rows),
        answered_unanswerable=sum(row.refused is False and row.answerable is False for row in rows),
        unknown=sum(row.refused is None and row.answered for row in rows),
    )


def _case(name: CaseName, rows: Sequence[RagTurn], example: Callable[[RagTurn], Example], seed: int) -> Case:
    """Examples are drawn by seed and turn, so that every arm shows the same turns where it can."""
    mine = [row for row in rows if case_of(row) == name]
    drawn = sorted(mine, key=lambda row: seeded(seed, "example", row.query_id).random())[:EXAMPLES]
    return Case(
        name=name,
        count=len(mine),
        refused=sum(row.refused is True for row in mine),
        examples=tuple(map(example, drawn)),
    )


def _cost(rows: Sequence[RagTurn]) -> ArmCost:
    tokens = [row.tokens for row in rows if row.tokens is not None]
    seconds = [row.seconds for row in rows if row.seconds is not None]
    usd = [row.usd for row in rows if row.usd is not None]
    return ArmCost(
        tokens=fmean(tokens) if tokens else None,
        counted=len(tokens),
        seconds=fmean(seconds) if seconds else None,
        usd=sum(usd) if usd else None,
    )
