"""A quote is found where its words stand in the text, whatever form they have, and nowhere else."""

import unicodedata

import pytest

from mtr.quotes import find_quote

TEXT = 'The café\n   "divmod()"\nfunction is 10 km away. 其中「隧道」占四成，\n其余是桥。\n| `s[i]` | item of s |\n'


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ('The café\n   "divmod()"', 'The café\n   "divmod()'),
        ("the CAFÉ `divmod()` function", 'The café\n   "divmod()"\nfunction'),
        ("“function is 10 km away.”", "function is 10 km away."),
        ("function is １０ km", "function is 10 km"),
        ("function is 10 km away!", None),
        ("function is 10 km away;", "function is 10 km away"),
        ("隧道占四成，其余是桥", "隧道」占四成，\n其余是桥"),
        ("s[i] item of s", "s[i]` | item of s"),
        ("function is 1", None),
        ("unction is 10 km", None),
        ("function is 11 km", None),
        ("is 10", None),
        ("隧道", None),
        ("", None),
        ('"|"', None),
    ],
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_quotes(quote: str, found: str | None, form: str) -> None:
    text = unicodedata.normalize(form, TEXT)
    span = find_quote(quote, text)
    assert (span and text[span.start : span.end]) == (found and unicodedata.normalize(form, found))
