"""The tables of what was found, and the proposal."""

from collections.abc import Sequence

from benchmarks.thresholds.asking import Found, Ruled
from benchmarks.thresholds.cuts import (
    FALSE_PASS_OF_SECOND_GOLD,
    FALSE_PASS_OF_SUPPORT,
    area,
    best_cut,
    margin,
    print_cuts,
    strict_cut,
)
from mtr.thresholds import lead


def report(found: Found, model: str, language: str) -> None:
    """Print the tables and the proposal; rates alone where there were no log probabilities."""
    others = [ruled for ruling in found.others for ruled in ruling]
    wrong = [ruled for ruling in found.wrong.values() for ruled in ruling]
    if any(ruled.probability is None for ruled in (*found.gold, *others, *found.answers, *wrong)):
        _report_words(found, others, wrong)
        return
    gold, answers = _chances(found.gold), _chances(found.answers)
    print_cuts("the passage answers the query", gold, _chances(others))
    if answers:
        print_cuts("the answer is supported", answers, _chances(wrong))
    for kind, rulings in found.wrong.items():
        print(f"  {kind}: {len(rulings)} wrong, AUC {area(answers, _chances(rulings)):.3f}")
    rivals = [max(_chances(ruling), default=0.0) for ruling in found.others]
    leads = [lead(own, rival) for own, rival in zip(gold, rivals, strict=True)]
    cut = best_cut(gold, _chances(others))
    second = max(cut, strict_cut(gold, _chances(others), FALSE_PASS_OF_SECOND_GOLD))
    print("\nproposed for mtr/thresholds.toml, to be read beside the tables:\n")
    print(f'["{model}"{"" if language == "en" else f".{language}"}]\ngold = {cut:.2f}\nmargin = {margin(leads):.2f}')
    if answers:
        print(f"support = {strict_cut(answers, _chances(wrong), FALSE_PASS_OF_SUPPORT):.2f}")
    print(f"second_gold = {second:.2f}")


def _report_words(found: Found, others: Sequence[Ruled], wrong: Sequence[Ruled]) -> None:
    print("\nthe endpoint gives no log probabilities: the written word counts, and no row is needed")
    rows = {"the passage answers the query": (found.gold, others), "the answer is supported": (found.answers, wrong)}
    for title, (right, false) in rows.items():
        print(f"{title}: yes to {_yes(right)} of {len(right)} right, to {_yes(false)} of {len(false)} wrong")


def _chances(rulings: Sequence[Ruled]) -> list[float]:
    return [ruled.probability for ruled in rulings if ruled.probability is not None]


def _yes(rulings: Sequence[Ruled]) -> int:
    return sum(ruled.yes for ruled in rulings)
