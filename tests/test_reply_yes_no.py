"""Reading a yes or no: the first token's chances where there are any, else the word that was written."""

import math

import pytest
from support.replies import raw

from mtr.llm import YesNo
from mtr.llm.reading import read_reply
from mtr.llm.records import Chance
from mtr.llm.reply import RejectedReplyError


def chances(**odds: float) -> tuple[Chance, ...]:
    return tuple(Chance(token.replace("_", " "), math.log(value)) for token, value in odds.items())


def test_probability_sums_spellings() -> None:
    found = read_reply(YesNo, raw("no", "length", chances=chances(Yes=0.2, _yes=0.1, no=0.4, NO=0.1, maybe=0.2)))
    assert found.probability == pytest.approx(0.3 / 0.8)
    assert found.reply.yes is False


def test_probability_in_chinese() -> None:
    found = read_reply(YesNo, raw("是", "length", chances=chances(是=0.6, 否=0.2, 不=0.1)))
    assert found.reply.yes
    assert found.probability == pytest.approx(0.6 / 0.9)


def test_probability_of_something_else_is_rejected() -> None:
    with pytest.raises(RejectedReplyError):
        read_reply(YesNo, raw("The", "length", chances=chances(The=0.99, yes=0.001)))


WORDS = {
    "yes": True,
    " Yes.": True,
    "**No**": False,
    "NO": False,
    "是": True,
    "否": False,
    "是。": True,
    "不是": False,
    "Yes, the passage says so.": True,
    "<think>no?</think>yes": True,
    "no\n": False,
    "": None,
    "maybe": None,
    "It does, yes": None,
    "yes and no": None,
    "Yesterday": None,
    "None": None,
    "Not sure": None,
    "<think>yes": None,
    "no, yes": None,
}


@pytest.mark.parametrize("text", WORDS)
def test_written_word(text: str) -> None:
    try:
        found = read_reply(YesNo, raw(text))
    except RejectedReplyError:
        assert WORDS[text] is None
    else:
        assert found.reply.yes is WORDS[text]
        assert found.probability is None
