"""The table of rules: errors first, then warnings, then notes, each in the order a reader mends them."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from mtr.datasets.lint.finding import Finding, Hit, Rule
from mtr.datasets.lint.ids import ID_RULES
from mtr.datasets.lint.language import LANGUAGE_RULES
from mtr.datasets.lint.material import Material
from mtr.datasets.lint.qrels import QREL_RULES
from mtr.datasets.lint.texts import TEXT_RULES
from mtr.datasets.lint.turns import TURN_RULES


def _refused(material: Material) -> Iterator[Hit]:
    if material.refusal:
        message = f"{material.refusal} (what needs turns was not checked)"
        yield Hit(material.whole, "", message)


def _bad_rows(material: Material) -> Iterator[Hit]:
    return (Hit(fault.place, fault.id, fault.message) for fault in material.faults if not fault.id_only)


_READING_RULES = (
    Rule("set-unreadable", "error", "the set's adapter refuses it", _refused),
    Rule("row-unreadable", "error", "a line that is no row of its file", _bad_rows),
)
_ALL = (*_READING_RULES, *ID_RULES, *QREL_RULES, *TEXT_RULES, *TURN_RULES, *LANGUAGE_RULES)
_ORDER = ("error", "warning", "note")

RULES: Mapping[str, Rule] = MappingProxyType(
    {rule.name: rule for severity in _ORDER for rule in _ALL if rule.severity == severity}
)


def examine(material: Material) -> Iterator[Finding]:
    """The findings of every rule, rule by rule, as they are found."""
    for rule in RULES.values():
        for hit in rule.find(material):
            yield Finding(
                rule=rule.name,
                severity=rule.severity,
                file=hit.place.file,
                line=hit.place.line,
                id=hit.id,
                message=hit.message,
            )
