"""From numbers to places on a picture, and round numbers to write at an axis."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mtr.evaluation.report.charts.records import Tick

_STEPS = (1, 2, 2.5, 5, 10)
_ROUND_LOGS = (1, 2, 5)


@dataclass(frozen=True)
class Scale:
    """Maps low … high onto start … end; everything onto the middle where there is only one number."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        low, high, at = (math.log10(one) for one in (self.low, self.high, value)) if self.log else (
            self.low, self.high, value)  # fmt: skip
        share = 0.5 if high == low else (at - low) / (high - low)
        return self.start + share * (self.end - self.start)


def scale(values: Sequence[float], start: float, end: float, *, log: bool = False) -> Scale:
    """From the least to the greatest of the values."""
    return Scale(min(values), max(values), start, end, log)


def ticks_from_zero(highest: float, most: int = 6) -> tuple[Tick, ...]:
    """Round numbers from 0 to the first that reaches `highest`, at most `most` steps."""
    if highest <= 0:
        return Tick(at=0, text="0"), Tick(at=1, text="1")
    rough = highest / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(one * power for one in _STEPS if one * power >= rough * (1 - 1e-9))
    count = math.ceil(highest / step - 1e-9)
    return tuple(Tick(at=place * step, text=f"{place * step:.10g}") for place in range(count + 1))


def log_ticks(values: Sequence[float]) -> tuple[Tick, ...]:
    """1, 2 and 5 times powers of ten around the values, which are above 0; 1 alone over more than three decades."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    steps = _ROUND_LOGS if high - low <= 3 else (1,)
    found = [step * 10.0**power for power in range(low, high + 1) for step in steps]
    below = max((one for one in found if one <= min(values) * (1 + 1e-9)), default=found[0])
    above = min((one for one in found if one >= max(values) * (1 - 1e-9)), default=found[-1])
    return tuple(Tick(at=one, text=f"{one:.10g}") for one in found if below <= one <= above)
