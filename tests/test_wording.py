"""Wordings: what the conversation has made clear, and what a rewording lost or added."""

import pytest
from support.conversations import make_turn
from support.passages import passage

from mtr.conversation.plan import PlannedTurn
from mtr.conversation.wording import Wording, clear_runs, reworded_fault
from mtr.prompts import load_domain
from mtr.records import Turn

ENGLISH = load_domain("general")
CHINESE = load_domain("general_zh")
SAID = (
    "How does TideDB store new rows?",
    "It writes them to a memory table, which is later flushed to a segment file.",
)
QUERY = "Why does TideDB not compact its segments during a backup of 30 tables?"
CHINESE_SAID = ("青石桥位于哪里？", "青石桥位于城南公园。")
CHINESE_QUERY = "青石桥为什么在1962年被整体迁移？"


def plain(reworded: str) -> str:
    """The fault of a plain rewording."""
    return reworded_fault(reworded, QUERY, SAID, "plain", ENGLISH)


@pytest.mark.parametrize(
    "reworded",
    [
        "Why does it not compact them during a backup of 30 tables?",
        "Why doesn't it compact segments during a backup of 30 tables?",
        "And why does it not compact during a backup of 30 tables?",
    ],
)
def test_clean_rewordings_pass(reworded: str) -> None:
    assert plain(reworded) == ""


@pytest.mark.parametrize(
    ("reworded", "fault"),
    [
        ("", "there is none"),
        ("Why does it not compact? During 30 backups?", "one query on one line"),
        ("Why does it not compact them\nduring a backup of 30 tables?", "one query on one line"),
        ("Why does TideDB not compact all of its segments during a backup of 30 tables?", "it is not shorter"),
        ("Why?", "it says too little"),
        ("Why does it not compact them during a backup?", "it leaves out '30'"),
        ("Why does it not compact during backup of 30 or 40 tables?", "it adds '40'"),
        ("Why does it compact them during a backup of 30 tables?", "it changes what is negated"),
        ("Why does it not compact purple backup 30 tables?", "it adds 'purpl'"),
        ("Why does it not do that for 30 tables?", "it leaves out"),
        ("When does it not compact them in backup of 30 tables?", "it asks for something else"),
    ],
)
def test_each_fault_is_named(reworded: str, fault: str) -> None:
    assert fault in plain(reworded)


def test_a_name_of_the_query_must_stay_unless_it_was_said() -> None:
    query = "Which error does `pad_left` raise when the width is negative?"
    assert "leaves out 'pad_left'" in reworded_fault("Which error when negative width?", query, SAID, "plain", ENGLISH)
    said = ("What does `pad_left` do with the width?", "It pads.")
    assert reworded_fault("Which error does it raise when negative?", query, said, "plain", ENGLISH) == ""


def test_terse_wordings_may_drop_the_question_word() -> None:
    assert reworded_fault("not compact during backup of 30 tables?", QUERY, SAID, "terse", ENGLISH) == ""
    assert "asks for something else" in reworded_fault(
        "not compact during backup of 30 tables?", QUERY, SAID, "plain", ENGLISH
    )
    assert "says too little" in reworded_fault("30 tables?", QUERY, SAID, "terse", ENGLISH)


def test_long_winded_wordings_add_a_sentence_and_keep_the_rest() -> None:
    long = f"I am on call this month and the disks are filling up fast. {QUERY}"
    assert reworded_fault(long, QUERY, SAID, "long_winded", ENGLISH) == ""
    assert "own situation" in reworded_fault(f"Hi. {QUERY}", QUERY, SAID, "long_winded", ENGLISH)
    short = (
        "I am on call this month and the disks are filling up. Why does it not do this during a backup of 30 of them?"
    )
    assert "leaves out" in reworded_fault(short, QUERY, SAID, "long_winded", ENGLISH)
    other = long.replace("Why does", "How does")
    assert "asks for something else" in reworded_fault(other, QUERY, SAID, "long_winded", ENGLISH)


def test_what_was_said_need_not_be_said_again() -> None:
    runs = clear_runs("Why does TideDB not flush the memory table to a segment file at night?", SAID, ENGLISH)
    assert "TideDB" in runs
    assert any("memory table" in run for run in runs)
    assert not any("night" in run for run in runs)
    assert list(runs) == sorted(runs, key=len, reverse=True)
    assert len(runs) <= 3


def test_nothing_is_clear_before_anything_was_said() -> None:
    assert clear_runs(QUERY, (), ENGLISH) == ()
    assert clear_runs(CHINESE_QUERY, (), CHINESE) == ()


def test_chinese_wordings() -> None:
    assert clear_runs(CHINESE_QUERY, CHINESE_SAID, CHINESE) == ("青石桥",)
    for reworded, fault in (
        ("为什么在1962年被整体迁移？", ""),
        ("那为什么被整体迁移？", "它漏掉了“1962”"),
        ("它为什么没在1962年整体迁移？", "它改变了否定的意思"),
        ("它在1962年被谁整体迁移？", "它问的是另一件事"),
    ):
        assert reworded_fault(reworded, CHINESE_QUERY, CHINESE_SAID, "plain", CHINESE) == fault


def kept_turns() -> list[Turn]:
    """Two turns."""
    return [
        make_turn(number, passage("p", "x The value is 7. It ends.", heading=f"Part {number}")) for number in (1, 2)
    ]


def wording(refers_to: int | None, style: str = "plain", query: str = "value of Part 2 now?") -> Wording:
    """The wording of a third turn."""
    planned = PlannedTurn(turn=3, move="follow_up", refers_to=refers_to)
    return Wording.of(planned, kept_turns(), query, style)


def test_a_wording_leans_on_the_turn_it_refers_to() -> None:
    assert wording(2).leans_on == kept_turns()[1]
    assert wording(1).said == (kept_turns()[0].standalone_query, kept_turns()[0].answer)
    assert wording(None).leans_on is None and wording(None).said == ()


@pytest.mark.parametrize(
    ("refers_to", "style", "needed"),
    [(None, "plain", False), (None, "terse", True), (None, "long_winded", True), (1, "plain", True)],
)
def test_when_a_wording_is_needed(refers_to: int | None, style: str, needed: bool) -> None:
    assert wording(refers_to, style).needed(ENGLISH) is needed


def test_a_plain_user_types_a_query_in_which_nothing_is_clear_as_it_is() -> None:
    assert not wording(1, query="Which colour has the roof?").needed(ENGLISH)
    assert wording(1, "terse", query="Which colour has the roof?").needed(ENGLISH)


def test_the_query_typed_as_it_is_is_faulty_when_it_says_again_what_is_clear() -> None:
    assert "value of Part 2" in wording(2).fault("value of part 2 now?", ENGLISH)
    assert wording(None, "terse").fault("value of part 2 now?", ENGLISH) == ""
    assert wording(2, "long_winded").fault("value of part 2 now?", ENGLISH) != ""


def test_nothing_is_clear_at_a_switch() -> None:
    assert wording(None, "terse").clear(ENGLISH) == ()
    assert wording(2).clear(ENGLISH) != ()


@pytest.mark.parametrize("style", ["plain", "terse", "long_winded"])
def test_a_name_said_before_is_not_added(style: str) -> None:
    said = ("What does `flush()` return?", "It returns the number of rows.")
    query = "Which rows does `rotate()` move to the archive of the station?"
    reworded = "`flush()` and the rows that `rotate()` moves to the archive?"
    if style == "long_winded":
        reworded = f"I keep the rows of our station and never saw `flush()` before. {query}"
    assert "it adds 'flush'" in reworded_fault(reworded, query, said, style, ENGLISH)
