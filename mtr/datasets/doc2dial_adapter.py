"""Doc2Dial and MultiDoc2Dial: a user and an agent over the pages of public offices. CC BY 3.0; code Apache-2.0.

*doc*.json   {"doc_data": {domain: {doc_id: {"title", "doc_text", "spans": {sp_id: {"start_sp", "end_sp"}}}}}}
*dial*.json  {"dial_data": {domain: {doc_id: [dialogue]}}}, in MultiDoc2Dial {domain: [dialogue]}, or a bare dialogue:
             {"dial_id", "doc_id", "domain", "turns": [{"turn_id", "role", "da", "utterance",
             "references": [{"sp_id" or "id_sp", "label", "doc_id"}]}]}

A turn is what the user says with the agent's words up to the user's next. Turns of one role in a row occur: a query
nobody answers has no answer, the agent's messages in a row are one answer, on a line each. Gold comes from the agent's
references labelled precondition or solution ("references" are titles): documents are split into passages by MTR, gold
is every passage that a span touches, evidence the spans. An answer without any reference is out of the document's
scope: unanswerable. Where the documents are not there, gold is `<doc_id>#<sp_id>`, which is in no corpus. The subset is
the domain of the conversation; the query id `<dial_id>_<turn_id>`, as the shared tasks have it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import AliasChoices, Field

from mtr.datasets.foreign import Foreign, checked, find_files, read_json, read_rows
from mtr.datasets.gathering import Passages, assistant, gather, user
from mtr.datasets.records import AnyTurn, Dataset, Gold, Said
from mtr.datasets.sections import Sections
from mtr.records import Evidence, Span

LAYOUT = "doc2dial"
LICENCE = "CC BY 3.0"
GROUNDING = frozenset({"precondition", "solution"})


class _Reference(Foreign):
    span: str = Field(validation_alias=AliasChoices("sp_id", "id_sp"))
    label: str = ""
    doc_id: str | None = None


class _Message(Foreign):
    turn_id: str
    role: str = Field(pattern="^(user|agent)$")
    utterance: str
    references: tuple[_Reference, ...] = ()


class _Conversation(Foreign):
    dial_id: str = Field(min_length=1)
    doc_id: str = ""
    domain: str = ""
    turns: tuple[_Message, ...]


class _Span(Foreign):
    start_sp: int = Field(ge=0)
    end_sp: int = Field(ge=0)


class _Document(Foreign):
    title: str = ""
    doc_text: str
    spans: dict[str, _Span] = Field(default_factory=dict)


class _Documents(Foreign):
    doc_data: dict[str, dict[str, _Document]]


@dataclass
class _Grounding:
    """The documents with their spans, and what could not be found in them."""

    sections: Sections = field(default_factory=Sections)
    passages: Passages = field(default_factory=Passages)
    documents: dict[str, tuple[str, Mapping[str, _Span]]] = field(default_factory=dict)
    lost: int = 0
    joined: int = 0

    def add(self, documents: _Documents) -> None:
        """Take in a file of documents."""
        for domain, of in documents.doc_data.items():
            for name, document in of.items():
                made = self.sections.add(name, document.title, document.doc_text, self.passages, domain)
                self.documents[name] = (made, document.spans)

    def find(self, document: str, span: str) -> tuple[list[str], list[Evidence]]:
        """Gold and evidence of one reference."""
        if document not in self.documents:
            return [f"{'_'.join(document.split())}#{span}"], []
        name, spans = self.documents[document]
        if span not in spans:
            self.lost += 1
            return [], []
        at = spans[span]
        evidence = list(self.sections.evidence(name, Span(start=at.start_sp, end=max(at.start_sp, at.end_sp))))
        return [piece.passage_id for piece in evidence], evidence


def load(path: Path) -> Dataset:
    """The data set in the folder `path`, or in the file `path`, with the documents beside it."""
    folder = path.parent if path.is_file() else path
    grounding = _Grounding()
    conversations: list[_Conversation] = []
    for file in sorted({*find_files(folder, "*.json"), *find_files(folder, "*.jsonl")}):
        content = _content(file)
        if isinstance(content, Mapping) and "doc_data" in content:
            grounding.add(checked(content, _Documents, str(file)))
        elif path.is_dir() or file == path:
            conversations += _conversations(content, str(file))
    turns = [turn for conversation in conversations for turn in _Turns(conversation, grounding).read()]
    notes = ["gold is cut by MTR from the documents; the source marks spans, not passages"]
    if not grounding.documents:
        notes = ["no documents (a file with `doc_data`): no passages, and gold names spans"]
    if grounding.lost:
        notes.append(f"{grounding.lost} references name a span that their document lacks; they are no gold")
    if grounding.joined:
        notes.append(f"{grounding.joined} answers are several messages of the agent in a row, joined by line ends")
    return gather(path, LAYOUT, grounding.passages, turns, notes=notes, licence=LICENCE, language="en")


def _content(file: Path) -> object:
    if ".jsonl" in file.suffixes:
        return [row for _, row in read_rows(file, object)]
    return read_json(file, object)


def _conversations(value: object, where: str) -> Iterator[_Conversation]:
    """The conversations, however deep they lie; other things in the file are passed over."""
    if isinstance(value, Mapping) and "dial_id" in value:
        yield checked(value, _Conversation, where)
    elif isinstance(value, Mapping):
        for key, below in value.items():
            yield from _conversations(below, f"{where}: {key}" if ": " not in where else f"{where}.{key}")
    elif isinstance(value, list):
        for place, below in enumerate(value):
            yield from _conversations(below, f"{where}[{place}]")


class _Turns:
    """Puts the messages of one conversation together into turns."""

    def __init__(self, conversation: _Conversation, grounding: _Grounding) -> None:
        self._conversation = conversation
        self._grounding = grounding
        self._number = 0

    def read(self) -> Iterator[AnyTurn]:
        """The turns in order."""
        history: list[Said] = []
        query: _Message | None = None
        before: tuple[Said, ...] = ()
        replies: list[_Message] = []
        for message in self._conversation.turns:
            if message.role == "user":
                if query:
                    yield self._turn(query, before, replies)
                query, before, replies = message, tuple(history), []
            elif query:
                replies.append(message)
            history.append(user(message.utterance) if message.role == "user" else assistant(message.utterance))
        if query:
            yield self._turn(query, before, replies)

    def _turn(self, query: _Message, history: tuple[Said, ...], replies: list[_Message]) -> AnyTurn:
        self._number += 1
        self._grounding.joined += len(replies) > 1
        gold: list[str] = []
        evidence: list[Evidence] = []
        references = [reference for reply in replies for reference in reply.references]
        for reference in references:
            if reference.label in GROUNDING:
                ids, pieces = self._grounding.find(reference.doc_id or self._conversation.doc_id, reference.span)
                gold += ids
                evidence += pieces
        return AnyTurn(
            query_id=f"{self._conversation.dial_id}_{query.turn_id}",
            conversation_id=self._conversation.dial_id,
            turn=self._number,
            query=query.utterance,
            history=history,
            answer="\n".join(reply.utterance for reply in replies).strip() or None,
            gold=tuple(Gold(passage_id=passage_id) for passage_id in dict.fromkeys(gold)),
            evidence=tuple(dict.fromkeys(evidence)),
            subset=self._conversation.domain,
            answerable=True if gold else False if replies and not references else None,
        )
