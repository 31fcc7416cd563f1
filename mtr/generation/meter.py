"""What the door has counted, in the manifest's words."""

from collections.abc import Iterable

from mtr.datasets.manifest import Spent
from mtr.llm import Door, UsageTotal
from mtr.settings import Settings


def spent_by(door: Door) -> tuple[Spent, ...]:
    """By model and role, since the door was opened."""
    return tuple(_spent(total, door.settings) for total in door.usage())


def of_judges(usage: Iterable[Spent], *, judges: bool) -> tuple[Spent, ...]:
    """What judges have used, or all others: an audit beside a generation has an account of its own."""
    return tuple(one for one in usage if one.role.startswith("judges/") is judges)


def _spent(total: UsageTotal, settings: Settings) -> Spent:
    """The embedded model is free, and so is what was only replayed; what was not measured has no price."""
    usd = None if total.unmeasured else total.usd
    if not total.calls or settings.endpoint_of(total.model).base_url is None:
        usd = 0.0
    return Spent(**total.model_dump(exclude={"usd"}), usd=usd)
