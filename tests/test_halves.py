"""A query joined from halves: how it reads, and what a domain has to say for it."""

import pytest
from pydantic import ValidationError

from mtr.prompts import DomainSettings, load_domain
from mtr.questions.halves import joined

ENGLISH, CHINESE = load_domain("general"), load_domain("general_zh")


@pytest.mark.parametrize(
    ("first", "second", "query"),
    [
        ("Who pays?", "When does the gate open?", "Who pays, and when does the gate open?"),
        ("Who pays? ", "If I ask, who answers?", "Who pays, and if I ask, who answers?"),
        ("Who pays?", "Birchfield pays whom?", "Who pays, and Birchfield pays whom?"),
        ("Who {second}?", "IT pays whom?", "Who {second}, and IT pays whom?"),
    ],
)
def test_halves_read_as_one_query(first: str, second: str, query: str) -> None:
    assert joined((first, second), ENGLISH) == query


def test_chinese_halves() -> None:
    assert joined(("青石桥建于哪一年？", "云溪桥位于哪里？"), CHINESE) == "青石桥建于哪一年，云溪桥位于哪里？"


@pytest.mark.parametrize("text", ["{first} and", "{first}, and {secnd}", "{first}, {second}, {third}"])
def test_a_domain_that_misspells_a_place_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match=r"must have the places \{first\} and \{second\}"):
        DomainSettings.model_validate({**ENGLISH.model_dump(), "phrases": {"halves": (text,)}})
