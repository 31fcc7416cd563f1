"""The benchmark of planted faults: its set is what it says, an honest judge finds exactly what is planted."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import jurors, places
from support.endpoint import TestEndpoint, as_json

from benchmarks.judged import judged_by
from benchmarks.planted.__main__ import run
from benchmarks.planted.planting import KINDS, clean, kind_of, planted
from benchmarks.planted.planting import places as known_places
from benchmarks.planted.scoring import MEANT_FOR, found_by
from mtr.verdicts import criterion

TURNS = 9


@pytest.fixture
def jury(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestEndpoint]:
    """An endpoint of honest judges."""
    with TestEndpoint(reply=places.honest) as endpoint:
        monkeypatch.setenv("MTR_CONFIG", str(jurors.write_settings(tmp_path / "mtr.toml", endpoint.base_url)))
        yield endpoint


def test_the_set_is_clean() -> None:
    known = known_places()
    turns = [turn for place in known for turn in place.turns]
    assert (len(known), len(turns), len({turn.query for turn in turns})) == (20, 60, 60)
    for place in known:
        for turn in place.turns:
            assert 60 <= len(turn.text.split()) <= 120, turn.heading
            assert turn.answer.count(turn.key) == 1 and turn.instead not in turn.text, turn.answer
            holding = [turn.key.casefold() in other.text.casefold() for other in place.turns]
            assert holding == [other is turn for other in place.turns], turn.key
    dataset = clean(known, 60)
    assert all(len(turn.history) == 2 * (turn.turn - 1) for turn in dataset.turns)


def test_twenty_faults_of_each_kind_one_in_every_turn_drawn_by_seed() -> None:
    known = known_places()
    faults = planted(known, 60, 7)
    assert {kind: len(ids) for kind, ids in faults.faults.items()} == dict.fromkeys(KINDS, 20)
    assert len(frozenset().union(*faults.faults.values())) == 60
    assert planted(known, 60, 7) == faults
    assert planted(known, 60, 8).faults != faults.faults
    assert Counter(kind_of(place, 0, 7) for place in known).keys() == set(KINDS)
    before, after = clean(known, 60), faults.dataset
    for turn, changed in zip(before.turns, after.turns, strict=True):
        gold = turn.gold[0].passage_id
        assert (changed.query, changed.history) == (turn.query, turn.history)
        if turn.query_id in faults.faults["wrong gold"]:
            assert gold not in after.passages and changed.gold != turn.gold and changed.answer != turn.answer
        elif turn.query_id in faults.faults["missing gold"]:
            assert str(turn.answer) in after.passages[f"{gold} again"].text and changed == turn
        else:
            assert changed.answer != turn.answer and changed.gold == turn.gold


async def test_an_honest_judge_finds_what_is_planted_and_nothing_else(jury: TestEndpoint) -> None:
    faults = planted(known_places(), TURNS, 7)
    for name, kind in MEANT_FOR.items():
        judging = await judged_by("jury/one", name, faults.dataset, "general")
        for found in found_by(criterion("general", name), judging.turns, faults):
            assert (found.kind, found.found, found.planted, found.alarms) == (kind, 3, 3, 3), found.how
            assert found.area in {1.0, None} and found.measured == found.asked == TURNS
        assert judging.calls >= TURNS


async def test_a_judge_that_is_always_content_finds_nothing(jury: TestEndpoint) -> None:
    jury.reply = as_json(reason="Fine.", score=5)
    faults = planted(known_places(), TURNS, 7)
    judging = await judged_by("jury/one", "query_evidence_alignment", faults.dataset, "general")
    (found,) = found_by(criterion("general", "query_evidence_alignment"), judging.turns, faults)
    assert (found.found, found.alarms, found.area) == (0, 0, 0.5)
    assert found.recall.low == 0 and found.recall.high is not None and 0.5 < found.recall.high < 0.6
    assert found.precision.low is None


async def test_replies_nobody_can_read_are_not_measured(jury: TestEndpoint) -> None:
    jury.reply = "I would rather not say."
    faults = planted(known_places(), 3, 7)
    judging = await judged_by("jury/one", "answer_supported", faults.dataset, "general")
    (found,) = found_by(criterion("general", "answer_supported"), judging.turns, faults)
    assert (found.found, found.alarms, found.measured, found.asked, found.area) == (0, 0, 0, 3, None)


async def test_the_table_and_a_second_run_that_asks_nobody(
    jury: TestEndpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    faults = planted(known_places(), 3, 7)
    await run(["jury/one"], ["passage_answers", "answer_supported"], faults)
    table, paid = capsys.readouterr().out, sum(jury.calls.values())
    assert "| passage_answers | wrong gold | 1 of 1 | 1.00 [0.21, 1.00] | 1, 1 right | 1.00 [0.21, 1.00] |" in table
    assert "| answer_supported | unfaithful | 1 of 1 |" in table and "| 3 of 3 | 3 |" in table
    await run(["jury/one"], ["passage_answers", "answer_supported"], faults)
    assert capsys.readouterr().out == table
    assert sum(jury.calls.values()) == paid == 6
