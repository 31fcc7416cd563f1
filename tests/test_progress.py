"""Progress on stderr: what stands in the line, and that it is printed when there is something new."""

import io

import pytest
from support.manifests import make_spent

from mtr.progress import Progress, Standing, duration, spending


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59, "59 s"), (185, "3 min 05 s"), (7800, "2 h 10 min"), (3599.9, "1 h 00 min")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_the_rate_counts_this_run_only() -> None:
    standing = Standing(asked=10, kept=4, kept_turns=16, done=2, turns=8, turns_each=4)
    line = standing.text(60.0, (make_spent(calls=1500, replayed=20),))
    assert line == (
        "6 of 10 conversations · 24 turns kept · 8.0 turns/min · 2 min 00 s left"
        " · 1,500 calls · 20 replayed · 1,200 tokens · $0.5000"
    )


def test_turns_of_conversations_under_way_are_told_and_make_the_first_guess_of_the_time_left() -> None:
    stream = io.StringIO()
    progress = Progress(Standing(asked=2, kept=0, kept_turns=0, turns_each=4), lambda: (make_spent(),), stream)
    progress.turn("one", 1)
    progress.turn("two", 1)
    line = progress.standing.text(60.0, ())
    assert line.startswith("0 of 2 conversations · 0 turns kept, 2 under way · 2.0 turns/min · 3 min 00 s left")
    progress.turn("two", 0)
    progress.whole(4, "one")
    assert progress.standing.text(60.0, ()).startswith(
        "1 of 2 conversations · 4 turns kept · 4.0 turns/min · 1 min 00 s"
    )


def test_questions_are_no_turns() -> None:
    standing = Standing(asked=9, kept=3, kept_turns=3, done=2, turns=2, things="questions")
    assert standing.text(60.0, ()).startswith("5 of 9 questions · 2.0 questions/min · 2 min 00 s left")


def test_what_is_not_known_is_left_out() -> None:
    assert spending((make_spent(usd=None, unmeasured=2),)) == ["10 calls"]


def test_lines_are_printed_when_something_is_new() -> None:
    stream = io.StringIO()
    progress = Progress(Standing(asked=2, kept=0, kept_turns=0), lambda: (make_spent(),), stream)
    progress.whole(4)
    progress.whole(4)
    first, second = stream.getvalue().splitlines()
    assert first.startswith("1 of 2 conversations · 4 turns kept")
    assert second.startswith("2 of 2 conversations · 8 turns kept")
