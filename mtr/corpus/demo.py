"""The built-in demo corpus: Python's language reference, which every Python carries for its `help()`."""

from pydoc_data.topics import topics

from mtr.corpus.blocks import outline
from mtr.records import Document

DEMO_NAME = "demo"


def demo_documents() -> list[Document]:
    """One document a topic, in the order of their names; the title is the topic's first heading.

    Topics overlap (one quotes another whole); removing near-duplicates is the corpus's work.
    """
    return [_document(name, topics[name]) for name in sorted(topics)]


def _document(name: str, text: str) -> Document:
    title = next((block.label for block in outline(text) if block.kind == "heading"), name)
    source = f"pydoc_data.topics:{name}"
    return Document(document_id=name, title=title, text=text, source=source, language="en")
