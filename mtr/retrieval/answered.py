"""What a retriever of the user's own answered, checked before anything is computed from it."""

from collections.abc import Iterable, Mapping, Sequence

from mtr.errors import InputError
from mtr.relevance import Run


def run_of(name: str, queries: Mapping[str, str], k: int, answer: object) -> Run:
    """A run of `answer`: a `Run`, or query_id → ranking, a ranking being ids or (id, score) pairs, the best first.

    A ranking of ids alone keeps its order; of more than k passages the best k are kept. InputError names the query:
    one that is not answered, one that was not asked, an id that is not text, a score that is not a finite number.
    """
    given = answer.rankings if isinstance(answer, Run) else answer
    if not isinstance(given, Mapping):
        raise InputError(f"retriever {name} answered {_shown(answer)}; it must map each query id to its ranking")
    if lost := [one for one in queries if one not in given]:
        raise InputError(f"retriever {name} left {len(lost)} of {len(queries)} queries out, such as {lost[0]!r}; "
                         "a query that finds nothing has an empty ranking")  # fmt: skip
    if strange := [one for one in given if one not in queries]:
        raise InputError(f"retriever {name} answered the query {strange[0]!r}, which it was not asked")
    ranked = Run.ranked(name, {query_id: _pairs(name, query_id, given[query_id]) for query_id in queries})
    return Run.ranked(name, {query_id: list(ranking)[:k] for query_id, ranking in ranked.rankings.items()})


def _pairs(name: str, query_id: str, ranking: object) -> list[tuple[str, float]]:
    where = f"retriever {name}: query {query_id!r}"
    if not isinstance(ranking, Iterable) or isinstance(ranking, str | bytes | Mapping):
        raise InputError(f"{where}: {_shown(ranking)} is no ranking; it is a list of ids or of [id, score]")
    found = list(ranking)
    if all(isinstance(one, str) for one in found):
        return [(one, float(len(found) - place)) for place, one in enumerate(found)]
    return [_pair(where, one) for one in found]


def _pair(where: str, one: object) -> tuple[str, float]:
    if not isinstance(one, Sequence) or isinstance(one, str) or len(one) != 2:
        raise InputError(f"{where}: {_shown(one)} is not [id, score]; a ranking holds ids only, or pairs only")
    passage_id, score = one
    try:
        return passage_id, float(score)
    except (TypeError, ValueError) as error:
        raise InputError(f"{where}: passage {_shown(passage_id)}: the score {_shown(score)} is no number") from error


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
