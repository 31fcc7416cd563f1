"""Transcripts show every part of a turn, mark evidence, and let no document steer the terminal."""

import pytest
from support.conversations import make_conversation, make_passage

from mtr.records import Evidence
from mtr.transcript import mark_evidence, printable, transcript


def test_every_part_is_there() -> None:
    conversation = make_conversation("demo-0001", turns=2)
    text = transcript(conversation, {f"doc:{n}": make_passage(n) for n in range(5)})
    assert text.splitlines() == [
        "conversation demo-0001 · style plain · en",
        "═════════════════════════════════════════",
        "turn 1 · open",
        "  query        value of Part 1?",
        "  standalone   (the same)",
        "  answer       The value of part 1 is 7.",
        "  gold         doc:1  Parts › Part 1",
        "      │ Part 1 opens here. ⟦The value of part 1 is 7.⟧ It ends.",
        "  checked      1 nearest other passages, 0 of them also answer",
        "",
        "turn 2 · follow_up",
        "  query        and part 2?",
        "  standalone   value of Part 2?",
        "  answer       The value of part 2 is 14.",
        "  gold         doc:2  Parts › Part 2",
        "      │ Part 2 opens here. ⟦The value of part 2 is 14.⟧ It ends.",
        "  checked      1 nearest other passages, 0 of them also answer",
    ]


def test_a_gold_passage_that_is_gone_is_said() -> None:
    assert "doc:1 (not in this corpus)" in transcript(make_conversation("a", turns=1), {})


@pytest.mark.parametrize(
    ("spans", "marked"),
    [
        ([], "abcdefgh"),
        ([(2, 4)], "ab⟦cd⟧efgh"),
        ([(5, 8), (0, 2)], "⟦ab⟧cde⟦fgh⟧"),
        ([(1, 4), (3, 6)], "a⟦bcdef⟧gh"),
        ([(1, 7), (3, 4)], "a⟦bcdefg⟧h"),
    ],
)
def test_marking(spans: list[tuple[int, int]], marked: str) -> None:
    text = "abcdefgh"
    evidence = tuple(Evidence(passage_id="p", start=a, end=b, text=text[a:b]) for a, b in spans)
    assert mark_evidence(text, evidence) == marked


def test_control_characters_are_left_out() -> None:
    assert printable("a\x1b[31mred\x07\u202ereversed\nnext\tcolumn") == "a[31mredreversed\nnext\tcolumn"
