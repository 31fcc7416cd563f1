"""What a model's probability of yes has to reach; a property of the model and a language, kept with their names."""

import math
import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, model_validator

from mtr.errors import InputError
from mtr.records import Record

_SUREST = 0.001
_LANGUAGE = re.compile("[a-z]{2,3}")


def lead(gold: float, other: float) -> float:
    """How far the gold is ahead of another passage, in log-odds of P(yes).

    A difference of probabilities would say less the surer a model is: .99 against .90 is a wide lead, .59 against .50
    is none. A probability nearer to 0 or 1 than .001 counts as that far from it: smaller digits say nothing.
    """
    return _log_odds(gold) - _log_odds(other)


def _log_odds(probability: float) -> float:
    kept = min(max(probability, _SUREST), 1 - _SUREST)
    return math.log(kept / (1 - kept))


class Thresholds(Record):
    """Cuts on P(yes), and the least lead in log-odds: of the gold, and of several gold passages over the rest of them.

    The defaults serve a model that nobody has measured: plain majority, and a clear margin.
    """

    gold: float = Field(default=0.5, ge=0, le=1)
    together: float = Field(default=0.5, ge=0, le=1)
    margin: float = Field(default=0.8, ge=0, le=10)
    need: float = Field(default=0.8, ge=0, le=10)
    support: float = Field(default=0.5, ge=0, le=1)
    claim: float = Field(default=0.5, ge=0, le=1)
    second_gold: float = Field(default=0.8, ge=0, le=1)

    @model_validator(mode="before")
    @classmethod
    def _together_as_gold(cls, cuts: Any) -> Any:
        return {"together": cuts["gold"], **cuts} if isinstance(cuts, dict) and "gold" in cuts else cuts

    def is_gold(self, probability: float | None, written: bool) -> bool:
        """Whether a passage answers: by probability, or by the written word where the endpoint gives none."""
        return written if probability is None else probability >= self.gold

    def answer_together(self, probability: float | None, written: bool) -> bool:
        """Whether several gold passages answer; the cut is that of `gold` where it has none of its own."""
        return written if probability is None else probability >= self.together

    def rivals(self, other: float | None, written: bool, gold: float | None) -> bool:
        """Whether another passage answers as well, or comes within the margin of the gold."""
        return written if other is None or gold is None else lead(gold, other) < self.margin

    def suffices(self, rest: float | None, written: bool, together: float | None) -> bool:
        """Whether the rest of a passage set answers too, or comes within `need` of the whole set."""
        return written if rest is None or together is None else lead(together, rest) < self.need

    def is_second_gold(self, probability: float | None, written: bool) -> bool:
        """Whether a rival is sure enough to be a further gold."""
        return written if probability is None else probability >= self.second_gold

    def is_stated(self, probability: float | None, written: bool) -> bool:
        """Whether the spans quoted for a claim state it."""
        return written if probability is None else probability >= self.claim

    def is_supported(self, probability: float | None, written: bool) -> bool:
        """Whether the answer is faithful."""
        return written if probability is None else probability >= self.support


OwnThresholds = Mapping[str, Mapping[str, float | Mapping[str, float]]]
"""By model, its cuts by name; under the name of a language, those that are others in it."""


def thresholds_for(model: str, language: str, own: OwnThresholds | None = None) -> Thresholds:
    """The cuts of a model in a language: the user's `own`, from mtr.toml, else those measured, else the defaults.

    Raises:
        InputError: when the user's table for the model has an unknown name or a number out of range.
    """
    if not own or model not in own:
        return Thresholds(**_in_language(_measured().get(model, {}), language))
    if strange := [n for n, cuts in own[model].items() if isinstance(cuts, Mapping) and not _LANGUAGE.fullmatch(n)]:
        raise InputError(f'mtr.toml: [thresholds."{model}".{strange[0]}]: not the code of a language, such as zh')
    try:
        return Thresholds(**_in_language(own[model], language))
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(f'mtr.toml: [thresholds."{model}"] {first["loc"][0]}: {first["msg"]}') from error


def _in_language(row: Mapping[str, float | Mapping[str, float]], language: str) -> dict[str, float]:
    """A row without its languages, the cuts of one of them in place of the row's own."""
    cuts = {name: value for name, value in row.items() if not isinstance(value, Mapping)}
    other = row.get(language, {})
    return {**cuts, **other} if isinstance(other, Mapping) else cuts


@lru_cache(maxsize=1)
def _measured() -> OwnThresholds:
    return tomllib.loads((Path(__file__).parent / "thresholds.toml").read_text(encoding="utf-8"))
