"""From documents to the passages of a corpus: language, splitting, filters, near-duplicates."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mtr.corpus.duplicates import KeptPair, near_duplicates
from mtr.corpus.filters import Dropped, filter_passages
from mtr.corpus.languages import detect_language
from mtr.corpus.left_out import DroppedPassage
from mtr.corpus.options import CorpusOptions
from mtr.corpus.progress import Progress
from mtr.corpus.splitting import split_document
from mtr.errors import InputError
from mtr.records import Document, Passage

_BEGINNING = 120


@dataclass(frozen=True)
class Prepared:
    """The passages that are kept, in document order, and what was left out on the way."""

    documents: tuple[Document, ...]
    passages: tuple[Passage, ...]
    dropped: tuple[DroppedPassage, ...]
    kept_pairs: tuple[KeptPair, ...]


def prepare(given: Sequence[Document], options: CorpusOptions, progress: Progress) -> Prepared:
    """All that needs no model. InputError when no passage survives, naming what took them."""
    documents = _with_languages(given, progress)
    passages = _split(documents, options, progress)
    if not passages:
        raise InputError(f"the {len(documents)} documents hold no text; nothing was built")
    with progress.step("filter", len(passages)) as step:
        filtered = filter_passages(passages)
        step.result = f"{len(filtered.kept):,} passages kept{_by_reason(filtered.dropped)}"
    with progress.step("near-duplicates", len(filtered.kept)) as step:
        unique = near_duplicates(filtered.kept, threshold=options.near_duplicate)
        step.result = (
            f"{len(unique.kept):,} passages kept, {len(unique.dropped):,} dropped, "
            f"{len(unique.kept_pairs):,} pairs kept that differ in a number, a name or a negation"
        )
    alike = [
        Dropped(passage_id=pair.dropped, reason="near-duplicate", detail=f"Jaccard {pair.jaccard:.2f} with {pair.kept}")
        for pair in unique.dropped
    ]
    return Prepared(documents, unique.kept, _dropped(passages, (*filtered.dropped, *alike)), unique.kept_pairs)


def _with_languages(given: Sequence[Document], progress: Progress) -> tuple[Document, ...]:
    documents = []
    with progress.step("language", len(given)) as step:
        for document in given:
            language = document.language or detect_language(document.text)
            documents.append(document.model_copy(update={"language": language}))
            step.advance()
        found = Counter(document.language or "unknown" for document in documents)
        step.result = ", ".join(f"{language} {count:,}" for language, count in found.most_common())
    return tuple(documents)


def _split(documents: Sequence[Document], options: CorpusOptions, progress: Progress) -> list[Passage]:
    passages: list[Passage] = []
    with progress.step("split", len(documents)) as step:
        for document in documents:
            passages.extend(split_document(document, size=options.size, unit=options.unit))
            step.advance()
        step.result = f"{len(passages):,} passages"
    return passages


def _by_reason(dropped: Iterable[Dropped]) -> str:
    counts = Counter(one.reason for one in dropped)
    return "".join(f", {count:,} {reason}" for reason, count in counts.most_common())


def _dropped(passages: Sequence[Passage], dropped: Iterable[Dropped]) -> tuple[DroppedPassage, ...]:
    by_id = {passage.passage_id: passage for passage in passages}
    return tuple(
        DroppedPassage(
            passage_id=one.passage_id,
            source=by_id[one.passage_id].source,
            reason=one.reason,
            detail=one.detail,
            beginning=by_id[one.passage_id].text[:_BEGINNING],
        )
        for one in dropped
    )
