"""From probabilities of right and wrong cases to a cut: area under the curve, recall, false passes, a proposal."""

from collections.abc import Sequence

from mtr.evaluation.cuts import area

GRID = (*(round(0.30 + 0.05 * step, 2) for step in range(13)), 0.92, 0.94, 0.96, 0.98)
MARGINS = tuple(round(0.05 * step, 2) for step in range(101))
FALSE_PASS_OF_SUPPORT, FALSE_PASS_OF_SECOND_GOLD, QUERIES_KEPT = 0.2, 0.05, 0.9


def share(values: Sequence[float], cut: float) -> float | None:
    """The share of the values that reach the cut; None of none."""
    return sum(value >= cut for value in values) / len(values) if values else None


def best_cut(right: Sequence[float], wrong: Sequence[float]) -> float:
    """The cut with the largest recall less false passes (Youden 1950); of equals the one in the middle."""
    gains = {cut: (share(right, cut) or 0.0) - (share(wrong, cut) or 0.0) for cut in GRID}
    equal = [cut for cut, gain in gains.items() if gain == max(gains.values())]
    return equal[len(equal) // 2]


def strict_cut(right: Sequence[float], wrong: Sequence[float], false_pass: float) -> float:
    """`best_cut`, or the lowest above it that lets no larger share of the wrong cases pass, if right ones reach it."""
    best = best_cut(right, wrong)
    higher = (cut for cut in GRID if cut >= best and share(right, cut))
    return next((cut for cut in higher if (share(wrong, cut) or 0.0) <= false_pass), best)


def margin(leads: Sequence[float]) -> float:
    """The widest margin that still keeps most queries; `leads` are in log-odds, a query each."""
    fitting = [width for width in MARGINS if (share(leads, width) or 0.0) >= QUERIES_KEPT]
    return fitting[-1] if fitting else MARGINS[0]


def print_cuts(title: str, right: Sequence[float], wrong: Sequence[float]) -> None:
    """Area, then recall and false passes at each cut, as a table."""
    found = area(right, wrong)
    print(
        f"\n{title}: {len(right)} right, {len(wrong)} wrong, AUC {'not measured' if found is None else f'{found:.3f}'}"
    )
    print("  cut   recall  false pass")
    for cut in GRID:
        print(f"  {cut:.2f}  {_shown(share(right, cut))}  {_shown(share(wrong, cut))}")


def _shown(value: float | None) -> str:
    return "     -" if value is None else f"{value:6.2f}"
