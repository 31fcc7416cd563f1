"""What kind of thing a query asks for, told by its own words: a fact, a way, a reason, a comparison, yes or no."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from mtr.records import Record
from mtr.words import any_of, is_dense, place_of_phrase

QueryType = Literal["what, who, when, where", "how", "why", "comparison", "yes or no", "other"]
TYPES: tuple[QueryType, ...] = get_args(QueryType)

_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!](?=\S)[^.!?。！？\n]+)*[.!?。！？]*")
_MARK = re.compile(r"[?？]\W*$")
_PLACES = 4
"""A word that asks stands among so many first words of a sentence that has no question mark."""
_LAST = 2000
"""Of a longer query only the last characters are looked at: what is asked stands at its end."""


class TypeWords(Record):
    """The words of one language; query_types.toml says what each list is for. A script without spaces needs fewer."""

    fact: tuple[str, ...]
    how: tuple[str, ...]
    why: tuple[str, ...]
    yes_no: tuple[str, ...]
    compare: tuple[str, ...]
    opening: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    polite: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def typed_languages() -> tuple[str, ...]:
    """The languages whose words are known, as ISO 639-1."""
    return tuple(_words())


def query_type(query: str, language: str | None) -> QueryType | None:
    """The type of a query as typed; None where the words of its language are not known.

    The last sentence with a question mark is looked at, the whole query where none has one. Queries of key words, and
    requests without a word that asks, are `other`. Numbers and names asked for (how many, which) count as facts.
    """
    words = _words().get(language or "")
    if words is None:
        return None
    text = query[-_LAST:].casefold().replace("’", "'")
    asked = [one for one in _SENTENCE.findall(text) if _MARK.search(one)]
    sentence = (asked or [text])[-1].strip()
    if any_of(sentence, words.compare):
        return "comparison"
    if is_dense(sentence):
        return _first(sentence, words) or "other"
    return _spaced(_main_clause(sentence, words), words, asked=bool(asked))


def _spaced(sentence: str, words: TypeWords, *, asked: bool) -> QueryType:
    """In a language with spaces it matters where a word stands: `who` may ask, or belong to `people who`."""
    if any_of(sentence, words.never):
        return "other"
    start = _without(sentence, words.before)
    rest = _without(start, words.polite)
    if rest == start and _begins(start, words.opening):
        return "yes or no"
    if asked:
        return _first(rest, words) or "other"
    for phrase in words.asks:
        if (place := place_of_phrase(rest, phrase)) is not None:
            told = _without(rest[place + len(phrase) :], words.before)
            if (found := _first(" ".join(told.split()[:_PLACES]), words)) is not None:
                return found
    found_at = next(iter(sorted(_found(rest, words))), None)
    return found_at[-1] if found_at is not None and found_at[0] == 0 else "other"


def _first(text: str, words: TypeWords) -> QueryType | None:
    found = min(_found(text, words), default=None)
    return None if found is None else found[-1]


def _found(text: str, words: TypeWords) -> Iterator[tuple[int, int, QueryType]]:
    """(place, minus length, type) of every word that asks, so that the least is the first and longest.

    Without spaces a particle of yes or no asks only where no other word does: 什么 … 吗 still wants a thing.
    """
    kinds: tuple[tuple[QueryType, tuple[str, ...]], ...] = (
        ("what, who, when, where", words.fact),
        ("how", words.how),
        ("why", words.why),
        ("yes or no", words.yes_no),
    )
    for kind, phrases in kinds:
        for phrase in phrases:
            dense = is_dense(phrase)
            place = text.find(phrase) if dense else place_of_phrase(text, phrase)
            if place is not None and place >= 0:
                last = len(text) if dense and kind == "yes or no" else 0
                yield place + last, -len(phrase), kind


def _main_clause(sentence: str, words: TypeWords) -> str:
    """What stands behind the first comma that a question begins after, where the sentence begins with an aside."""
    asking = (*words.opening, *words.fact, *words.how, *words.why)
    clauses = sentence.split(",")
    if _begins(sentence, words.aside):
        for place in range(1, len(clauses)):
            clause = _without(",".join(clauses[place:]), words.before)
            if _begins(clause, asking):
                return clause
    return sentence


def _without(text: str, phrases: tuple[str, ...]) -> str:
    """The text without these words at its beginning, as many as there are."""
    rest = text.lstrip(" ,;:.–-")
    while (longest := max((one for one in phrases if _begins(rest, (one,))), key=len, default="")) != "":
        rest = rest[len(longest) :].lstrip(" ,;:.!–-")
    return rest


def _begins(text: str, phrases: tuple[str, ...]) -> bool:
    rest = text.lstrip()
    return any(rest.startswith(one) and not rest[len(one) :][:1].isalnum() and rest[len(one) :][:1] != "'"
               for one in phrases)  # fmt: skip


@cache
def _words() -> Mapping[str, TypeWords]:
    text = (Path(__file__).parent / "query_types.toml").read_text(encoding="utf-8")
    return {language: TypeWords.model_validate(lists) for language, lists in tomllib.loads(text).items()}
