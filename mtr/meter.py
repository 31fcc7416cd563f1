"""What the door has counted, with what is known of money."""

from collections.abc import Iterable

from mtr.llm import Door
from mtr.settings import Settings
from mtr.spent import Spent


def spent_by(door: Door) -> tuple[Spent, ...]:
    """By model and role, since the door was opened."""
    return tuple(_spent(total, door.settings) for total in door.usage())


def of_judges(usage: Iterable[Spent], *, judges: bool) -> tuple[Spent, ...]:
    """What judges have used, or all others: an audit beside a generation has an account of its own."""
    return tuple(one for one in usage if one.role.startswith("judges/") is judges)


def _spent(total: Spent, settings: Settings) -> Spent:
    """The embedded model is free, and so is what was only replayed; what was not measured has no price."""
    usd = None if total.unmeasured else total.usd
    if not total.calls or settings.endpoint_of(total.model).base_url is None:
        usd = 0.0
    return total.model_copy(update={"usd": usd})
