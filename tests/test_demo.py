"""The demo corpus is Python's own language reference."""

from mtr.corpus.demo import demo_documents


def test_one_titled_document_a_topic() -> None:
    documents = demo_documents()
    ids = [document.document_id for document in documents]
    assert len(ids) > 50
    assert ids == sorted(set(ids))
    by_id = {document.document_id: document for document in documents}
    assert by_id["assert"].title == 'The "assert" statement'
    assert by_id["assert"].source == "pydoc_data.topics:assert"
    assert all(document.title and document.text.strip() and document.language == "en" for document in documents)
