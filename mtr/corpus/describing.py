"""What a corpus holds, counted for its manifest."""

from collections import Counter
from collections.abc import Iterable, Sequence

from mtr.corpus.documents import LoadedDocuments
from mtr.corpus.manifest import Counts
from mtr.corpus.preparing import Prepared
from mtr.records import Cluster

UNKNOWN = "unknown"


def count(loaded: LoadedDocuments, prepared: Prepared, clusters: Sequence[Cluster]) -> Counts:
    """Counts of what was read, left out and kept: languages by passage, encodings by document that has one."""
    from mtr.llm.tokens import count_tokens  # noqa: PLC0415 - reading the vocabulary takes a second

    passages = prepared.passages
    return Counts(
        documents=len({passage.document_id for passage in passages}),
        documents_read=len(prepared.documents),
        passages=len(passages),
        characters=sum(len(passage.text) for passage in passages),
        tokens=sum(count_tokens(passage.text) for passage in passages),
        clusters=len(clusters),
        languages=_frequencies(passage.language for passage in passages),
        encodings=_frequencies(document.encoding for document in prepared.documents if document.encoding),
        dropped=_frequencies(dropped.reason for dropped in prepared.dropped),
        kept_pairs=len(prepared.kept_pairs),
        skipped=loaded.skipped,
    )


def _frequencies(values: Iterable[str | None]) -> dict[str, int]:
    """Counts by value, the most frequent first, then by name."""
    counts = Counter(value or UNKNOWN for value in values)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
