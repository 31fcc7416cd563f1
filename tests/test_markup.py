"""What a model is shown of a text that comes from Markdown or templates."""

import pytest

from mtr.corpus.markup import shown


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("See [the guide](https://example.org/a_(b)?c=1#d) first.", "See the guide first."),
        ('Ask in [Leaving\nTTS]({% page "/leaving/" %}).', "Ask in Leaving\nTTS."),
        ("![A logo](logo.png) It is **always** shown.", "A logo It is always shown."),
        ('Join {% slack "g-consulting" "Consulting Guild" %} today{: .bold }.', "Join Consulting Guild today."),
        ("{% comment %}Later.{% endcomment %}", "Later."),
        ("Write `{% raw %}` or\n```\n{% if x %}\n```\nfirst.", "Write `{% raw %}` or\n```\n{% if x %}\n```\nfirst."),
        ("A brace {% that nobody {closes} %} stays.", "A brace {% that nobody {closes} %} stays."),
        ("See [`int`](https://example.org).", "See `int`."),
        ("Sheets<br>and<br/>`<br>` files", "Sheets and `<br>` files"),
        ('It returns "abc" then.', "It returns `abc` then."),
        ("Call `f(*args, **kwargs)` or g(**a) and h(**b).", "Call `f(*args, **kwargs)` or g(**a) and h(**b)."),
        ("Write handlers[0](event.data) or table[key](#x).", "Write handlers[0](event.data) or table[key](#x)."),
        ("range(start, stop[, step]) takes [a](b).", "range(start, stop[, step]) takes [a](b)."),
        ("2 ** 3 ** 2 is 512.", "2 ** 3 ** 2 is 512."),
    ],
)
def test_markup_is_left_out_and_code_stays(text: str, read: str) -> None:
    assert shown(text) == read
