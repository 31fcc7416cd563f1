"""Evidence of an answer, claim by claim: whole sentences of the gold, so that each span is verbatim as it is made.

The writer names sentences by number, or none; code adds those that share most words with what the named leave open.
"""

from collections.abc import Collection, Sequence

from mtr.corpus.sentences import sentence_spans
from mtr.prompts import DomainSettings
from mtr.questions.records import Claimed
from mtr.records import Evidence, Passage
from mtr.words import content_words, is_dense

_SHOWN = 60
_MOST_SENTENCES = 3
_WORTH_ADDING = 2


def sentences_of(gold: Sequence[Passage]) -> list[Evidence]:
    """Every sentence of the passages in order, a table or a code block as one."""
    return [
        Evidence(passage_id=one.passage_id, start=span.start, end=span.end, text=one.text[span.start : span.end])
        for one in gold
        for span in sentence_spans(one.text)
    ]


def claims_of(answer: str) -> list[Claimed]:
    """The sentences of an answer as claims, nothing named for them yet."""
    return [Claimed(claim=answer[span.start : span.end], evidence=()) for span in sentence_spans(answer)]


def evidenced(claims: Sequence[Claimed], gold: Sequence[Passage], stopwords: Collection[str]) -> tuple[Claimed, ...]:
    """The claims, each with more sentences of the gold where those named for it leave words of it open.

    After the first, a sentence is added only for two such words. A claim that shares no word with the gold gets none.
    """
    sentences = sentences_of(gold)
    words = {sentence: content_words(sentence.text, stopwords) for sentence in sentences}
    completed = []
    for one in claims:
        evidence = list(one.evidence)
        left = content_words(one.claim, stopwords).difference(*(words[sentence] for sentence in evidence))
        while left and len(evidence) < _MOST_SENTENCES:
            best = max(sentences, key=lambda sentence: len(words[sentence] & left), default=None)
            if best is None or len(words[best] & left) < (_WORTH_ADDING if evidence else 1):
                break
            evidence.append(best)
            left -= words[best]
        completed.append(Claimed(claim=one.claim, evidence=tuple(evidence)))
    return tuple(completed)


def said_together(claims: Sequence[Claimed]) -> str:
    """The claims in a row, as an answer."""
    return ("" if claims and is_dense(claims[0].claim) else " ").join(one.claim for one in claims)


def evidence_fault(claims: Sequence[Claimed], gold: Sequence[Passage], settings: DomainSettings) -> str:
    """A fault when a claim has no evidence or a gold passage carries no claim, or an empty string."""
    if unfounded := [one for one in claims if not one.evidence]:
        return settings.fault("claim_without_quote", claim=unfounded[0].claim[:_SHOWN])
    carried = {evidence.passage_id for one in claims for evidence in one.evidence}
    bare = [passage for passage in gold if passage.passage_id not in carried]
    return settings.fault("passage_without_claim", passage=bare[0].text[:_SHOWN]) if bare else ""


def spans_of(claims: Sequence[Claimed]) -> tuple[Evidence, ...]:
    """Every span once, by passage and place."""
    spans = {evidence for claimed in claims for evidence in claimed.evidence}
    return tuple(sorted(spans, key=lambda one: (one.passage_id, one.start, one.end)))
