"""Code checks of a drafted query: cheap, certain, and before any model is asked.

Each check returns words for the trace and the next try's feedback, or an empty string when the query passes. All word
lists come from the domain's `phrases`; a domain without a list has no such check.
"""

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from fnmatch import fnmatchcase

from mtr.conversation.demands import unmet_demand
from mtr.corpus.facts import Fact
from mtr.prompts import DomainSettings
from mtr.words import any_of, contains, content_words, identifiers, is_dense, jaccard, length, overlap, tokens

_SIGNED = re.compile(r"(\w+)\(")
_NAME = re.compile(r"\b[A-Z][\w]{2,}")
_SHORTEST, _LONGEST = 4.0, 28.0
_REPEATS_AT = 0.6
_GIVEN_AWAY_AT = 0.9
_LONG_CONDITION = 3
_CONDITION_NAMED = 0.4
_CONSEQUENCE_NAMED = 0.5


def query_fault(
    query: str, fact: Fact, earlier: Sequence[str], vocabulary: AbstractSet[str], settings: DomainSettings
) -> str:
    """The first fault of a standalone query, or an empty string; `vocabulary` holds the words of the whole corpus."""
    checks: tuple[Callable[[], str], ...] = (
        lambda: _form_fault(query, settings),
        lambda: _language_fault(query, settings),
        lambda: _wording_fault(query, fact, settings),
        lambda: _name_fault(query, vocabulary, settings),
        lambda: _subject_fault(query, fact),
        lambda: _lone_name_fault(query, fact, settings),
        lambda: _repeat_fault(query, earlier, settings),
        lambda: _generic_fault(query, fact, settings),
        lambda: _condition_fault(query, fact, settings),
        lambda: _demand_fault(query, fact, settings),
        lambda: _giveaway_fault(query, fact, settings),
    )
    return next((fault for check in checks if (fault := check())), "")


def _form_fault(query: str, settings: DomainSettings) -> str:
    if query.count("?") + query.count("？") != 1 or query.rstrip()[-1:] not in "?？":
        return "it must be one query that ends with one question mark"
    if joined := any_of(query, settings.words("joins")):
        return f"it asks two things at once: {joined!r}"
    if not _SHORTEST <= length(query) <= _LONGEST:
        return f"it is {length(query):.0f} words long; between {_SHORTEST:.0f} and {_LONGEST:.0f} are wanted"
    return ""


def _language_fault(query: str, settings: DomainSettings) -> str:
    dense = settings.language in ("zh", "ja", "th")
    return f"it must be written in the language {settings.language!r}" if is_dense(query) != dense else ""


def _wording_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    if word := any_of(query, settings.words("forbidden")):
        return "" if contains(fact.topic, word) else f"it speaks of {word!r}"
    if (word := any_of(query, settings.words("vague"))) and not any_of(fact.text, (word, *settings.words("vague"))):
        return f"it asks for {word!r}, of which the fact says nothing"
    return _pointing_fault(query, fact, settings)


def _pointing_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    """A pronoun is clear only behind the thing it stands for."""
    if is_dense(query):
        word = any_of(query, settings.words("dangling"))
        return f"{word!r} stands for something the query does not name" if word else ""
    named = content_words(f"{fact.topic} {fact.context} {fact.text}", settings.stopwords)
    for word in tokens(query):
        if word in settings.words("dangling"):
            return f"{word!r} stands for something the query does not name"
        if content_words(word, settings.stopwords) & named:
            return ""
    return "it names nothing of the topic"


def _name_fault(query: str, vocabulary: AbstractSet[str], settings: DomainSettings) -> str:
    """A capitalised word or code name of the query that the corpus never uses: taken from the prompt, not from it."""
    first = next(iter(tokens(query)), "")
    names = {word.casefold() for word in _NAME.findall(query) if word.casefold() != first} | identifiers(query)
    strange = sorted(name for name in names if not set(tokens(name)) <= vocabulary and name not in settings.stopwords)
    return f"{strange[0]!r} is a name that the documents never use" if strange else ""


def _subject_fault(query: str, fact: Fact) -> str:
    """A fact under a signature often leaves its subject to it: then the query must name what the signature defines."""
    heading = fact.topic.rsplit(" - ", 1)[-1]
    match = _SIGNED.search(heading)
    if not match:
        return ""
    name = match.group(1)
    return "" if name in fact.text or name in query else f"it does not name {name!r}"


def _lone_name_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    """A name of code is clear beside what it belongs to; alone it may stand for anything."""
    names = sorted(name for name in identifiers(query) if any(map(str.isalpha, name)))
    topic = content_words(fact.topic, settings.stopwords)
    if not names or not topic or content_words(query, settings.stopwords) & topic:
        return ""
    return f"it does not say what {names[0]!r} belongs to"


def _repeat_fault(query: str, earlier: Sequence[str], settings: DomainSettings) -> str:
    stopwords = settings.stopwords
    words = content_words(query, stopwords)
    repeated = next((old for old in earlier if jaccard(words, content_words(old, stopwords)) > _REPEATS_AT), "")
    return f"it repeats the earlier query {repeated!r}" if repeated else ""


def _generic_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    """A query about the topic at large shares nothing with the fact beyond the topic, or asks what something does."""
    own = content_words(fact.text, settings.stopwords) - content_words(fact.topic, settings.stopwords)
    if own and not content_words(query, settings.stopwords) & own:
        return "it asks for the topic at large, not for the fact"
    bare = query.rstrip("?？ ").casefold()
    if any(fnmatchcase(bare, pattern) for pattern in settings.words("at_large")):
        return "" if any_of(query, settings.words("conditions")) else "it asks what something does or means at large"
    return ""


def _condition_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    """A fact that holds under a condition answers a query that names it, or one that names the rest and asks for it."""
    clause, _, rest = fact.text.replace("，", ",").partition(",")
    begins = clause if is_dense(clause) else next(iter(tokens(clause)), "")
    if not rest or not any_of(begins, settings.words("conditions")):
        return ""
    asked, condition, consequence = (content_words(text, settings.stopwords) for text in (query, clause, rest))
    tells = overlap(condition, asked) >= _CONDITION_NAMED or overlap(consequence, asked) >= _CONSEQUENCE_NAMED
    return "" if len(condition) < _LONG_CONDITION or tells else "it leaves out the condition under which the fact holds"


def _demand_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    unmet = unmet_demand(query, fact.text, settings)
    return f"the fact does not say {unmet!r}" if unmet else ""


def _giveaway_fault(query: str, fact: Fact, settings: DomainSettings) -> str:
    told = content_words(fact.text, settings.stopwords)
    given = overlap(told, content_words(query, settings.stopwords))
    return "it gives its answer away" if len(told) > 2 and given >= _GIVEN_AWAY_AT else ""
