"""What a query demands of whatever answers it: how many wants a number, why wants a reason."""

from mtr.prompts import DomainSettings
from mtr.words import any_of, is_dense, numbers

_NUMBER = "#"


def unmet_demand(query: str, text: str, settings: DomainSettings) -> str:
    """The word of the query whose demand the text does not meet, by the domain's `demands`; empty when it is met."""
    asked = f" {query.casefold()}"
    for word, holds in settings.demands.items():
        if f" {word} " in asked or (is_dense(word) and word in asked):
            met = (_NUMBER in holds and bool(numbers(text))) or any_of(text, [one for one in holds if one != _NUMBER])
            return "" if met else word
    return ""
