"""From files and folders to documents, each with an id, a title and its encoding; what is left out has a reason.

A title is the one of the front matter (or the title column), else the first heading, else what the format calls its
title, else the file name. An id is the id column, or the path below the given folder (with `#line` in files of many
rows), white space as `_`. Front matter is cut off; else a text stays as it is written but for line ends.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mtr.corpus.blocks import outline
from mtr.corpus.files import SourceFile, find_files, readable
from mtr.corpus.front_matter import cut_front_matter
from mtr.corpus.readers import READERS, Columns, Draft, NotReadError, Skipped
from mtr.errors import InputError
from mtr.records import Document, Record


class LoadedDocuments(Record):
    """The documents in the order of their sources, and every source that gave none, with the reason."""

    documents: tuple[Document, ...]
    skipped: tuple[Skipped, ...]


def load_documents(
    paths: Iterable[str | Path], *, text_column: str | None = None, id_column: str | None = None
) -> LoadedDocuments:
    """Read files and folders (recursively, sorted; hidden files left out; each real file once).

    Rows of .jsonl and .csv have their text in `text_column` ("text" unless given), their id in `id_column` if given.
    Languages are not told here (`mtr.corpus.languages`). Raises InputError for a path that does not exist, a column
    that a file lacks, and two different documents with one id.
    """
    files, skipped = find_files([Path(path) for path in paths], READERS)
    names = _names(files)
    columns = Columns(text=text_column or "text", record_id=id_column)
    documents: dict[str, Document] = {}
    for file in files:
        for found in _read(file, names[file.path], columns):
            if isinstance(found, Skipped):
                skipped.append(found)
                continue
            before = documents.setdefault(found.document_id, found)
            if before is not found:
                skipped.append(_same(before, found))
    return LoadedDocuments(documents=tuple(documents.values()), skipped=tuple(skipped))


def _same(before: Document, document: Document) -> Skipped:
    """Two documents with one id: the same text is left out, of two texts nobody knows which is meant."""
    if before.text != document.text:
        raise InputError(
            f"two documents have the id {document.document_id!r}: {before.source} and {document.source}; "
            "make the ids unique or leave out the id column"
        )
    return Skipped(source=document.source, reason=f"the same id and text as {before.source}")


def _read(file: SourceFile, name: str, columns: Columns) -> Iterator[Document | Skipped]:
    source = readable(file.path)
    drafts = 0
    try:
        for draft in READERS[file.path.suffix.lower()](file.path, columns):
            drafts += 1
            yield draft if isinstance(draft, Skipped) else _document(draft, file, name)
    except NotReadError as error:
        yield Skipped(source=source, reason=str(error))
        return
    except OSError as error:
        yield Skipped(source=source, reason=f"cannot be read: {error.strerror or error}")
        return
    if not drafts:
        yield Skipped(source=source, reason="no rows")


def _document(draft: Draft, file: SourceFile, name: str) -> Document | Skipped:
    source = readable(file.path) + (f":{draft.row}" if draft.row is not None else "")
    title, text = cut_front_matter(draft.text)
    if not any(letter.isprintable() and not letter.isspace() for letter in text):
        return Skipped(source=source, reason="blank, no text in it" if text == draft.text else "front matter only")
    row_name = name if draft.row is None else f"{name}#{draft.row}"
    return Document(
        document_id=_id(draft.record_id) if draft.record_id is not None else row_name,
        title=title or _title(draft, text) or ("" if draft.row is not None else readable(Path(file.path.stem))),
        text=text,
        source=source,
        encoding=draft.encoding,
    )


def _title(draft: Draft, text: str) -> str:
    """A row's title column is its author's word; a file format's own title is often left over from a template."""
    heading = next((block.label for block in outline(text) if block.kind == "heading" and block.label), "")
    named = " ".join(draft.title.split())
    return (named or heading) if draft.row is not None else (heading or named)


def _id(text: str) -> str:
    return re.sub(r"\s+", "_", text.strip())


def _names(files: Sequence[SourceFile]) -> dict[Path, str]:
    """A name for each file: its relative path, and where two files share that, more of the path until they differ."""
    names = {file.path: _id(readable(Path(file.relative.as_posix()))) for file in files}
    more = 0
    while doubled := [name for name, count in Counter(names.values()).items() if count > 1]:
        more += 1
        for file in files:
            if names[file.path] in doubled:
                names[file.path] = _longer(file, more)
    return names


def _longer(file: SourceFile, more: int) -> str:
    parts = file.path.absolute().parts
    length = len(file.relative.parts) + more
    if length <= len(parts):
        return _id(readable(Path(*parts[-length:])))
    return re.sub(r"\s", lambda space: f"%{ord(space[0]):02X}", readable(file.path.absolute()))
