"""Code checks of a drafted query and answer by tier, before any model is asked. Word lists come from the domain."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from mtr.conversation.answer_checks import answer_fault, says_yes_or_no
from mtr.conversation.query_checks import query_fault
from mtr.corpus.facts import Fact
from mtr.corpus.sentences import sentence_spans
from mtr.prompts import DomainSettings
from mtr.questions.passage_sets import Group
from mtr.questions.tiers import Tier
from mtr.records import Passage
from mtr.words import any_of, content_words, identifiers, is_dense, numbers, overlap

SENTENCES: dict[Tier, tuple[int, int]] = {"easy": (1, 3), "medium": (1, 5), "hard": (5, 10)}
_LONGEST = 36.0
_IN_PASSAGES = 0.5
_OF_FACT = 0.1
_NEW_SHARE = 0.25
_FEW, _FEW_SHARE = 2, 0.4


def tier_query_fault(
    query: str, tier: Tier, group: Group, vocabulary: AbstractSet[str], settings: DomainSettings
) -> str:
    """The first fault of a standalone query, or an empty string; one over several passages takes up each of them."""
    if tier == "easy":
        return query_fault(query, group[0], (), vocabulary, settings)
    if tier == "unanswerable":
        open_settings = _without(settings, "vague").model_copy(update={"demands": {}})
        return query_fault(query, _as_one(group, query), (), vocabulary, open_settings)
    free = _without(settings, "vague", "joins") if tier == "medium" else _without(settings, "vague")
    fault = query_fault(query, _as_one(group), (), vocabulary, free, longest=_LONGEST)
    return fault or _untouched_fault(query, group, settings)


def tier_answer_fault(
    answer: str, query: str, tier: Tier, group: Group, gold: Sequence[Passage], settings: DomainSettings
) -> str:
    """The first fault of an answer, or an empty string."""
    fewest, most = SENTENCES[tier]
    sentences = len(sentence_spans(answer))
    if not fewest <= sentences <= most:
        return settings.fault("sentence_count", sentences=str(sentences), fewest=str(fewest), most=str(most))
    if tier == "easy":
        fault = answer_fault(answer, query, group[0], gold, settings)
    else:
        fault = _long_answer_fault(answer, query, gold, settings)
    fault = fault or _circular_fault(answer, query, tier, settings)
    return fault or (_unused_fault(answer, query, group, settings) if tier == "medium" else "")


def _long_answer_fault(answer: str, query: str, gold: Sequence[Passage], settings: DomainSettings) -> str:
    told = f"{' '.join(' '.join((p.title, p.heading, p.text)) for p in gold)} {query}"
    if is_dense(answer) != is_dense(query):
        return settings.fault("other_language")
    if (word := any_of(answer, settings.words("forbidden"))) and not any_of(told, (word,)):
        return settings.fault("speaks_of", word=word)
    known = told.casefold()
    strange = sorted((numbers(answer) - numbers(told)) | {n for n in identifiers(answer) if n not in known})
    if strange:
        return settings.fault("not_in_passages", words=strange[0])
    words = content_words(answer, settings.stopwords)
    strange_to_them = overlap(words, content_words(told, settings.stopwords)) < _IN_PASSAGES
    return settings.fault("strange_to_passages") if strange_to_them else ""


def _unused_fault(answer: str, query: str, group: Group, settings: DomainSettings) -> str:
    """Of each fact the answer has a number or a tenth of the words that the query lacks: it was written for both."""
    said = content_words(answer, settings.stopwords)
    for fact in group:
        told = content_words(fact.text, settings.stopwords) - content_words(query, settings.stopwords)
        counted = (numbers(fact.text) - numbers(query)) & numbers(answer)
        if told and not counted and overlap(told, said) < _OF_FACT:
            return settings.fault("leaves_out", words=fact.text)
    return ""


def _circular_fault(answer: str, query: str, tier: Tier, settings: DomainSettings) -> str:
    """Each sentence of a medium answer, and some sentence of another, says more than the query did.

    An easy answer is the one thing asked for, so a word or two more than the query are enough only in a short one.
    """
    few_share = _FEW_SHARE if tier == "easy" and not is_dense(answer) else _NEW_SHARE
    say_more = [
        _says_more(answer[span.start : span.end], query, settings, few_share) for span in sentence_spans(answer)
    ]
    passes = all(say_more) if tier == "medium" else any(say_more)
    return "" if passes else settings.fault("only_repeats_query")


def _says_more(sentence: str, query: str, settings: DomainSettings, few_share: float) -> bool:
    """Whether it says yes or no, or has a number or a share of words that the query lacks; a question says nothing.

    One or two words have to be `few_share` of its words. Characters of the query in another order are no new word.
    """
    if sentence.rstrip()[-1:] in "?？":
        return False
    words = content_words(sentence, settings.stopwords)
    others = words - content_words(query, settings.stopwords)
    new = [word for word in others if not (is_dense(word) and set(word) <= set(query))]
    plain = says_yes_or_no(sentence, settings) or bool(numbers(sentence) - numbers(query))
    share = _NEW_SHARE if len(new) > _FEW else few_share
    return plain or len(new) >= max(1.0, share * len(words))


def _untouched_fault(query: str, group: Group, settings: DomainSettings) -> str:
    """Of each passage the query takes up a word that its facts or their topic have and those of the others lack."""
    asked = content_words(query, settings.stopwords)
    said = {
        passage_id: content_words(
            " ".join(f"{fact.topic} {fact.text}" for fact in group if fact.passage_id == passage_id), settings.stopwords
        )
        for passage_id in dict.fromkeys(fact.passage_id for fact in group)
    }
    for passage_id, words in said.items():
        alone = words.difference(*(others for other, others in said.items() if other != passage_id))
        if alone and not asked & alone:
            fact = next(fact for fact in group if fact.passage_id == passage_id)
            return settings.fault("leaves_out", words=fact.text if fact.topic == group[0].topic else fact.topic)
    return ""


def _as_one(group: Group, more: str = "") -> Fact:
    """The facts as one, for checks that hold a query against what it was written from."""
    first = group[0]
    return first.model_copy(
        update={
            "text": " ".join((*(fact.text for fact in group), more)).strip(),
            "topic": " ".join(dict.fromkeys(fact.topic for fact in group)),
            "context": " ".join(fact.context for fact in group if fact.context),
        }
    )


def _without(settings: DomainSettings, *names: str) -> DomainSettings:
    """The settings without some lists: what joins passages may ask for a difference of which no fact says a word, and,
    where it takes one fact of each, for both of them.
    """
    return settings.model_copy(
        update={"phrases": {key: words for key, words in settings.phrases.items() if key not in names}}
    )
