"""Names of metrics: `nDCG@10` in Python, on the command line and over a column of a table."""

import re
from collections.abc import Sequence
from typing import Literal, Self, get_args

from pydantic import Field, model_validator

from mtr.errors import InputError
from mtr.records import Record

Measure = Literal["R", "P", "F1", "Success", "MRR", "MAP", "nDCG", "nDCG_exp", "judged"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
LONG_NAMES: dict[str, Measure] = {"Recall": "R", "Precision": "P", "RR": "MRR", "AP": "MAP", "Hit": "Success"}
_NEEDS_CUTOFF = {"R", "P", "F1", "Success", "judged"}
_NO_REL = {"nDCG", "nDCG_exp", "judged"}
_FORM = re.compile(r"(?P<name>\w+)(?:\((?P<arguments>[^()]*)\))?(?:@(?P<cutoff>.*))?")


class Metric(Record):
    """A measure, the least grade that counts as relevant, and how many ranks are looked at (None: all).

    `str` is its one spelling: `R@5`, `R(rel=2)@5`, `MAP`. `parse_metrics` reads it back.
    """

    measure: Measure
    rel: int = Field(default=1, ge=1)
    cutoff: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        if self.cutoff is None and self.measure in _NEEDS_CUTOFF:
            raise ValueError(f"{self.measure} needs a cutoff, such as {self.measure}@10")
        if self.rel > 1 and self.measure in _NO_REL:
            raise ValueError(f"{self.measure} looks at grades themselves and takes no (rel=N)")
        return self

    def __str__(self) -> str:
        rel = "" if self.rel == 1 else f"(rel={self.rel})"
        return f"{self.measure}{rel}" + ("" if self.cutoff is None else f"@{self.cutoff}")


DEFAULT_METRICS = (
    Metric(measure="R", cutoff=1),
    Metric(measure="R", cutoff=5),
    Metric(measure="R", cutoff=20),
    Metric(measure="MRR", cutoff=20),
    Metric(measure="nDCG", cutoff=20),
)


def parse_metrics(names: Sequence[str]) -> tuple[Metric, ...]:
    """Read metrics, each once, in order; Recall, Precision, RR, AP and Hit are other names of R, P, MRR, MAP, Success.

    InputError lists everything that is wrong in any of them.
    """
    read = [_parse(name.strip()) for name in names]
    faults = [fault for _, found in read for fault in found]
    if faults:
        raise InputError("; ".join(faults))
    return tuple(dict.fromkeys(metric for metric, _ in read if metric is not None))


def _parse(name: str) -> tuple[Metric | None, list[str]]:
    """The metric, or what is wrong with its name."""
    form = _FORM.fullmatch(name)
    if form is None:
        return None, [f"metric {name!r} is not of the form nDCG@10, MAP or R(rel=2)@10"]
    faults: list[str] = []
    measure = next((one for one in MEASURES if one == form["name"]), LONG_NAMES.get(form["name"]))
    if measure is None:
        faults.append(f"metric {name!r}: {form['name']!r} is none of {', '.join((*MEASURES, *LONG_NAMES))}")
    rel = _rel(name, form["arguments"], measure, faults)
    cutoff = _cutoff(name, form["cutoff"], measure, faults)
    if measure is None or faults:
        return None, faults
    return Metric(measure=measure, rel=rel, cutoff=cutoff), []


def _rel(name: str, arguments: str | None, measure: Measure | None, faults: list[str]) -> int:
    if arguments is None:
        return 1
    match = re.fullmatch(r"\s*rel\s*=\s*([1-9][0-9]{0,8})\s*", arguments)
    if match is None:
        faults.append(f"metric {name!r}: ({arguments}) is not (rel=N) with a whole grade of 1 or more")
    if measure in _NO_REL:
        faults.append(f"metric {name!r}: {measure} looks at grades themselves and takes no (rel=N)")
    return int(match[1]) if match else 1


def _cutoff(name: str, text: str | None, measure: Measure | None, faults: list[str]) -> int | None:
    if text is None:
        if measure in _NEEDS_CUTOFF:
            faults.append(f"metric {name!r} needs a cutoff, such as {name}@10")
        return None
    if not re.fullmatch("[1-9][0-9]{0,8}", text):
        faults.append(f"metric {name!r}: the cutoff {text!r} is not a whole number of 1 or more")
        return None
    return int(text)
