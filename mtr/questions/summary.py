"""summary.json of a question set: counts by tier, acceptance by check, strata, diversity."""

from collections import Counter
from collections.abc import Sequence

from mtr.questions.acceptance import Check
from mtr.questions.diversity import Diversity
from mtr.questions.plan import Plan
from mtr.questions.records import Brief
from mtr.questions.sampling import Quota, quotas_reached
from mtr.questions.strata import DIMENSIONS, Dimension
from mtr.questions.tiers import Tier
from mtr.records import Record


class TierCount(Record):
    """Questions of one tier asked for and delivered."""

    tier: Tier
    asked: int
    delivered: int


class Spread(Record):
    """One dimension of the strata: how many it has, how many had a quota and were reached, the largest share.

    `short` is how many questions are missing to all quotas together.
    """

    dimension: Dimension
    strata: int
    with_quota: int
    reached: int
    short: int
    most_from_one: int


class Summary(Record):
    """What a question set holds and what it took. `barren` passages were drawn and hold nothing to ask about."""

    tiers: tuple[TierCount, ...]
    acceptance: tuple[Check, ...]
    spread: tuple[Spread, ...]
    strata: tuple[Quota, ...]
    barren: int
    diversity: Diversity


def tier_table(plan: Plan, briefs: Sequence[Brief]) -> tuple[TierCount, ...]:
    """Each tier that was asked for."""
    asked, delivered = Counter(slot.tier for slot in plan.slots), Counter(one.tier for one in briefs)
    order: tuple[Tier, ...] = ("easy", "medium", "hard", "unanswerable")
    return tuple(TierCount(tier=tier, asked=asked[tier], delivered=delivered[tier]) for tier in order if asked[tier])


def strata_table(plan: Plan, briefs: Sequence[Brief]) -> tuple[Quota, ...]:
    """Each stratum's quota and what was reached."""
    return quotas_reached(plan.strata, Counter(one.anchor for one in briefs), len(plan.slots))


def spread(quotas: Sequence[Quota]) -> tuple[Spread, ...]:
    """The strata of each dimension, added up."""
    return tuple(
        _spread(dimension, [quota for quota in quotas if quota.dimension == dimension]) for dimension in DIMENSIONS
    )


def _spread(dimension: Dimension, quotas: Sequence[Quota]) -> Spread:
    return Spread(
        dimension=dimension,
        strata=len(quotas),
        with_quota=sum(one.quota > 0 for one in quotas),
        reached=sum(one.reached > 0 for one in quotas),
        short=sum(max(one.quota - one.reached, 0) for one in quotas),
        most_from_one=max((one.reached for one in quotas), default=0),
    )
