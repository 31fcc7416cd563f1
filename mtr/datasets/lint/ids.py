"""Rules about ids: given twice, of another type, alike to the eye, or spelt otherwise in the qrels."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from mtr.datasets.lint.finding import Hit, Rule
from mtr.datasets.lint.material import Material
from mtr.datasets.lint.rows import Place, QrelRow
from mtr.datasets.lint.text_keys import difference, visible_id


class _Keyed(NamedTuple):
    """An id with what stands under it; ids of one `part` must be unique."""

    part: str
    place: Place
    identifier: str
    key: bytes | None


def _passages(material: Material) -> Iterator[_Keyed]:
    return (_Keyed("", row.place, row.passage_id, row.key) for row in material.passages)


def _queries(material: Material) -> Iterator[_Keyed]:
    for row in material.queries:
        yield _Keyed(f"{row.part}\n{row.place.file}", row.place, row.query_id, row.key)


def _given_twice(
    material: Material, *, rows: Callable[[Material], Iterator[_Keyed]], other_text: bool
) -> Iterator[Hit]:
    first: dict[tuple[str, str], _Keyed] = {}
    for row in rows(material):
        before = first.setdefault((row.part, row.identifier), row)
        if before is row or (before.key != row.key) != other_text:
            continue
        text = "another text" if other_text else "the same text"
        yield Hit(row.place, row.identifier, f"{row.identifier!r} stands{_at(before.place)} already, with {text}")


def _at(place: Place) -> str:
    return "" if place.line is None else f" in line {place.line}"


def _of_another_type(material: Material) -> Iterator[Hit]:
    return (Hit(fault.place, fault.id, fault.message) for fault in material.faults if fault.id_only)


def _alike(material: Material) -> Iterator[Hit]:
    for places in (_first_places(material), material.query_places):
        first: dict[str, str] = {}
        for identifier, place in places.items():
            other = first.setdefault(visible_id(identifier), identifier)
            if other != identifier:
                what = difference(identifier, other)
                yield Hit(place, identifier, f"{identifier!r} and {other!r} differ by {what} only")


def _first_places(material: Material) -> Mapping[str, Place]:
    places: dict[str, Place] = {}
    for row in material.passages:
        places.setdefault(row.passage_id, row.place)
    return places


def _spelt_otherwise(material: Material, *, queries: bool) -> Iterator[Hit]:
    """Ids of the qrels that are not known as written, but are as a reader sees them."""
    known: Collection[str] = material.query_places if queries else material.passage_ids
    seen = {visible_id(identifier): identifier for identifier in known}
    for row in material.qrels:
        written = row.query_id if queries else row.passage_id
        meant = None if written in known else seen.get(visible_id(written))
        if meant is not None:
            where = "the queries have" if queries else "the corpus has"
            message = f"{where} {meant!r}, the qrels {written!r}: they differ by {difference(written, meant)} only"
            yield Hit(row.place, written, message)


def _unknown(material: Material, *, queries: bool) -> Iterator[Hit]:
    """Ids of the qrels that stand for nothing; what is only spelt otherwise is told by another rule."""
    known: Collection[str] = material.query_places if queries else material.passage_ids
    seen = {visible_id(identifier) for identifier in known}
    for row in material.qrels:
        written = row.query_id if queries else row.passage_id
        if written in known or visible_id(written) in seen or not _must_be_known(material, row, queries):
            continue
        where = "among the queries" if queries else f"in the corpus; it is gold of {row.query_id!r}"
        yield Hit(row.place, written, f"{written!r} is not {where}")


def _must_be_known(material: Material, row: QrelRow, queries: bool) -> bool:
    """A passage judged as no gold may be missing, and so may all where there is no corpus."""
    corpus = bool(material.passages) and row.place.file not in material.without_corpus
    return bool(material.queries) if queries else corpus and row.grade > 0


ID_RULES = (
    Rule(
        "passage-id-conflict",
        "error",
        "one passage id with two texts",
        partial(_given_twice, rows=_passages, other_text=True),
    ),
    Rule(
        "passage-id-repeat",
        "warning",
        "a passage given twice",
        partial(_given_twice, rows=_passages, other_text=False),
    ),
    Rule(
        "query-id-conflict",
        "error",
        "one query id with two texts",
        partial(_given_twice, rows=_queries, other_text=True),
    ),
    Rule(
        "query-id-repeat",
        "warning",
        "a query given twice",
        partial(_given_twice, rows=_queries, other_text=False),
    ),
    Rule("id-type", "error", "an id that is a number where the qrels hold text", _of_another_type),
    Rule("id-look-alike", "warning", "two ids that a reader cannot tell apart", _alike),
    Rule(
        "gold-id-form",
        "error",
        "gold whose id is spelt otherwise than in the corpus",
        partial(_spelt_otherwise, queries=False),
    ),
    Rule("gold-missing", "error", "gold that is not in the corpus", partial(_unknown, queries=False)),
    Rule(
        "query-id-form", "error", "a judged query whose id is spelt otherwise", partial(_spelt_otherwise, queries=True)
    ),
    Rule("query-missing", "error", "a judged query that is not among the queries", partial(_unknown, queries=True)),
)
