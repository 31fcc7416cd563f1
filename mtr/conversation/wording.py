"""The query as typed: which words the conversation has made clear, and whether a rewording kept the rest.

A model that rewords drops meaning more often than not, so every rewording is held against the standalone query here:
what is new in the query must stay, nothing may be added, and no name, number or negation may go.
"""

import re
from collections.abc import Sequence
from typing import Self

from mtr.conversation.plan import PlannedTurn
from mtr.prompts import DomainSettings
from mtr.records import Record, Turn
from mtr.words import any_of, contains, content_words, identifiers, is_dense, length, numbers, overlap, tokens

_WORD = re.compile(r"`[^`\n]+`|\S+")
_KEPT_AT_LEAST = 0.8
_MOST_RUNS = 3


class Wording(Record):
    """What a rewording starts from: the standalone query, the turn it leans on (None for none), the user's style."""

    query: str
    leans_on: Turn | None
    style: str

    @classmethod
    def of(cls, planned: PlannedTurn, turns: Sequence[Turn], query: str, style: str) -> Self:
        """The wording of a planned turn."""
        leans_on = turns[planned.refers_to - 1] if planned.refers_to else None
        return cls(query=query, leans_on=leans_on, style=style)

    def needed(self, settings: DomainSettings) -> bool:
        """Whether the query as typed may differ from its twin: a plain user leaves out only what is clear."""
        return self.style != "plain" or bool(self.clear(settings))

    @property
    def said(self) -> tuple[str, ...]:
        """What the conversation has made clear."""
        return (self.leans_on.standalone_query, self.leans_on.answer) if self.leans_on else ()

    def clear(self, settings: DomainSettings) -> tuple[str, ...]:
        """Runs of words of the query that need not be said again."""
        return clear_runs(self.query, self.said, settings) if self.leans_on else ()

    def fault(self, reworded: str, settings: DomainSettings) -> str:
        """What a rewording lost, added or said again, in words, or an empty string."""
        if self.style != "long_winded" and tokens(reworded) == tokens(self.query):
            clear = self.clear(settings)
            return settings.fault("says_again", words=clear[0]) if clear else ""
        return reworded_fault(reworded, self.query, self.said, self.style, settings)


def clear_runs(query: str, said: Sequence[str], settings: DomainSettings) -> tuple[str, ...]:
    """The longest runs of words in the query that speak only of what was already said, longest first."""
    stopwords = settings.stopwords
    known = content_words(" ".join(said), stopwords)
    if is_dense(query):
        return _dense_runs(query, " ".join(said))
    runs: list[list[str]] = [[]]
    for word in _WORD.findall(query.rstrip("?")):
        words = content_words(word, stopwords)
        keeps = words <= known if words else word.casefold() in settings.words("articles")
        runs[-1].append(word) if keeps else runs.append([])
    texts = (" ".join(run).strip(",;:.") for run in runs)
    telling = [text for text in texts if content_words(text, stopwords)]
    return tuple(sorted(dict.fromkeys(telling), key=lambda text: -len(text))[:_MOST_RUNS])


def reworded_fault(reworded: str, query: str, said: Sequence[str], style: str, settings: DomainSettings) -> str:
    """What a rewording of `query` lost or added, in words, or an empty string."""
    if not reworded.strip():
        return settings.fault("nothing_written")
    new, old, known = (_meanings(t, settings) for t in (reworded, query, " ".join(said)))
    if reworded.count("?") + reworded.count("？") > 1 or "\n" in reworded:
        return settings.fault("not_one_line")
    if fault := _length_fault(reworded, query, style, settings):
        return fault
    if lost := sorted((numbers(query) | identifiers(query)) - numbers(reworded) - identifiers(reworded) - _said(said)):
        return settings.fault("leaves_out", words=lost[0])
    if strange := sorted((numbers(reworded) | identifiers(reworded)) - numbers(query) - identifiers(query)):
        return settings.fault("adds", words=strange[0])
    if _negated(query, settings.words("negations")) != _negated(reworded, settings.words("negations")):
        return settings.fault("changes_negation")
    if strange := sorted(new - old - (known if style != "long_winded" else new)):
        return settings.fault("adds", words=strange[0])
    fresh = old - known
    kept = overlap(fresh, new)
    if fresh and kept < (0.95 if style == "long_winded" else _KEPT_AT_LEAST):
        return settings.fault("leaves_out", words=sorted(fresh - new)[0])
    if style != "terse" and _asks(query, settings.words("question_words")) != _asks(
        reworded, settings.words("question_words")
    ):
        return settings.fault("asks_something_else")
    if style == "long_winded" and overlap(old, new) < 0.9:
        return settings.fault("leaves_out", words=sorted(old - new)[0])
    return ""


def _length_fault(reworded: str, query: str, style: str, settings: DomainSettings) -> str:
    words, before = length(reworded), length(query)
    if style == "long_winded":
        return "" if before + 4 <= words <= before + 45 else settings.fault("no_situation")
    if words < 2 or (style == "terse" and words < 3):
        return settings.fault("says_too_little")
    return "" if words < before else settings.fault("not_shorter")


def _meanings(text: str, settings: DomainSettings) -> set[str]:
    """Content words; in a script without spaces characters, since leaving a word out joins its neighbours anew."""
    if not is_dense(text):
        return content_words(text, settings.stopwords)
    empty = set("".join((*settings.stopwords, *settings.words("dangling"), *settings.words("articles"))))
    return {character for character in text if character.isalnum()} - empty


def _said(said: Sequence[str]) -> set[str]:
    text = " ".join(said)
    return numbers(text) | identifiers(text)


def _negated(text: str, negations: Sequence[str]) -> bool:
    return any(contains(text, word) for word in negations) or "n't" in text or "n’t" in text


def _asks(text: str, question_words: Sequence[str]) -> str:
    return any_of(text, question_words)


def _dense_runs(query: str, said: str) -> tuple[str, ...]:
    found: list[str] = []
    start = 0
    while start < len(query):
        end = start
        while end < len(query) and query[start : end + 1] in said:
            end += 1
        if end - start >= 2:
            found.append(query[start:end].strip("，。、的 "))
            start = end
        else:
            start += 1
    return tuple(sorted(dict.fromkeys(run for run in found if len(run) > 1), key=lambda run: -len(run))[:_MOST_RUNS])
