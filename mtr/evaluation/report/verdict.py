"""The first screen: how far the gold can be trusted, in one sentence made of the audit's numbers alone."""

from mtr.evaluation.audit_records import AuditSummary
from mtr.evaluation.intervals import Mean, Share
from mtr.evaluation.report.numbers import NOT_MEASURED, counted, in_words, listed, number, of
from mtr.evaluation.report.reasons import criterion_of, why_not
from mtr.evaluation.report.tables import Dots, dots
from mtr.records import Record
from mtr.verdicts import ALIGNMENT, COMPLETENESS, FAITHFULNESS


class Fact(Record):
    """One of the numbers a reader came for: as a tile (`name`, `text`, `small`) and, with a clause, in a sentence."""

    name: str
    text: str
    small: tuple[str, ...]
    clause: str = ""
    dots: Dots | None = None
    measured: bool


def question(summary: AuditSummary) -> str:
    """The question the report answers."""
    return f"How far can the gold of {summary.dataset} be trusted?"


def verdict(summary: AuditSummary) -> str:
    """The answer to it, as one sentence."""
    told = facts(summary)
    clauses = [fact.clause for fact in told if fact.measured] + [fact.clause for fact in told if not fact.measured]
    sentence = f"{'; '.join([*clauses, judged_by(summary)])}."
    if any(fact.measured for fact in told):
        return sentence[:1].upper() + sentence[1:]
    return f"That is not known: {sentence}"


def facts(summary: AuditSummary) -> tuple[Fact, ...]:
    """Noise, missing evidence, faithfulness."""
    return (
        _share(
            summary.noise,
            "gold that does not answer",
            ("gold passage", "does not answer", "do not answer"),
            f"whether the gold answers was {NOT_MEASURED} ({why_not(criterion_of(summary, ALIGNMENT), ALIGNMENT)})",
        ),
        _share(
            summary.missing,
            "turns that miss evidence",
            ("turn", "misses evidence", "miss evidence"),
            f"whether evidence is missing was {NOT_MEASURED} "
            f"({why_not(criterion_of(summary, COMPLETENESS), COMPLETENESS)})",
        ),
        _faithfulness(summary),
    )


def judged_by(summary: AuditSummary) -> str:
    """How many of how many turns were judged, and by whom."""
    turns = f"{of(summary.turns, summary.turns_of)} {'turn' if summary.turns_of == 1 else 'turns'}"
    verb = "was" if summary.turns == 1 else "were"
    judged = f"{turns} ({counted(summary.conversations, 'conversation')}) {verb} judged"
    if not summary.judges:
        return f"{judged}, by nobody"
    if len(summary.judges) == 1:
        return f"{judged} by one judge, {summary.judges[0]}, so that agreement is not known"
    return f"{judged} by {len(summary.judges)} judges, {listed(summary.judges)}, tallied by {summary.rule}"


def _share(share: Share | None, name: str, words: tuple[str, str, str], not_known: str) -> Fact:
    if share is None or share.share is None:
        return Fact(name=name, text=NOT_MEASURED, small=(not_known,), clause=not_known, measured=False)
    item, one, many = words
    count = f"{share.count:,} of {counted(share.measured, item)}"
    percent, bounds = number(share.share, "share"), in_words(share, "share")
    unmeasured = share.asked - share.measured
    rest = [f"{unmeasured:,} of {share.asked:,} {NOT_MEASURED}"] if unmeasured else []
    return Fact(
        name=name,
        text=percent,
        small=(count, bounds, *rest),
        clause=f"{count} ({', '.join([percent, bounds, *rest])}) {one if share.count == 1 else many}",
        dots=dots(share, "share"),
        measured=True,
    )


def _faithfulness(summary: AuditSummary) -> Fact:
    name = "faithfulness of answers, of 5"
    one = criterion_of(summary, FAITHFULNESS)
    if one is None or one.mean.mean is None:
        words = f"how faithful the answers are was {NOT_MEASURED} ({why_not(one, FAITHFULNESS)})"
        return Fact(name=name, text=NOT_MEASURED, small=(words,), clause=words, measured=False)
    score, small = number(one.mean.mean, "scale"), _measured(one.mean)
    return Fact(
        name=name,
        text=score,
        small=small,
        clause=f"the answers score {score} of 5 in faithfulness ({', '.join(small)})",
        dots=dots(one.mean, "scale"),
        measured=True,
    )


def _measured(mean: Mean) -> tuple[str, ...]:
    turns = "turn" if mean.asked == 1 else "turns"
    return in_words(mean, "scale"), f"{of(mean.measured, mean.asked)} {turns} measured"
