"""Claims of an answer against their passages: a quote counts only where it stands verbatim, which code decides."""

import re
from collections.abc import Sequence

from mtr.datasets.records import AnyPassage
from mtr.verdicts import Claim

_FEWEST = 8
_TRIM = " \t\r\n\"'“”‘’「」『』`"


def found_claim(text: str, supported: bool, quote: str, passages: Sequence[AnyPassage]) -> Claim:
    """The claim, with the place of its quote. Supported without a quote that stands in a passage counts as not.

    White space may differ and quotation marks around the quote are passed over; the stored span is the passage's own.
    """
    bare = quote.strip(_TRIM)
    for passage in passages if len(bare) >= min(_FEWEST, len(text)) and bare else ():
        pattern = r"\s+".join(re.escape(word) for word in bare.split())
        if match := re.search(pattern, passage.text):
            return Claim(
                text=text,
                supported=supported,
                passage_id=passage.passage_id,
                quote=match.group(),
                start=match.start(),
                end=match.end(),
            )
    return Claim(text=text, supported=False)
