"""What every adapter does at the end: keep the first of what stands twice, and state what the source lacks."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

from mtr.datasets.foreign import read_lines, stem, wrong_field
from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Said
from mtr.errors import InputError


class Passages:
    """Passages by id. Of an id that stands more than once the first is kept, and the others are counted."""

    def __init__(self) -> None:
        self.found: dict[str, AnyPassage] = {}
        self._same = self._other = 0

    def add(self, passage: AnyPassage) -> None:
        """Take a passage in, unless its id is there."""
        first = self.found.setdefault(passage.passage_id, passage)
        if first is passage:
            return
        if (first.title, first.text) == (passage.title, passage.text):
            self._same += 1
        else:
            self._other += 1

    def notes(self, *, repeats: bool = False) -> Iterator[str]:
        """What stood twice. `repeats`: the source writes a passage wherever it uses it, so the same text is no news."""
        if self._same and not repeats:
            yield f"{self._same} lines of the corpus repeat a passage; the first is kept"
        if self._other:
            yield f"{self._other} passages have the id of another one with another text; the first is kept"


def read_corpus(path: Path, passages: Passages, subset: str = "") -> None:
    """Take in the lines of BEIR's `corpus.jsonl`, or of a collection with `id` and `contents`.

    A blank passage is a passage; one without an id is an error.
    """
    for number, line in read_lines(path, dict[str, object]):
        passages.add(_corpus_passage(line, f"{path}:{number}", subset))


def _corpus_passage(line: dict[str, object], where: str, subset: str) -> AnyPassage:
    about = line.get("metadata")
    document = about.get("doc_id") if isinstance(about, dict) else None
    heading = about.get("heading") if isinstance(about, dict) else None
    return passage_at(
        where,
        passage_id=line.get("_id", line.get("id")),
        title=line.get("title"),
        text=line.get("text", line.get("contents")),
        heading=heading,
        document_id=document,
        subset=subset,
    )


def passage_at(where: str, *, passage_id: object, text: object, **others: object) -> AnyPassage:
    """A passage of values as found: an id may be a number, what is null is left out; InputError names the field."""
    given = {name: value for name, value in others.items() if value is not None}
    identity = str(passage_id) if isinstance(passage_id, str | int) else passage_id
    try:
        return AnyPassage.model_validate({"passage_id": identity, "text": text, **given})
    except ValidationError as error:
        raise wrong_field(error, where) from error


def user(text: str) -> Said:
    """What the user said."""
    return Said(speaker="user", text=text)


def assistant(text: str) -> Said:
    """What the assistant said."""
    return Said(speaker="assistant", text=text)


def gather(  # noqa: PLR0913 - the parts of a data set
    path: Path,
    layout: str,
    passages: Passages,
    turns: Iterable[AnyTurn],
    *,
    notes: Sequence[str] = (),
    repeats: bool = False,
    licence: str | None = None,
    language: str | None = None,
) -> Dataset:
    """The data set, with notes on what stands twice and on what it lacks. InputError when it has no turn at all.

    `repeats` as in `Passages.notes`.
    """
    found, repeated = _first_of_each(turns)
    if not found:
        raise InputError(f"{path} has no turn in the layout {layout}; name another folder or another --format")
    twice = (f"{repeated} of {len(found) + repeated} turns have the id of another one; the first is kept",)
    lacking = (*_missing_gold(found, passages.found.keys()), *_lacking(found))
    return Dataset(
        name=stem(path) if path.is_file() else path.resolve().name,
        layout=layout,
        passages=passages.found,
        turns=found,
        language=language,
        licence=licence,
        notes=(*notes, *(twice if repeated else ()), *passages.notes(repeats=repeats), *lacking),
    )


def _first_of_each(turns: Iterable[AnyTurn]) -> tuple[tuple[AnyTurn, ...], int]:
    """The first turn of each query id, and how many were left out."""
    kept: dict[str, AnyTurn] = {}
    read = 0
    for turn in turns:
        read += 1
        kept.setdefault(turn.query_id, turn)
    return tuple(kept.values()), read - len(kept)


def _missing_gold(turns: Sequence[AnyTurn], present: Iterable[str]) -> Iterator[str]:
    known = set(present)
    for subset in sorted({turn.subset for turn in turns}):
        gold = {one.passage_id for turn in turns if turn.subset == subset for one in turn.gold}
        missing = len(gold - known)
        if missing:
            yield f"{subset + ': ' if subset else ''}{missing} of {len(gold)} gold passages are not in the corpus"


def _lacking(turns: Sequence[AnyTurn]) -> Iterator[str]:
    lacking = Counter[str]()
    for turn in turns:
        lacking["query"] += not turn.query.strip()
        lacking["standalone query"] += turn.standalone_query is None
        lacking["answer"] += turn.answer is None
        lacking["gold"] += not turn.gold
    yield from (f"{n} of {len(turns)} turns have no {what}" for what, n in lacking.items() if n)
    unanswerable = sum(turn.answerable is False for turn in turns)
    if unanswerable:
        yield f"{unanswerable} of {len(turns)} turns are unanswerable, says the source"
