"""Claims of an answer against their passages: a quote counts only where it stands verbatim, which code decides."""

from collections.abc import Sequence

from mtr.datasets.records import AnyPassage
from mtr.quotes import FEWEST, find_quote
from mtr.verdicts import Claim


def found_claim(text: str, supported: bool, quote: str, passages: Sequence[AnyPassage]) -> Claim:
    """The claim, with the place of its quote. Supported without a quote that stands in a passage counts as not.

    What may differ between quote and passage says `find_quote`; the stored quote is the passage's own. A quote as long
    as the claim it is for is never too short.
    """
    shortest = min(FEWEST, len(text))
    for passage in passages:
        if span := find_quote(quote, passage.text, shortest):
            return Claim(
                text=text,
                supported=supported,
                passage_id=passage.passage_id,
                quote=passage.text[span.start : span.end],
                start=span.start,
                end=span.end,
            )
    return Claim(text=text, supported=False)
