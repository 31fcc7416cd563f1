"""TopiOCQA: conversations that switch topic, over Wikipedia. CC BY-NC-SA 4.0 (no commercial use).

*.json                     a list: {"Conversation_no", "Turn_no", "Question", "Answer", "Topic", "Topic_section",
                           "Context": [query, answer, …], "Rationale", "Additional_answers"}
*gold_passages_info*.json  a list, in it {"conv_id", "turn_id", "positive_ctxs": [{"passage_id", "title", "text"}]},
                           or {"question", "title", "context"} without any id, as such or under "data"
*.tsv                      id, text, title: the corpus (25.7 million segments); read when it lies beside

Gold is in the second file only. Where it has no turn ids, an entry belongs to the turn whose query, or whose whole
conversation joined by ` [SEP] `, is its question; one that fits several turns is counted and left out. Where it has no
passage ids, gold is found in the corpus by title and text, otherwise it gets an id made from them. UNANSWERABLE is no
answer, and stays in the histories, where the source has it too. The rationale is a text of the page, not of a passage:
it is evidence where it stands verbatim in a gold passage. Topics
are pages, not clusters, so no move is made of them.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field

from mtr.datasets.foreign import Foreign, find_files, first_character, need_file, read_json, read_rows, text_lines
from mtr.datasets.gathering import Passages, gather, passage_at
from mtr.datasets.numbered import Numbered, NumberedRow
from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold, Said
from mtr.datasets.said_before import answer_of, says_no_answer
from mtr.errors import InputError
from mtr.records import Evidence

LAYOUT = "topiocqa"
LICENCE = "CC BY-NC-SA 4.0"
GOLD_FILE = "*gold_passages_info*.json"
SEPARATOR = " [SEP] "


class _Other(Foreign):
    answer: str = Field(alias="Answer")


class _Row(NumberedRow):
    answer: str | None = Field(alias="Answer", default=None)
    rationale: str | None = Field(alias="Rationale", default=None)
    others: tuple[_Other, ...] = Field(alias="Additional_answers", default=())

    def said(self) -> str | None:
        return self.answer


class _GoldText(Foreign):
    passage_id: str | None = None
    title: str = ""
    text: str


class _Entry(Foreign):
    conv_id: str | None = None
    turn_id: str | None = None
    question: str = ""
    title: str = ""
    context: str | None = None
    positive_ctxs: tuple[_GoldText, ...] = ()

    def passages(self) -> tuple[_GoldText, ...]:
        """The gold of the entry, whichever way it is written."""
        written = () if self.context is None else (_GoldText(title=self.title, text=self.context),)
        return self.positive_ctxs or written


class _Wrapped(Foreign):
    data: tuple[_Entry, ...]


@dataclass
class _GoldTexts:
    """Gold by query id; entries that fit no turn, or several, are counted."""

    of: dict[str, list[_GoldText]] = field(default_factory=dict)
    stray: int = 0


def load(path: Path) -> Dataset:
    """The data set in the folder `path`, or in the file `path` with the files beside it."""
    folder = path.parent if path.is_file() else path
    numbered = Numbered(row for file in _files(path) for _, row in read_rows(file, _Row))
    rows = list(numbered.rows())
    notes = list(numbered.notes())
    passages = Passages()
    corpora = find_files(folder, "*.tsv")
    for file in corpora:
        _read_segments(file, passages)
    texts = _GoldTexts()
    for file in find_files(folder, GOLD_FILE):
        _match(_entries(file), rows, texts)
    if not texts.of:
        notes.append(f"no gold: {folder}/{GOLD_FILE} is not there")
    if texts.stray:
        notes.append(f"{texts.stray} gold entries fit no turn, or several; they are left out")
    if not corpora:
        notes.append("no corpus beside: the passages are the gold passages only")
    known = {(passage.title, passage.text): passage for passage in passages.found.values()}
    turns = list(_turns(rows, texts, passages, known, closed=not corpora))
    return gather(path, LAYOUT, passages, turns, notes=notes, repeats=True, licence=LICENCE, language="en")


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    files = [file for file in find_files(path, "*.json") if file not in find_files(path, GOLD_FILE)]
    return files or [need_file(path, "*.json")]


def _entries(file: Path) -> Iterator[_Entry]:
    if first_character(file) == "{":
        yield from read_json(file, _Wrapped).data
    else:
        yield from (entry for _, entry in read_rows(file, _Entry))


def _match(entries: Iterable[_Entry], rows: list[tuple[_Row, tuple[Said, ...]]], texts: _GoldTexts) -> None:
    """Give each entry to its turn: by its ids, else by what it asks."""
    ids = {row.query_id for row, _ in rows}
    asked: dict[str, set[str]] = {}
    for row, history in rows:
        for text in (row.query or "", SEPARATOR.join([*(said.text for said in history), row.query or ""])):
            asked.setdefault(_plain(text), set()).add(row.query_id)
    for entry in entries:
        named = {f"{entry.conv_id}_{entry.turn_id}"} & ids
        fitting = named if entry.conv_id is not None else asked.get(_plain(entry.question), set())
        if len(fitting) == 1:
            texts.of.setdefault(next(iter(fitting)), []).extend(entry.passages())
        else:
            texts.stray += 1


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _turns(
    rows: list[tuple[_Row, tuple[Said, ...]]],
    texts: _GoldTexts,
    passages: Passages,
    known: Mapping[tuple[str, str], AnyPassage],
    *,
    closed: bool,
) -> Iterator[AnyTurn]:
    for row, history in rows:
        gold = [_gold(text, known) for text in texts.of.get(row.query_id, ())]
        for passage in gold if closed else ():
            passages.add(passage)
        others = (answer_of(other.answer) for other in row.others)
        yield AnyTurn(
            query_id=row.query_id,
            conversation_id=row.conversation,
            turn=row.turn,
            query=row.query or "",
            history=history,
            answer=answer_of(row.answer),
            other_answers=tuple(dict.fromkeys(text for text in others if text and text != row.answer)),
            gold=tuple(Gold(passage_id=passage_id) for passage_id in dict.fromkeys(one.passage_id for one in gold)),
            evidence=tuple(_evidence(row.rationale, gold)),
            answerable=False if says_no_answer(row.answer) else None,
        )


def _gold(given: _GoldText, known: Mapping[tuple[str, str], AnyPassage]) -> AnyPassage:
    found = known.get((given.title, given.text))
    if found is not None and given.passage_id is None:
        return found
    made = hashlib.sha256(f"{given.title}\n{given.text}".encode()).hexdigest()[:16]
    return AnyPassage(passage_id=given.passage_id or made, title=given.title, text=given.text)


def _evidence(rationale: str | None, gold: Iterable[AnyPassage]) -> Iterator[Evidence]:
    text = (rationale or "").strip()
    for passage in gold:
        start = passage.text.find(text)
        if text and start >= 0:
            yield Evidence(passage_id=passage.passage_id, start=start, end=start + len(text), text=text)


def _read_segments(file: Path, passages: Passages) -> None:
    """A tsv of id, text, title, with or without a header."""
    for number, line in text_lines(file):
        columns = line.split("\t")
        if len(columns) != 3:
            raise InputError(f"{file}:{number}: {len(columns)} columns; a corpus of TopiOCQA has id, text and title")
        if not (number == 1 and columns[0] == "id"):
            passages.add(passage_at(f"{file}:{number}", passage_id=columns[0], text=columns[1], title=columns[2]))
