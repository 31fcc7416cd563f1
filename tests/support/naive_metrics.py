"""Metrics once more, one query at a time in plain Python: the oracle of the vectorised ones."""

import math
import struct
from collections.abc import Mapping, Sequence


def in_order(scores: Mapping[str, float]) -> list[str]:
    """Passages by 32-bit score, then id, both descending: sorted twice, by the lesser key first."""
    by_id = sorted(scores, reverse=True)
    return sorted(by_id, key=lambda one: -struct.unpack("f", struct.pack("f", scores[one]))[0])


def naive(measure: str, ranking: Sequence[str], grades: Mapping[str, int], k: int | None, rel: int = 1) -> float:
    """One metric of one query."""
    top = list(ranking if k is None else ranking[:k])
    relevant = {one for one, grade in grades.items() if grade >= rel}
    found = [one for one in top if one in relevant]
    match measure:
        case "P":
            assert k is not None
            return len(found) / k
        case "R":
            return len(found) / len(relevant) if relevant else 0.0
        case "F1":
            p, r = naive("P", ranking, grades, k, rel), naive("R", ranking, grades, k, rel)
            return 2 * p * r / (p + r) if p + r else 0.0
        case "Success":
            return float(bool(found))
        case "MRR":
            return 1 / (top.index(found[0]) + 1) if found else 0.0
        case "MAP":
            return sum(naive("P", top, grades, top.index(one) + 1, rel) for one in found) / max(len(relevant), 1)
        case "judged":
            return sum(one in grades for one in top) / len(top) if top else 0.0
        case "nDCG" | "nDCG_exp":
            best = _dcg(measure, sorted(grades.values(), reverse=True)[:k])
            return _dcg(measure, [grades.get(one, 0) for one in top]) / best if best else 0.0
    raise AssertionError(measure)


def _dcg(measure: str, grades: Sequence[int]) -> float:
    total = 0.0
    for rank, grade in enumerate(grades, 1):
        if grade > 0:
            total += (grade if measure == "nDCG" else 2**grade - 1) / math.log2(rank + 1)
    return total
