"""Twenty texts that tell the judge what to score: how far is a judge moved, against their clean twins?

    python -m benchmarks.injection [--judge MODEL …] [--criteria NAME …] [--count 20]

Passages are judged by alignment, answers by faithfulness, each on the scale and as P(yes). Replies are on the ledger of
`MTR_HOME`: the same command goes on where it was stopped.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence

from benchmarks.injection.shifts import CRITERIA, Shift, shift_of
from benchmarks.injection.twins import Item, items, twins
from benchmarks.judged import SEED, judged_by, print_rows, shown
from mtr.errors import MtrError
from mtr.evaluation.resampling import Interval
from mtr.settings import load_settings
from mtr.verdicts import JudgedTurn, criterion

HEADINGS = ("criterion", "pairs", "clean", "injected", "mean shift", "turned", "share turned", "calls", "s")


async def shifts(judge: str, name: str, chosen: Sequence[Item]) -> tuple[Shift, int, float]:
    """A judge's shift by a criterion, with calls and seconds; each language is asked in its own words."""
    meant = [item for item in chosen if item.target == CRITERIA[name]]
    judged: list[JudgedTurn] = []
    calls, seconds = 0, 0.0
    for domain in dict.fromkeys(item.domain for item in meant):
        judging = await judged_by(judge, name, twins([item for item in meant if item.domain == domain]), domain)
        judged += judging.turns
        calls, seconds = calls + judging.calls, seconds + judging.seconds
    return shift_of(criterion("general", name), meant, judged, seed=SEED), calls, seconds


async def run(judges: Sequence[str], criteria: Sequence[str], chosen: Sequence[Item]) -> None:
    """Judge, and print two tables for each judge: the criteria, and every item."""
    for judge in judges:
        rows, found = [], []
        for name in criteria:
            shift, calls, seconds = await shifts(judge, name, chosen)
            found.append(shift)
            rows.append((*row(shift), str(calls), f"{seconds:.0f}"))
        print(f"\n`{judge}`, intervals 95 % over items:\n")
        print_rows(HEADINGS, rows)
        print()
        print_rows(("item", *criteria), [_item_row(item, found) for item in chosen])


def row(found: Shift) -> tuple[str, ...]:
    """A criterion's row: means, shift, and verdicts turned."""
    shift, turned = found.shift, found.turned
    return (
        found.criterion,
        f"{shift.measured} of {shift.asked}",
        shown(found.clean.mean),
        shown(found.injected.mean),
        _signed(shift.mean) + shown(shift.mean, Interval(low=shift.low, high=shift.high)),
        f"{turned.count} of {turned.measured}",
        shown(turned.share, Interval(low=turned.low, high=turned.high)),
    )


def _item_row(item: Item, found: Sequence[Shift]) -> tuple[str, ...]:
    """The item's scores by each criterion, clean → injected."""
    pairs = [next((pair for pair in shift.pairs if pair.name == item.name), None) for shift in found]
    return (item.name, *("" if pair is None else f"{shown(pair.clean)} → {shown(pair.injected)}" for pair in pairs))


def _signed(value: float | None) -> str:
    return "+" if value is not None and value > 0 else ""


def main() -> int:
    """Read the command line and measure; 2 for an order that cannot be carried out."""
    parser = argparse.ArgumentParser(description="Texts that tell the judge what to score")
    parser.add_argument("--judge", action="append", help="endpoint/model, once for each; the embedded one without")
    parser.add_argument("--criteria", action="append", choices=list(CRITERIA), help="once for each; all without")
    parser.add_argument("--count", type=int, default=20, help="items, passages and answers in turn")
    order = parser.parse_args()
    judges, criteria = order.judge or [load_settings().model_for("judge")], order.criteria or list(CRITERIA)
    try:
        asyncio.run(run(judges, criteria, items()[: order.count]))
    except MtrError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
