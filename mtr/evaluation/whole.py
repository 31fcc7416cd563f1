"""The whole of an audit, put together from its parts."""

from collections.abc import Sequence

from mtr.datasets.records import Dataset
from mtr.evaluation.audit import criterion_summary, missing, noise, supported_claims
from mtr.evaluation.audit_records import AuditSummary, CriterionSummary, JudgePositions
from mtr.evaluation.positions import Choice, position_test
from mtr.judging.tallying import Rule
from mtr.verdicts import Criterion, Judged, JudgedTurn


def audit_summary(
    dataset: Dataset,
    judged: Sequence[JudgedTurn],
    criteria: Sequence[Criterion],
    judges: Sequence[str],
    *,
    rule: Rule,
    seed: int,
) -> AuditSummary:
    """Summarise an audit. The seed enters the resamples only."""
    rows = tuple(criterion_summary(one, judged, rule, seed) for one in criteria)
    choice = next((one for one in criteria if one.reply == "choice"), None)
    return AuditSummary(
        dataset=dataset.name,
        layout=dataset.layout,
        turns=len(judged),
        turns_of=len(dataset.turns),
        conversations=len({turn.conversation_id for turn in judged}),
        judges=tuple(judges),
        rule=rule,
        criteria=rows,
        noise=noise(judged, seed),
        missing=missing(judged, choice, seed) if choice else None,
        claims=supported_claims(judged, seed),
        completeness_scaled=_scaled(rows),
        positions=_positions(judged, judges, seed),
        notes=dataset.notes,
    )


def _scaled(rows: Sequence[CriterionSummary]) -> float | None:
    share = next((row.mean.mean for row in rows if row.reply == "choice"), None)
    return None if share is None else 1 + 4 * share


def _positions(judged: Sequence[JudgedTurn], judges: Sequence[str], seed: int) -> tuple[JudgePositions, ...]:
    found: list[JudgePositions] = []
    for judge in judges:
        choices = [
            _choice(verdict, frozenset(turn.gold))
            for turn in judged
            for verdict in turn.verdicts
            if verdict.judge == judge and verdict.choice is not None and not verdict.adjudicator
        ]
        if choices:
            found.append(JudgePositions(judge=judge, test=position_test(choices, seed=seed)))
    return tuple(found)


def _choice(verdict: Judged, gold: frozenset[str]) -> Choice:
    shown = verdict.shown
    return Choice(
        candidates=len(shown),
        gold=frozenset(place for place, name in enumerate(shown) if name in gold),
        chosen=shown.index(verdict.choice or ""),
    )
