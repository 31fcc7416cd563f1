"""Documents of foreign sets cut into passages, and spans of them found again in the passages."""

from collections.abc import Iterator

from mtr.corpus.splitting import split_document
from mtr.datasets.gathering import Passages
from mtr.datasets.records import AnyPassage
from mtr.errors import InputError
from mtr.records import Document, Evidence, Passage, Span


class Sections:
    """Documents by id, cut by MTR's own splitting with its usual size; a text that stands twice is one document."""

    def __init__(self) -> None:
        self._cut: dict[str, tuple[Passage, ...]] = {}
        self._ids: dict[tuple[str, str], str] = {}

    def add(self, name: str, title: str, text: str, passages: Passages, subset: str = "") -> str:
        """Cut a document into `passages` and give its id: `name`, or the one under which the same text came before.

        White space in names becomes `_`, because ids of passages stand in TREC files. InputError for a blank name.
        """
        if not name.strip():
            raise InputError(f"a document has no name (its text begins {text[:40]!r}); give it one in its file")
        document_id = self._ids.setdefault((title, text), "_".join(name.split()))
        if document_id not in self._cut:
            self._cut[document_id] = tuple(split_document(_document(document_id, title, text)))
            for passage in self._cut[document_id]:
                passages.add(_any(passage, subset))
        return document_id

    def evidence(self, document_id: str, span: Span) -> Iterator[Evidence]:
        """The parts of the span in each passage that it touches, in order; white space alone is no part."""
        for passage in self._cut.get(document_id, ()):
            start = max(span.start, passage.span.start) - passage.span.start
            end = min(span.end, passage.span.end) - passage.span.start
            if start < end and passage.text[start:end].strip():
                text = passage.text[start:end]
                yield Evidence(passage_id=passage.passage_id, start=start, end=end, text=text)


def _document(document_id: str, title: str, text: str) -> Document:
    return Document(document_id=document_id, title=title, text=text, source=document_id)


def _any(passage: Passage, subset: str) -> AnyPassage:
    return AnyPassage(
        passage_id=passage.passage_id,
        title=passage.title,
        heading=passage.heading,
        text=passage.text,
        document_id=passage.document_id,
        subset=subset,
    )
