"""Code checks of a drafted answer, and the evidence that carries it."""

import re
from collections.abc import Collection, Sequence

from mtr.conversation.demands import unmet_demand
from mtr.corpus.facts import Fact
from mtr.corpus.sentences import sentence_spans
from mtr.prompts import DomainSettings
from mtr.records import Evidence, Passage, Span
from mtr.words import any_of, content_words, identifiers, is_dense, length, numbers, overlap

_LONGEST = 90.0
_SIGNATURE = re.compile(r"[\w.]+\([^)\n]*\)\s+[A-Z]\w+ ")
_IN_PASSAGE = 0.6
_IN_FACT = 0.4
_WORTH_ADDING = 0.25
_TELLS_AT_LEAST = 2


def answer_fault(answer: str, query: str, fact: Fact, gold: Sequence[Passage], settings: DomainSettings) -> str:
    """The first fault of an answer, in the domain's words, or an empty string."""
    stopwords = settings.stopwords
    passages = " ".join(" ".join(f"{one.title} {one.heading} {one.text}" for one in gold).split())
    words = content_words(answer, stopwords)
    if not answer.strip() or length(answer) > _LONGEST:
        return settings.fault("answer_length", length=f"{length(answer):.0f}", most=f"{_LONGEST:.0f}")
    if is_dense(answer) != is_dense(query):
        return settings.fault("other_language")
    if _SIGNATURE.match(answer):
        return settings.fault("begins_with_signature")
    if (word := any_of(answer, settings.words("forbidden"))) and not any_of(passages, (word,)):
        return settings.fault("speaks_of", word=word)
    if strange := sorted(
        (numbers(answer) - numbers(f"{passages} {query}")) | _unknown_names(answer, f"{passages} {query}")
    ):
        return settings.fault("not_in_passage", words=strange[0])
    if overlap(words, content_words(f"{passages} {query}", stopwords)) < _IN_PASSAGE:
        return settings.fault("strange_to_passage")
    told = words - content_words(" ".join((query, *settings.words("yes_no"))), stopwords)
    names = (numbers(answer) | identifiers(answer)) - numbers(query) - identifiers(query)
    of_fact = told & content_words(fact.text, stopwords)
    if len(told) < _TELLS_AT_LEAST and not of_fact | names and not says_yes_or_no(answer, settings):
        return settings.fault("only_repeats_query")
    if unmet := unmet_demand(query, answer, settings):
        return settings.fault("does_not_say", word=unmet)
    listed = _called(identifiers(fact.text)) - _called(identifiers(query))
    if len(listed) > 1 and len(listed & _names_in(answer, listed)) <= len(listed) / 2:
        return settings.fault("leaves_out", words=sorted(listed - _names_in(answer, listed))[0])
    if overlap(told, content_words(f"{fact.text} {fact.context}", stopwords)) < _IN_FACT:
        return settings.fault("not_from_fact")
    return ""


def says_yes_or_no(answer: str, settings: DomainSettings) -> bool:
    """Whether it begins with one of the domain's words for yes and no."""
    said = answer.lstrip().casefold()
    found = (word for word in settings.words("yes_no") if said.startswith(word))
    return any(is_dense(word) or not said[len(word) :][:1].isalnum() for word in found)


def evidence_for(answer: str, fact: Fact, gold: Sequence[Passage], settings: DomainSettings) -> tuple[Evidence, ...]:
    """The fact's sentence, and from each gold passage the sentences that carry what it leaves open; spans verbatim.

    A further gold passage has at least the sentence nearest to the answer, and none if it shares no word with it.
    """
    stopwords = settings.stopwords
    open_words = content_words(answer, stopwords)
    found: list[Evidence] = []
    for passage in gold:
        own = fact.span if passage.passage_id == fact.passage_id else None
        spans = [own] if own else []
        covered = content_words(passage.text[own.start : own.end], stopwords) if own else set[str]()
        for span in sentence_spans(passage.text):
            new = (content_words(passage.text[span.start : span.end], stopwords) & open_words) - covered
            if span != own and len(new) >= max(2, _WORTH_ADDING * len(open_words)):
                spans.append(span)
                covered |= new
        if not spans:
            spans = _nearest_sentence(passage.text, open_words, stopwords)
        found += [
            Evidence(passage_id=passage.passage_id, start=s.start, end=s.end, text=passage.text[s.start : s.end])
            for s in sorted(spans, key=lambda span: span.start)
        ]
    return tuple(found)


def _nearest_sentence(text: str, words: Collection[str], stopwords: Collection[str]) -> list[Span]:
    """The first of the sentences that share most words with `words`, alone; nothing where none shares any."""
    shared = [(len(content_words(text[s.start : s.end], stopwords) & set(words)), s) for s in sentence_spans(text)]
    most, span = max(shared, key=lambda row: row[0], default=(0, None))
    return [span] if most and span else []


def _called(names: Collection[str]) -> set[str]:
    """The names without what is handed to them: an answer may call `f` with other arguments."""
    return {name.partition("(")[0] or name for name in names}


def _names_in(answer: str, names: Collection[str]) -> set[str]:
    """Those of the names that the answer mentions, with or without backticks."""
    lowered = answer.casefold()
    return {name for name in names if name in lowered}


def _unknown_names(answer: str, passages: str) -> set[str]:
    lowered = passages.casefold()
    return {name for name in identifiers(answer) if name not in lowered}
