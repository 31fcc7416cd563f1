"""Summaries of audits for tests of reports: every number of one is different, so that a mix-up shows."""

from mtr.datasets.records import AnyPassage, Said
from mtr.evaluation.agreement import Agreement
from mtr.evaluation.audit_records import AuditSummary, CriterionSummary, Group, JudgePositions, JudgeSummary
from mtr.evaluation.findings import Finding
from mtr.evaluation.intervals import Mean, Share
from mtr.evaluation.positions import PositionTest
from mtr.evaluation.report import FindingTexts
from mtr.verdicts import ALIGNMENT, COMPLETENESS, FAITHFULNESS, QUALITY, JudgedBy
from support.html_pages import ATTACK

THREE = ("local/small", "house/large", "house/other")


def make_mean(mean: float | None, measured: int = 0, asked: int = 0) -> Mean:
    """With an interval of a tenth to both sides; none measured has none."""
    if mean is None:
        return Mean(mean=None, low=None, high=None, measured=0, asked=asked, clusters=0)
    return Mean(mean=mean, low=mean - 0.1, high=mean + 0.1, measured=measured, asked=asked, clusters=45)


def make_share(count: int, measured: int, asked: int) -> Share:
    """With an interval of two hundredths to both sides."""
    share = count / measured
    return Share(
        share=share, low=share - 0.02, high=share + 0.02, count=count, measured=measured, asked=asked, clusters=45
    )


def make_criterion(name: str, reply: JudgedBy, mean: Mean, *judges: str, **changes: object) -> CriterionSummary:
    """A criterion with every count, asked of the judges; each judge a little lower than the one before."""
    level = "nominal" if reply in {"yes_no", "choice"} else "ordinal"
    agreed = Agreement(
        items=271, judges=3, level=level, alpha=0.612, kappa=0.534, kappa_items=263, exact=0.7184, within_one=0.905
    )
    rows = tuple(_judge(judge, mean, place) for place, judge in enumerate(judges))
    summary = CriterionSummary(
        criterion=name,
        description=f"What {name} asks.",
        reply=reply,
        mean=mean,
        without_writers=None,
        unasked={},
        asks=1301,
        unreadable=17,
        abstained=19,
        ties=23,
        splits=29,
        adjudicated=27,
        agreement=agreed if len(judges) > 1 else None,
        judges=rows,
        by_turn=(Group(name="1", mean=make_mean(0.91, 101, 102)), Group(name="2", mean=make_mean(None, 0, 7))),
        by_move=(Group(name="follow_up", mean=make_mean(0.83, 103, 104)),),
        by_subset=(),
    )
    return summary.model_copy(update=changes)


def _judge(name: str, mean: Mean, place: int) -> JudgeSummary:
    lower = None if mean.mean is None else round(mean.mean - place / 50, 4)
    return JudgeSummary(
        judge=name, mean=make_mean(lower, mean.measured - place, mean.asked), unreadable=2, abstained=3, wrote=place
    )


def make_summary(dataset: str = "towers", judges: tuple[str, ...] = THREE, **changes: object) -> AuditSummary:
    """An audit in which quality was not measured, for want of answers of some turns, and one judge leans."""
    others = make_mean(4.21, 277, 290)
    criteria = (
        make_criterion(ALIGNMENT, "scale", make_mean(4.3123, 281, 290), *judges, without_writers=others),
        make_criterion(COMPLETENESS, "choice", make_mean(0.8641, 279, 289), *judges),
        make_criterion(FAITHFULNESS, "claims", make_mean(4.0567, 266, 276), *judges, unasked={"it has no answer": 24}),
        make_criterion(QUALITY, "scale", make_mean(None), unasked={"it has no answer": 300}, by_turn=(), by_move=()),
    )  # fmt: skip
    summary = AuditSummary(
        dataset=dataset,
        layout="own",
        turns=300,
        turns_of=1204,
        conversations=45,
        judges=judges,
        rule="mean",
        criteria=criteria,
        noise=make_share(24, 310, 318),
        missing=make_share(31, 287, 287),
        claims=make_share(777, 901, 901),
        completeness_scaled=1 + 4 * 0.8641,
        positions=tuple(JudgePositions(judge=judge, test=make_test(flagged=not n)) for n, judge in enumerate(judges)),
        notes=("The source names no answers for 24 turns.",),
    )
    return summary.model_copy(update=changes)


def make_test(*, flagged: bool) -> PositionTest:
    """A judge of 60 choices among three places that leans to the first where it is flagged."""
    return PositionTest(
        asked=64,
        measured=60,
        hits=22,
        counts=(57, 2, 1) if flagged else (21, 20, 19),
        expected=(20.4, 20.3, 19.3),
        statistic=98.76 if flagged else 0.03,
        p_value=0.0005 if flagged else 0.9876,
        flagged=flagged,
        favoured=0 if flagged else None,
    )


def unmeasured_summary() -> AuditSummary:
    """An audit in which no judge came to a verdict on anything."""
    nothing = make_mean(None, 0, 12)
    criteria = (
        make_criterion(ALIGNMENT, "scale", make_mean(None), unasked={"the corpus holds no text": 12}),
        make_criterion(FAITHFULNESS, "claims", nothing, "local/small", abstained=36, ties=0),
    )
    return make_summary(
        judges=("local/small",),
        turns=12,
        turns_of=12,
        criteria=criteria,
        noise=None,
        missing=None,
        claims=None,
        completeness_scaled=None,
        positions=(),
        notes=(),
    )


def make_findings(count: int = 3) -> list[Finding]:
    """Findings of turns c0::1, c1::1 and so on, of two kinds."""
    return [
        Finding(
            query_id=f"c{place}::1",
            conversation_id=f"c{place}",
            turn=1,
            kind="missing_evidence" if place % 2 else "noise",
            criterion=COMPLETENESS if place % 2 else ALIGNMENT,
            passage_id=f"q{place}" if place % 2 else f"p{place}",
            score=None if place % 2 else 1.75,
            weight=0.9,
            words=f"reason number {place}",
        )
        for place in range(count)
    ]


def make_texts(findings: list[Finding], words: str = "words") -> dict[str, FindingTexts]:
    """Texts for each finding; every one of them holds the words."""
    return {finding.query_id: _texts(finding, words) for finding in findings}


def _texts(finding: Finding, words: str) -> FindingTexts:
    number = finding.query_id.partition("::")[0][1:]
    named = {f"p{number}", finding.passage_id}
    return FindingTexts(
        query=f"query {number} {words}",
        history=(Said(speaker="user", text=f"before {words}"),),
        answer=f"answer {words}",
        gold=(f"p{number}",),
        passages={
            name: AnyPassage(passage_id=name, title=f"title {words}", text=f"passage {name} {words}") for name in named
        },
    )


def attacked() -> AuditSummary:
    """A summary every text of which attacks."""
    judge = f"local/{ATTACK}"
    one = make_criterion(f"own_{ATTACK}", "scale", make_mean(3.5, 5, 6), judge, description=ATTACK, unasked={ATTACK: 3})
    return make_summary(
        f"set {ATTACK}",
        (judge,),
        layout=ATTACK,
        criteria=(*make_summary(judges=(judge,)).criteria, one),
        positions=(JudgePositions(judge=judge, test=make_test(flagged=True)),),
        notes=(ATTACK,),
    )
