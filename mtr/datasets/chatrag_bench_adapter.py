"""ChatRAG-Bench: ten conversational sets in one layout; each keeps its own licence.

<subset>/*.json          a list: {"messages": [{"role", "content"}], "answers" or "answer", "document",
                         "ctxs": [{"ctx"} or {"title", "text"}], "ground_truth_ctx": {"ctx", "index"} or a list of them}
<subset>/documents.json  {document: [passage, …]}, a passage being a text or {"title", "text"}; some subsets lack it

The path is a subset, or the folder above all subsets; the subset is the folder's name. `index` counts within the
document, so a passage is `<document>#<index>`. Index -1 means that the publishers could not match the gold: it is
sought in the document by its text, and otherwise stays as gold that no corpus holds. Without documents.json the
passages are those that rows show; one that is no gold gets an id made from its text. Rows have no ids and no
conversation ids: a row whose messages do not go on begins a conversation. `Sorry. I cannot find the answer based on the
context.` marks an unanswerable turn. Further answers are other people's.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import AliasChoices, BeforeValidator, Field

from mtr.datasets.foreign import Foreign, find_file, find_files, read_json, read_rows
from mtr.datasets.gathering import Passages, gather
from mtr.datasets.messages import Message, said_in
from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold, Said
from mtr.datasets.said_before import answer_of, conversation_numbers, says_no_answer
from mtr.errors import InputError

LAYOUT = "chatrag_bench"
LICENCE = "each subset its own"
DOCUMENTS = "documents.json"


def _listed(value: object) -> object:
    return value if isinstance(value, list) else () if value is None else (value,)


def _as_passage(value: object) -> object:
    return {"text": value} if isinstance(value, str) else value


class _Shown(Foreign):
    ctx: str | None = None
    text: str | None = None
    title: str | None = None
    index: int | None = None

    def content(self) -> str:
        """The text under either name."""
        return self.ctx if self.ctx is not None else self.text or ""


class _Row(Foreign):
    messages: tuple[Message, ...] = Field(min_length=1)
    answers: Annotated[tuple[str, ...], BeforeValidator(_listed)] = Field(
        validation_alias=AliasChoices("answers", "answer"), default=()
    )
    document: str = ""
    ctxs: tuple[_Shown, ...] = ()
    gold: Annotated[tuple[_Shown, ...], BeforeValidator(_listed)] = Field(alias="ground_truth_ctx", default=())


_Documents = dict[str, tuple[Annotated[_Shown, BeforeValidator(_as_passage)], ...]]


@dataclass
class _Pool:
    """The passages of one subset, found by place or by text within their document."""

    subset: str
    passages: Passages
    ids: dict[tuple[str, str], str] = field(default_factory=dict)
    unmatched: int = 0

    def put(self, document: str, shown: _Shown, index: int | None) -> str:
        """Take a passage in and give its id."""
        content = shown.content()
        name = f"{self.subset}/{document}#{_made(content) if index is None else index}"
        known = self.ids.setdefault((document, content), name)
        passage_id = known if index is None else name
        self.passages.add(
            AnyPassage(
                passage_id=passage_id,
                title=shown.title or "",
                text=content,
                document_id=document,
                subset=self.subset,
            )
        )
        return passage_id

    def gold(self, document: str, shown: _Shown) -> str:
        """The id of a gold passage: by its index, else by its text, else one that no corpus holds."""
        if shown.index is not None and shown.index >= 0:
            return f"{self.subset}/{document}#{shown.index}"
        self.unmatched += shown.index is not None
        return self.ids.get((document, shown.content())) or f"{self.subset}/{document}#{_made(shown.content())}"


def load(path: Path) -> Dataset:
    """The data set in the file or folder `path`: one subset, or all that lie in it."""
    passages = Passages()
    notes: list[str] = []
    turns: list[AnyTurn] = []
    for subset, files in _subsets(path).items():
        pool = _Pool(subset, passages)
        rows = [row for file in files for row in _read(file)]
        documents = find_file(files[0].parent, DOCUMENTS)
        if documents:
            _put_documents(documents, pool)
        else:
            notes.append(f"{subset}: no {DOCUMENTS}: the passages are those that rows show")
            for row, _ in rows:
                _put_shown(row, pool)
        turns += _turns(rows, pool)
        if pool.unmatched:
            notes.append(f"{subset}: {pool.unmatched} gold passages have the index -1: their publishers found no match")
    return gather(path, LAYOUT, passages, turns, notes=notes, repeats=True, licence=LICENCE)


def _subsets(path: Path) -> dict[str, list[Path]]:
    """The files of rows by subset."""
    if path.is_file():
        return {path.resolve().parent.name: [path]}
    folders = [path, *sorted(place for place in path.iterdir() if place.is_dir())]
    found = {folder.resolve().name: _row_files(folder) for folder in folders}
    subsets = {name: files for name, files in found.items() if files}
    if not subsets:
        raise InputError(f"{path} holds no .json file of rows; name a subset of ChatRAG-Bench, or the folder above")
    return subsets


def _row_files(folder: Path) -> list[Path]:
    files = [*find_files(folder, "*.json"), *find_files(folder, "*.jsonl")]
    return [file for file in files if not file.name.startswith(DOCUMENTS)]


def _read(file: Path) -> Iterator[tuple[_Row, tuple[Said, ...]]]:
    for where, row in read_rows(file, _Row):
        said = said_in(row.messages, where)
        if not said or said[-1].speaker != "user":
            raise InputError(f"{where}: messages: the last one is not the user's; a row ends with its query")
        yield row, said


def _put_documents(file: Path, pool: _Pool) -> None:
    for document, shown in read_json(file, _Documents).items():
        for index, passage in enumerate(shown):
            pool.put(document, passage, index)


def _put_shown(row: _Row, pool: _Pool) -> None:
    """Gold with an index first: then the same text among those shown is known to be it."""
    for gold in row.gold:
        if gold.index is not None and gold.index >= 0 and gold.content():
            pool.put(row.document, gold, gold.index)
    for shown in row.ctxs:
        pool.put(row.document, shown, None)


def _made(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _turns(rows: list[tuple[_Row, tuple[Said, ...]]], pool: _Pool) -> Iterator[AnyTurn]:
    numbers = conversation_numbers(said for _, said in rows)
    for place, ((row, said), number) in enumerate(zip(rows, numbers, strict=True)):
        answers = list(dict.fromkeys(text for text in row.answers if answer_of(text) is not None))
        gold = dict.fromkeys(pool.gold(row.document, one) for one in row.gold)
        yield AnyTurn(
            query_id=f"{pool.subset}_{place}",
            conversation_id=f"{pool.subset}-{number}",
            turn=sum(one.speaker == "user" for one in said),
            query=said[-1].text,
            history=said[:-1],
            answer=answers[0] if answers else None,
            other_answers=tuple(answers[1:]),
            gold=tuple(Gold(passage_id=passage_id) for passage_id in gold),
            subset=pool.subset,
            answerable=_answerable(row.answers, answers),
        )


def _answerable(given: tuple[str, ...], real: list[str]) -> bool | None:
    """True with an answer, False where all say that there is none, None where people differ or say nothing."""
    unanswered = any(says_no_answer(text) for text in given)
    return None if bool(real) == unanswered else bool(real)
