"""Evidence of an answer, claim by claim: each quote found in a gold passage by code, or the answer has a fault."""

from collections.abc import Collection, Sequence

from mtr.corpus.sentences import sentence_spans
from mtr.prompts import DomainSettings
from mtr.questions.records import Claimed
from mtr.quotes import find_quote
from mtr.records import Evidence, Passage, Record
from mtr.words import content_words

_SHOWN = 60
_MOST_QUOTES = 3
_WORTH_QUOTING = 2


class Quoted(Record):
    """A claim as the model wrote it, with the quotes it gives for it."""

    claim: str
    quotes: tuple[str, ...]


class Located(Record):
    """The claims with their spans; `fault` in words when a quote stands nowhere, or a gold passage carries nothing."""

    claims: tuple[Claimed, ...] = ()
    fault: str = ""


def quoted_by_code(answer: str, gold: Sequence[Passage], stopwords: Collection[str]) -> tuple[Quoted, ...]:
    """The sentences of an answer as claims, each with the sentences of the gold that share most words with it.

    After the first, a sentence is quoted only for words that those before it leave open. A claim that shares no word
    with the gold has no quote.
    """
    texts = [one.text[span.start : span.end] for one in gold for span in sentence_spans(one.text)]
    words = {text: content_words(text, stopwords) for text in texts}
    quoted = []
    for span in sentence_spans(answer):
        claim = answer[span.start : span.end]
        left, quotes = content_words(claim, stopwords), list[str]()
        while left and len(quotes) < _MOST_QUOTES:
            best = max(texts, key=lambda text: len(words[text] & left), default="")
            if len(words.get(best, set()) & left) < (_WORTH_QUOTING if quotes else 1):
                break
            quotes.append(best)
            left -= words[best]
        quoted.append(Quoted(claim=claim, quotes=tuple(quotes)))
    return tuple(quoted)


def locate(quoted: Sequence[Quoted], gold: Sequence[Passage], settings: DomainSettings) -> Located:
    """The span of every quote. Each claim needs a quote that stands in a gold passage, each gold passage a claim."""
    claims: list[Claimed] = []
    for one in quoted:
        found: list[Evidence] = []
        for quote in one.quotes:
            evidence = _evidence(quote, gold)
            if evidence is None:
                return Located(fault=settings.fault("quote_not_found", quote=quote[:_SHOWN]))
            if evidence not in found:
                found.append(evidence)
        if not found:
            return Located(fault=settings.fault("claim_without_quote", claim=one.claim[:_SHOWN]))
        claims.append(Claimed(claim=one.claim, evidence=tuple(found)))
    carried = {evidence.passage_id for claimed in claims for evidence in claimed.evidence}
    if bare := [passage for passage in gold if passage.passage_id not in carried]:
        return Located(fault=settings.fault("passage_without_claim", passage=bare[0].text[:_SHOWN]))
    return Located(claims=tuple(claims))


def spans_of(claims: Sequence[Claimed]) -> tuple[Evidence, ...]:
    """Every span once, by passage and place."""
    spans = {evidence for claimed in claims for evidence in claimed.evidence}
    return tuple(sorted(spans, key=lambda one: (one.passage_id, one.start, one.end)))


def _evidence(quote: str, gold: Sequence[Passage]) -> Evidence | None:
    for passage in gold:
        span = find_quote(quote, passage.text)
        if span is not None:
            text = passage.text[span.start : span.end]
            return Evidence(passage_id=passage.passage_id, start=span.start, end=span.end, text=text)
    return None
