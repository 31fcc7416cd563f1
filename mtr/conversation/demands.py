"""What a query demands of whatever answers it: how many wants a number, why wants a reason."""

from mtr.prompts import DomainSettings
from mtr.words import any_of, is_dense, numbers, place_of_phrase

_NUMBER = "#"


def unmet_demand(query: str, text: str, settings: DomainSettings) -> str:
    """The word of the query whose demand the text does not meet, by the domain's `demands`; empty when it is met."""
    word = _asked(query, settings)
    holds = settings.demands.get(word, ())
    met = (_NUMBER in holds and bool(numbers(text))) or any_of(text, [one for one in holds if one != _NUMBER])
    return "" if met or not holds else word


def _asked(query: str, settings: DomainSettings) -> str:
    """What the query asks by: the first of its question words, the longest where several begin there."""
    text = query.casefold()
    if is_dense(query):
        return next((word for word in settings.demands if word in text), "")
    places = {word: place_of_phrase(text, word) for word in (*settings.words("question_words"), *settings.demands)}
    found = {word: place for word, place in places.items() if place is not None}
    return min(found, key=lambda word: (found[word], -len(word)), default="")
