"""Code checks of a drafted query: cheap, certain, and before any model is asked.

Each check returns words for the trace and the next try's feedback, or an empty string when the query passes. The words
are those of the domain's `faults`, the word lists its `phrases`; a domain without a list has no such check.
"""

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from fnmatch import fnmatchcase
from itertools import pairwise

from mtr.conversation.demands import unmet_demand
from mtr.corpus.facts import Fact
from mtr.prompts import DomainSettings
from mtr.words import any_of, contains, content_words, identifiers, is_dense, jaccard, length, overlap, tokens

LONGEST = 28.0
"""Words of a query about one fact, at most."""

_SIGNED = re.compile(r"(\w+)\(")
_NAME = re.compile(r"\b[A-Z][\w]{2,}")
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_SHORTEST = 4.0
_CLAUSE = re.compile("[,，、；;]")
_REPEATS_AT = 0.6
_GIVEN_AWAY_AT = 0.9
_LONG_CONDITION = 3
_CONDITION_NAMED = 0.4
_CONSEQUENCE_NAMED = 0.5


def query_fault(
    query: str,
    fact: Fact,
    earlier: Sequence[str],
    vocabulary: AbstractSet[str],
    settings: DomainSettings,
    *,
    longest: float = LONGEST,
) -> str:
    """The first fault of a standalone query, or an empty string; `vocabulary` holds the words of the whole corpus."""
    checks: tuple[Callable[[], str], ...] = (
        lambda: _form_fault(query, longest, settings),
        lambda: _language_fault(query, settings),
        lambda: _wording_fault(query, fact, settings),
        lambda: _name_fault(query, vocabulary, settings),
        lambda: _subject_fault(query, fact, settings),
        lambda: _lone_name_fault(query, fact, settings),
        lambda: _repeat_fault(query, earlier, settings),
        lambda: _generic_fault(query, fact, settings),
        lambda: _condition_fault(query, fact, settings),
        lambda: _demand_fault(query, fact, settings),
        lambda: _giveaway_fault(query, fact, settings),
        lambda: _statement_fault(query, settings),
    )
    return next((fault for check in checks if (fault := check())), "")


def _form_fault(query: str, longest: float, settings: DomainSettings) -> str:
    if query.count("?") + query.count("？") != 1 or query.rstrip()[-1:] not in "?？":
        return settings.fault("not_one_query")
    if joined := any_of(query, settings.words("joins")):
        return settings.fault("two_queries", words=joined)
    words = length(query)
    if not _SHORTEST <= words <= longest:
        return settings.fault("query_length", length=f"{words:.0f}", fewest=f"{_SHORTEST:.0f}", most=f"{longest:.0f}")
    return ""


def _language_fault(query: str, settings: DomainSettings) -> str:
    dense = settings.language in ("zh", "ja", "th")
    return settings.fault("wrong_language") if is_dense(query) != dense else ""


def _wording_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    if word := any_of(query, settings.words("forbidden")):
        return "" if _is_of_fact(word, query, fact, settings) else settings.fault("speaks_of", word=word)
    if (word := any_of(query, settings.words("vague"))) and not any_of(fact.text, (word, *settings.words("vague"))):
        return settings.fault("asks_for_unsaid", word=word)
    return _insider_fault(query, fact, settings) or _pointing_fault(query, fact, settings)


def _is_of_fact(word: str, query: str, fact: Fact, settings: DomainSettings) -> bool:
    """Whether a word for what a model was shown is one of the subject: a `decision document` is, `the document` not."""
    before = (one for one, other in pairwise(tokens(query)) if other == word and one not in settings.stopwords)
    return contains(fact.topic, word) or any(contains(fact.text, f"{one} {word}") for one in before)


def _insider_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    """The "we" of a fact is its author's; a user who says it after the fact means somebody else."""
    words = settings.words("insider")
    asked, told = (any_of(_no_pronouns(text, words), words) for text in (query, fact.text))
    return settings.fault("stands_for_unnamed", word=asked) if asked and told else ""


def _pointing_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    """A pronoun is clear only behind the thing it stands for."""
    if is_dense(query):
        opening = _before_named(query, content_words(fact.topic, settings.stopwords), settings.stopwords)
        word = any_of(opening, settings.words("dangling"))
        return settings.fault("stands_for_unnamed", word=word) if word else ""
    dangling = settings.words("dangling")
    told = _no_pronouns(f"{fact.topic} {fact.context} {fact.text}", dangling)
    named = content_words(told, settings.stopwords)
    for word in tokens(_no_pronouns(query, dangling)):
        if word in dangling:
            return settings.fault("stands_for_unnamed", word=word)
        if content_words(word, settings.stopwords) & named:
            return ""
    return settings.fault("names_no_topic")


def _no_pronouns(text: str, words: Sequence[str]) -> str:
    """The text with abbreviations that look like one of the words, as "IT" and "US" do, told apart from it."""
    return _CAPITALS.sub(
        lambda found: f"{found.group()}0" if found.group().casefold() in words else found.group(), text
    )


def _before_named(query: str, topic: AbstractSet[str], stopwords: AbstractSet[str]) -> str:
    """A dense query up to the clause that names the topic, that clause included."""
    clauses = _CLAUSE.split(query)
    named = (number for number, clause in enumerate(clauses) if content_words(clause, stopwords) & topic)
    return "，".join(clauses[: next(named, len(clauses)) + 1])


def _name_fault(query: str, vocabulary: AbstractSet[str], settings: DomainSettings) -> str:
    """A capitalised word or code name of the query that the corpus never uses: taken from the prompt, not from it."""
    first = next(iter(tokens(query)), "")
    names = {word.casefold() for word in _NAME.findall(query) if word.casefold() != first} | identifiers(query)
    strange = sorted(name for name in names if not set(tokens(name)) <= vocabulary and name not in settings.stopwords)
    return settings.fault("unknown_name", name=strange[0]) if strange else ""


def _subject_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    """A fact under a signature often leaves its subject to it: then the query must name what the signature defines."""
    heading = fact.topic.rsplit(" - ", 1)[-1]
    match = _SIGNED.search(heading)
    if not match:
        return ""
    name = match.group(1)
    return "" if name in fact.text or name in query else settings.fault("subject_unnamed", name=name)


def _lone_name_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    """A name of code is clear beside what it belongs to; alone it may stand for anything."""
    names = sorted(name for name in identifiers(query) if any(map(str.isalpha, name)))
    topic = content_words(fact.topic, settings.stopwords)
    if not names or not topic or content_words(query, settings.stopwords) & topic:
        return ""
    return settings.fault("name_alone", name=names[0])


def _repeat_fault(query: str, earlier: Sequence[str], settings: DomainSettings) -> str:
    stopwords = settings.stopwords
    words = content_words(query, stopwords)
    repeated = next((old for old in earlier if jaccard(words, content_words(old, stopwords)) > _REPEATS_AT), "")
    return settings.fault("repeats_query", query=repeated) if repeated else ""


def _generic_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    """A query about the topic at large shares nothing with the fact beyond the topic, or asks what something does."""
    own = content_words(fact.text, settings.stopwords) - content_words(fact.topic, settings.stopwords)
    if own and not content_words(query, settings.stopwords) & own:
        return settings.fault("asks_for_topic")
    bare = query.rstrip("?？ ").casefold()
    if any(fnmatchcase(bare, pattern) for pattern in settings.words("at_large")):
        return "" if any_of(query, settings.words("conditions")) else settings.fault("asks_at_large")
    return ""


def _condition_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    """A fact that holds under a condition answers a query that names it, or one that names the rest and asks for it."""
    clause, _, rest = fact.text.replace("，", ",").partition(",")
    begins = clause if is_dense(clause) else next(iter(tokens(clause)), "")
    if not rest or not any_of(begins, settings.words("conditions")):
        return ""
    asked, condition, consequence = (content_words(text, settings.stopwords) for text in (query, clause, rest))
    tells = overlap(condition, asked) >= _CONDITION_NAMED or overlap(consequence, asked) >= _CONSEQUENCE_NAMED
    return "" if len(condition) < _LONG_CONDITION or tells else settings.fault("condition_left_out")


def _demand_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    unmet = unmet_demand(query, fact.text, settings)
    return settings.fault("fact_does_not_say", word=unmet) if unmet else ""


def _giveaway_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    told = content_words(fact.text, settings.stopwords)
    given = overlap(told, content_words(query, settings.stopwords))
    return settings.fault("gives_answer_away") if len(told) > 2 and given >= _GIVEN_AWAY_AT else ""


def _statement_fault(query: str, settings: DomainSettings) -> str:
    """A statement with a question mark, in a language that tells questions by their words."""
    asking = settings.words("asking")
    asks = not asking or any_of(query, (*settings.words("question_words"), *asking))
    return "" if asks else settings.fault("not_one_query")
