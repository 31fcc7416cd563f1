"""One query's ranked passages, in the one order that all of MTR uses."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from mtr.errors import InputError


@dataclass(frozen=True, slots=True)
class Ranking:
    """Passages with their scores, the best first: by score as a 32-bit float, descending, then by id, descending.

    That is the order of trec_eval, which holds scores as C floats and breaks ties by `strcmp` from high to low. Made
    by `ranked`; `scores` are as they were given.
    """

    passage_ids: tuple[str, ...]
    scores: tuple[float, ...]

    @classmethod
    def ranked(cls, passages: Iterable[tuple[str, float]], where: str) -> Self:
        """Put passages of any order into ours.

        InputError: a passage stands twice, an id is not text, a score is not finite as a 32-bit float. `where` names
        the run and query in the message.
        """
        pairs = list(passages)
        ids, scores = tuple(one for one, _ in pairs), tuple(float(score) for _, score in pairs)
        with np.errstate(over="ignore"):
            held = np.array(scores, dtype=np.float64).astype(np.float32)
        _check(ids, scores, held, where)
        if (held[1:] < held[:-1]).all():
            return cls(ids, scores)
        order = [place for _, _, place in sorted(zip(held.tolist(), ids, range(len(ids)), strict=True), reverse=True)]
        return cls(tuple(ids[place] for place in order), tuple(scores[place] for place in order))

    def __len__(self) -> int:
        return len(self.passage_ids)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        """(passage_id, score), the best first."""
        return zip(self.passage_ids, self.scores, strict=True)


def _check(ids: tuple[str, ...], scores: tuple[float, ...], held: NDArray[np.float32], where: str) -> None:
    if not set(map(type, ids)) <= {str}:
        odd = next(one for one in ids if not isinstance(one, str))
        raise InputError(f"{where}: passage id {odd!r} is not text; ids are strings, also where they look like numbers")
    if len(set(ids)) < len(ids):
        twice = next(one for one, count in Counter(ids).items() if count > 1)
        raise InputError(f"{where}: passage {twice!r} stands twice; a ranking names a passage once")
    if not np.isfinite(held).all():
        place = int(np.flatnonzero(~np.isfinite(held))[0])
        score = scores[place]
        what = "is beyond a 32-bit float" if math.isfinite(score) else "is not a finite number"
        raise InputError(f"{where}: passage {ids[place]!r}: score {score} {what}; ranks cannot be told from it")
