"""How the report writes numbers: always with their interval and how many of how many were measured."""

from typing import Literal

from mtr.evaluation.intervals import Mean, Share
from mtr.verdicts import JudgedBy

Unit = Literal["scale", "share"]
NOT_MEASURED = "not measured"
PERCENT = "\u00a0%"
"""Never at the beginning of a line."""


def unit_of(reply: JudgedBy) -> Unit:
    """Scales and claims are scored 1 to 5; yes or no and a choice give a share."""
    return "scale" if reply in {"scale", "claims"} else "share"


def number(value: float, unit: Unit) -> str:
    """A score with two decimals, a share in per cent with one."""
    return f"{value:.2f}" if unit == "scale" else f"{_percent(value)}{PERCENT}"


def interval(low: float | None, high: float | None, clusters: int, unit: Unit) -> str:
    """Both ends, or why there are none."""
    if low is None or high is None:
        return "no interval: fewer than two conversations" if clusters < 2 else "no interval"
    if unit == "scale":
        return f"{low:.2f} to {high:.2f}"
    return f"{_percent(low)} to {_percent(high)}{PERCENT}"


def interval_of(value: Mean | Share, unit: Unit) -> str:
    """The interval of a mean or share, or why there is none."""
    return interval(value.low, value.high, value.clusters, unit)


def in_words(value: Mean | Share, unit: Unit) -> str:
    """The interval named as one, for running text."""
    written = interval_of(value, unit)
    return written if written.startswith("no interval") else f"95{PERCENT} interval {written}"


def of(count: int, whole: int) -> str:
    """`1,290 of 1,300`."""
    return f"{count:,} of {whole:,}"


def counted(count: int, one: str, many: str = "") -> str:
    """`1 turn`, `1,300 turns`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def listed(names: tuple[str, ...]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def spoken(name: str) -> str:
    """A criterion's or move's name as words."""
    return name.replace("_", " ")


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
