"""From judged turns to the whole: means with intervals, agreement, noise and missing evidence. Asks nobody."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

from mtr.evaluation.agreement import Agreement, Level, agreement
from mtr.evaluation.audit_records import CriterionSummary, Group, JudgeSummary
from mtr.evaluation.intervals import Mean, Share, clustered_mean, clustered_share
from mtr.judging.tallying import Rule, tally
from mtr.verdicts import ALIGNMENT, Ask, Criterion, Judged, JudgedTurn, Tally

NOISE_BELOW = 3.0
_YES = 0.5
_LEVELS: Mapping[str, Level] = {"scale": "ordinal", "claims": "ordinal", "yes_no": "nominal", "choice": "nominal"}


def criterion_summary(one: Criterion, turns: Sequence[JudgedTurn], rule: Rule, seed: int) -> CriterionSummary:
    """One criterion over all turns; a turn's value is the mean over its asks."""
    asked = [turn for turn in turns if _tallies(turn, one)]
    verdicts = [verdict for turn in asked for verdict in _verdicts(turn, one) if not verdict.adjudicator]
    tallies = [tally for turn in asked for tally in _tallies(turn, one)]
    values = {turn.query_id: _value(one, [tally.score for tally in _tallies(turn, one)]) for turn in asked}
    return CriterionSummary(
        criterion=one.name,
        description=one.description,
        reply=one.reply,
        mean=_mean(asked, values, seed),
        without_writers=_without_writers(one, asked, rule, seed),
        unasked=_unasked(one, turns),
        asks=len(tallies),
        unreadable=sum(verdict.unreadable for verdict in verdicts),
        abstained=sum(bool(verdict.abstained) for verdict in verdicts),
        ties=sum(tally.tie for tally in tallies),
        splits=sum(tally.split for tally in tallies),
        adjudicated=sum(tally.adjudicated for tally in tallies),
        agreement=_agreement(one, asked),
        judges=_by_judge(one, asked, seed),
        by_turn=_groups(asked, values, lambda turn: str(turn.turn), seed, key=int),
        by_move=_groups(asked, values, lambda turn: turn.move or "", seed),
        by_subset=_groups(asked, values, lambda turn: turn.subset, seed),
    )


def noise(turns: Sequence[JudgedTurn], seed: int) -> Share | None:
    """The share of gold passages judged whose alignment is below 3 of 5."""
    rows = [(t.conversation_id, one.score) for t in turns for one in t.tallies if is_gold_alignment(t, one)]
    if not rows:
        return None
    below = [None if score is None else score < NOISE_BELOW for _, score in rows]
    return clustered_share(below, [name for name, _ in rows], seed=seed)


def missing(turns: Sequence[JudgedTurn], one: Criterion, seed: int) -> Share | None:
    """The share of turns that miss evidence, of those whose candidates were put before the judges.

    A turn is measured when some judge chose in every order.
    """
    asked = [turn for turn in turns if _tallies(turn, one)]
    if not asked:
        return None
    values = [bool(t.missing) if all(row.measured for row in _tallies(t, one)) else None for t in asked]
    return clustered_share(values, [turn.conversation_id for turn in asked], seed=seed)


def supported_claims(turns: Sequence[JudgedTurn], seed: int) -> Share | None:
    """The share of claims, of all judges, with a quote that stands in the gold."""
    rows = [(t.conversation_id, c.supported) for t in turns for v in t.verdicts for c in v.claims]
    return clustered_share([value for _, value in rows], [name for name, _ in rows], seed=seed) if rows else None


def is_gold_alignment(turn: JudgedTurn, one: Tally) -> bool:
    """Whether a tally is of a marked gold passage; a suspected passage is asked about in the same words."""
    return one.criterion == ALIGNMENT and one.subject in turn.gold


def _tallies(turn: JudgedTurn, one: Criterion) -> list[Tally]:
    return [row for row in turn.tallies if row.criterion == one.name and _counts(turn, row.subject)]


def _verdicts(turn: JudgedTurn, one: Criterion) -> list[Judged]:
    return [row for row in turn.verdicts if row.criterion == one.name and _counts(turn, row.subject)]


def _counts(turn: JudgedTurn, subject: str) -> bool:
    return not subject or subject in turn.gold


def _value(one: Criterion, scores: Iterable[float | None]) -> float | None:
    known = [_passed(one, score) for score in scores if score is not None]
    return fmean(known) if known else None


def _passed(one: Criterion, score: float) -> float:
    return float(score >= _YES) if one.reply == "yes_no" else score


def _mean(turns: Sequence[JudgedTurn], values: Mapping[str, float | None], seed: int) -> Mean:
    return clustered_mean(
        [values[turn.query_id] for turn in turns], [turn.conversation_id for turn in turns], seed=seed
    )


def _groups(
    turns: Sequence[JudgedTurn],
    values: Mapping[str, float | None],
    group: Callable[[JudgedTurn], str],
    seed: int,
    *,
    key: Callable[[str], int | str] = str,
) -> tuple[Group, ...]:
    """A mean for each group; none at all where the data set has a single group without a name."""
    names = sorted({group(turn) for turn in turns} - {""}, key=key)
    return tuple(
        Group(name=name, mean=_mean([turn for turn in turns if group(turn) == name], values, seed)) for name in names
    )


def _by_judge(one: Criterion, turns: Sequence[JudgedTurn], seed: int) -> tuple[JudgeSummary, ...]:
    names = dict.fromkeys(v.judge for turn in turns for v in _verdicts(turn, one) if not v.adjudicator)
    return tuple(_judge(one, turns, name, seed) for name in names)


def _judge(one: Criterion, turns: Sequence[JudgedTurn], name: str, seed: int) -> JudgeSummary:
    own = {t.query_id: [v for v in _verdicts(t, one) if v.judge == name and not v.adjudicator] for t in turns}
    values = {query_id: _value(one, [verdict.score for verdict in said]) for query_id, said in own.items()}
    said = [verdict for verdicts in own.values() for verdict in verdicts]
    return JudgeSummary(
        judge=name,
        mean=_mean(turns, values, seed),
        unreadable=sum(verdict.unreadable for verdict in said),
        abstained=sum(bool(verdict.abstained) for verdict in said),
        wrote=sum(verdict.wrote_it for verdict in said),
    )


def _without_writers(one: Criterion, turns: Sequence[JudgedTurn], rule: Rule, seed: int) -> Mean | None:
    """The mean when judges whose family wrote a turn have no say on it."""
    if not any(verdict.wrote_it for turn in turns for verdict in _verdicts(turn, one)):
        return None
    values: dict[str, float | None] = {}
    for turn in turns:
        others = [verdict for verdict in _verdicts(turn, one) if not verdict.wrote_it]
        scores = [_again(row, others, rule).score for row in _tallies(turn, one)]
        values[turn.query_id] = _value(one, scores)
    return _mean(turns, values, seed)


def _again(before: Tally, verdicts: Sequence[Judged], rule: Rule) -> Tally:
    ask = Ask(query_id=before.query_id, criterion=before.criterion, subject=before.subject, order=before.order)
    return tally(ask, [verdict for verdict in verdicts if verdict.ask_name == ask.name], rule, float("inf"))


def _unasked(one: Criterion, turns: Sequence[JudgedTurn]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for turn in turns:
        for row in turn.unasked:
            if row.criterion == one.name:
                counts[row.reason] = counts.get(row.reason, 0) + 1
    return counts


def _agreement(one: Criterion, turns: Sequence[JudgedTurn]) -> Agreement | None:
    """Of the written verdicts; choices are compared as right or wrong. None with fewer than two judges."""
    names = list(dict.fromkeys(v.judge for turn in turns for v in _verdicts(turn, one) if not v.adjudicator))
    if len(names) < 2:
        return None
    rows: list[list[float | None]] = []
    for turn in turns:
        by_ask: dict[str, dict[str, float | None]] = {}
        for v in _verdicts(turn, one):
            if not v.adjudicator:
                by_ask.setdefault(v.ask_name, {})[v.judge] = _mark(one, v)
        rows += [[marks.get(name) for name in names] for marks in by_ask.values()]
    return agreement(rows, level=_LEVELS[one.reply])


def _mark(one: Criterion, verdict: Judged) -> float | None:
    if not verdict.measured or verdict.score is None:
        return None
    if one.reply == "yes_no":
        return _passed(one, verdict.score)
    return verdict.score if verdict.written is None else verdict.written
