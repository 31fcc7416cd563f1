"""Faults planted in a clean set: 60 turns of 20 invented places, 20 wrong gold passages, 20 missing, 20 wrong answers.

    python -m benchmarks.planted [--judge MODEL …] [--criteria NAME …] [--count 60] [--orders 3]

Every turn has one fault, so each criterion is right on the turns with its own kind and wrong on all others. Replies are
on the ledger of `MTR_HOME`: the same command goes on where it was stopped.
"""

import argparse
import asyncio
import sys

from benchmarks.judged import SEED, Judging, judged_by, print_rows, shown
from benchmarks.planted.planting import Planted, places, planted
from benchmarks.planted.scoring import MEANT_FOR, Found, found_by
from mtr.errors import MtrError
from mtr.evaluation.resampling import Interval
from mtr.judging import asking
from mtr.settings import load_settings
from mtr.verdicts import criterion

DOMAIN = "general"
HEADINGS = ("criterion", "planted", "found", "recall", "alarms", "precision", "AUC", "measured", "calls", "s")


async def run(judges: list[str], criteria: list[str], faults: Planted) -> None:
    """Judge, and print a table for each judge as soon as it is done."""
    for judge in judges:
        rows: list[tuple[str, ...]] = []
        for name in criteria:
            judging = await judged_by(judge, name, faults.dataset, DOMAIN)
            rows += [row(found, judging) for found in found_by(criterion(DOMAIN, name), judging.turns, faults)]
        print(f"\n`{judge}`, {len(faults.dataset.turns)} turns, intervals 95 % (Wilson):\n")
        print_rows(HEADINGS, rows)


def row(found: Found, judging: Judging) -> tuple[str, ...]:
    """A row of the table."""
    return (
        found.how,
        found.kind,
        f"{found.found} of {found.planted}",
        _share(found.found, found.planted, found.recall),
        f"{found.alarms}, {found.found} right",
        _share(found.found, found.alarms, found.precision),
        shown(found.area),
        f"{found.measured} of {found.asked}",
        str(judging.calls),
        f"{judging.seconds:.0f}",
    )


def _share(count: int, of: int, interval: Interval) -> str:
    return shown(count / of if of else None, interval)


def main() -> int:
    """Read the command line and measure; 2 for an order that cannot be carried out."""
    parser = argparse.ArgumentParser(description="Planted faults before judges")
    parser.add_argument("--judge", action="append", help="endpoint/model, once for each; the embedded one without")
    parser.add_argument("--criteria", action="append", choices=list(MEANT_FOR), help="once for each; all without")
    parser.add_argument("--count", type=int, default=60, help="turns, in whole conversations of three")
    parser.add_argument("--orders", type=int, default=asking.ORDERS, choices=(1, 2, 3), help="orders of candidates")
    order = parser.parse_args()
    asking.ORDERS = order.orders
    judges, criteria = order.judge or [load_settings().model_for("judge")], order.criteria or list(MEANT_FOR)
    try:
        asyncio.run(run(judges, criteria, planted(places(), order.count, SEED)))
    except MtrError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
