"""What each check let through, over all attempts of a set: read off the steps of the graph."""

import re
from collections import Counter
from collections.abc import Iterable

from mtr.questions.records import Attempted
from mtr.questions.tiers import Tier
from mtr.records import Record

CHECKS = (
    "check_query",
    "verify_need",
    "verify_absence",
    "check_evidence",
    "verify_evidence",
    "check_context",
)
REPEAT = "no repeat"
_REJECTED = "rejected: "
_VARYING = re.compile(r"'[^']*'|\"[^\"]*\"|“[^”]*”|「[^」]*」|\d+")
_DETAIL = re.compile(r": |：")
_REASONS = 5


class Reason(Record):
    """Why drafts were rejected, with what varies left out, and how often."""

    reason: str
    count: int


class Check(Record):
    """A check of one tier: drafts it saw, those it let through, and its commonest reasons."""

    check: str
    tier: Tier
    seen: int
    passed: int
    reasons: tuple[Reason, ...] = ()


class Acceptance:
    """Counts checks while attempts go by, so that they need not be in memory together."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[str, Tier]] = Counter()
        self._reasons: dict[tuple[str, Tier], Counter[str]] = {}

    def add(self, tier: Tier, attempted: Attempted, *, repeats: bool) -> None:
        """Count the steps of one attempt; `repeats`: its question was taken back because it repeats another."""
        for step in attempted.steps:
            if step.node in CHECKS:
                self._count(step.node, tier, step.outcome)
        if attempted.question is not None:
            self._count(REPEAT, tier, f"{_REJECTED}it repeats an earlier query" if repeats else "")

    def checks(self) -> tuple[Check, ...]:
        """Every check that saw a draft, in the order of the graph."""
        places = {name: place for place, name in enumerate((*CHECKS, REPEAT))}
        return tuple(
            Check(
                check=check,
                tier=tier,
                seen=seen,
                passed=seen - self._reasons.get((check, tier), Counter()).total(),
                reasons=tuple(_commonest(self._reasons.get((check, tier), Counter()))),
            )
            for (check, tier), seen in sorted(self._seen.items(), key=lambda one: (places[one[0][0]], one[0][1]))
        )

    def _count(self, check: str, tier: Tier, outcome: str) -> None:
        self._seen[check, tier] += 1
        if outcome.startswith(_REJECTED):
            reason = _VARYING.sub("…", outcome.removeprefix(_REJECTED))
            self._reasons.setdefault((check, tier), Counter())[_DETAIL.split(reason)[0]] += 1


def _commonest(reasons: Counter[str]) -> Iterable[Reason]:
    ordered = sorted(reasons.items(), key=lambda one: (-one[1], one[0]))
    return (Reason(reason=reason, count=count) for reason, count in ordered[:_REASONS])
