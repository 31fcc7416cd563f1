"""The summary of a RAG evaluation, from what systems answered and judges said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mtr.answers import Answered
from mtr.evaluation.rag import Example, RagSummary, SystemMade
from mtr.evaluation.rag_arms import arm_figures, cut_text, retrieval_of
from mtr.evaluation.rag_sweeps import comparisons_of, measures_of, sweeps_of
from mtr.evaluation.rag_turns import RagTurn, rag_turn
from mtr.rag.job import RagJob, item_of
from mtr.rag.systems import RagSystem
from mtr.verdicts import JudgedTurn


@dataclass(frozen=True)
class ArmResults:
    """What there is of one system at one k: answers, verdicts and rows of the same turns, in the set's order."""

    system: str
    k: int | None
    answers: tuple[Answered, ...]
    judged: tuple[JudgedTurn, ...]
    turns: tuple[RagTurn, ...]


def results_of(
    job: RagJob, system: RagSystem, answers: Mapping[str, Answered], judged: Mapping[str, JudgedTurn]
) -> list[ArmResults]:
    """The arms of a system; a turn that was not answered or not judged is left out."""
    return [_arm(job, system.name, k, answers, judged) for k in system.ks(job.options.ks)]


def _arm(
    job: RagJob, name: str, k: int | None, answers: Mapping[str, Answered], judged: Mapping[str, JudgedTurn]
) -> ArmResults:
    turns = [turn for query_id, turn in job.turns.items() if item_of(k, query_id) in judged]
    given = {turn.query_id: answers[item_of(k, turn.query_id)] for turn in turns}
    said = {turn.query_id: judged[item_of(k, turn.query_id)] for turn in turns}
    retrieval = retrieval_of(turns, given)
    right = job.options.right
    rows = tuple(
        rag_turn(turn, given[turn.query_id], said[turn.query_id], job.criteria, right, retrieval[turn.query_id])
        for turn in turns
    )
    return ArmResults(name, k, tuple(given.values()), tuple(said.values()), rows)


def rag_summary(job: RagJob, results: Sequence[ArmResults]) -> RagSummary:
    """Everything that the reports tell."""
    options, kept = job.options, [one for one in results if one.turns]
    arms = {(one.system, one.k): one.turns for one in kept}
    measures = measures_of([one.name for one in job.criteria])
    seed, rule = options.judging.seed, options.judging.rule
    return RagSummary(
        dataset=job.dataset.name,
        layout=job.dataset.layout,
        turns=len(job.turns),
        turns_of=len(job.dataset.turns),
        conversations=len({turn.conversation_id for turn in job.turns.values()}),
        unanswerable=sum(turn.answerable is False for turn in job.turns.values()),
        judges=options.judging.judges,
        rule=rule,
        right=options.right,
        seed=seed,
        systems=tuple(SystemMade(name=one.name, description=one.description) for one in job.systems),
        arms=tuple(
            arm_figures(one.turns, one.judged, job.criteria, _Examples(job, one), rule=rule, seed=seed) for one in kept
        ),
        sweeps=sweeps_of(arms, measures, seed),
        comparisons=comparisons_of(arms, measures, seed),
        notes=job.dataset.notes,
    )


class _Examples:
    """Makes the example of a row."""

    def __init__(self, job: RagJob, arm: ArmResults) -> None:
        self._job, self._answers = job, {one.query_id: one for one in arm.answers}

    def __call__(self, row: RagTurn) -> Example:
        turn, answered = self._job.turns[row.query_id], self._answers[row.query_id]
        return Example(
            query_id=row.query_id,
            query=cut_text(turn.query),
            answer=cut_text(answered.answer or ""),
            reference=cut_text(turn.answer or ""),
            gold=tuple(gold.passage_id for gold in turn.gold),
            retrieved=tuple(one.passage_id or cut_text(one.text) for one in answered.retrieved or ()),
            scores=row.scores,
        )
