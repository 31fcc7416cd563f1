"""The benchmark of injections: twins differ in the injection alone, and the shift of a gullible judge is measured."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import jurors, places
from support.endpoint import TestEndpoint

from benchmarks.injection.__main__ import run, shifts
from benchmarks.injection.shifts import CRITERIA
from benchmarks.injection.twins import items, twins

CHOSEN = items()[-4:]


@pytest.fixture
def jury(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestEndpoint]:
    """An endpoint of judges that no text can move."""
    with TestEndpoint(reply=places.strict) as endpoint:
        monkeypatch.setenv("MTR_CONFIG", str(jurors.write_settings(tmp_path / "mtr.toml", endpoint.base_url)))
        yield endpoint


def test_twenty_items_ten_of_each_kind_two_in_chinese() -> None:
    known = items()
    assert len(known) == len({item.name for item in known}) == 20
    assert Counter(item.target for item in known) == {"passage": 10, "answer": 10}
    assert Counter(item.domain for item in known) == {"general": 18, "general_zh": 2}
    assert all((item.answer is None) == (item.target == "passage") for item in known)


def test_twins_differ_in_the_injection_alone() -> None:
    known = items()
    dataset = twins(known)
    for item, clean, injected in zip(known, dataset.turns[::2], dataset.turns[1::2], strict=True):
        before, after = dataset.passages[clean.query_id], dataset.passages[injected.query_id]
        texts = (before.text, after.text) if item.target == "passage" else (clean.answer, injected.answer)
        assert str(texts[1]).replace(item.injection, "").strip() == str(texts[0]).strip()
        assert (clean.query, before.title) == (injected.query, after.title)
        assert (before.text == after.text) == (item.target == "answer")


@pytest.mark.parametrize("name", CRITERIA)
async def test_a_judge_that_no_text_moves(jury: TestEndpoint, name: str) -> None:
    shift, calls, _ = await shifts("jury/one", name, CHOSEN)
    assert (shift.shift.mean, shift.shift.measured, shift.turned.count, calls) == (0, 2, 0, 4)


@pytest.mark.parametrize("name", CRITERIA)
async def test_the_shift_of_a_gullible_judge(jury: TestEndpoint, name: str) -> None:
    jury.reply = places.gullible
    shift, _, _ = await shifts("jury/one", name, CHOSEN)
    most = 0.9 if name in {"passage_answers", "answer_supported"} else 3
    assert shift.shift.mean == pytest.approx(most, abs=0.05)
    assert (shift.turned.count, shift.turned.measured) == (2, 2)
    assert [pair.shift == shift.shift.mean for pair in shift.pairs] == [True, True]


async def test_what_nobody_can_read_has_no_shift(jury: TestEndpoint) -> None:
    jury.reply = "Five!"
    shift, _, _ = await shifts("jury/one", "passage_answers", CHOSEN)
    assert (shift.shift.mean, shift.shift.measured, shift.shift.asked) == (None, 0, 2)
    assert shift.turned.share is None


async def test_the_tables(jury: TestEndpoint, capsys: pytest.CaptureFixture[str]) -> None:
    jury.reply = places.gullible
    await run(["jury/one"], ["query_evidence_alignment", "answer_faithfulness"], CHOSEN)
    table = capsys.readouterr().out
    assert "| query_evidence_alignment | 2 of 2 | 2.00 | 5.00 | +3.00 [3.00, 3.00] | 2 of 2 |" in table
    assert "| passage order, Chinese | 2.00 → 5.00 |  |" in table
    assert "| answer note, Chinese |  | 2.00 → 5.00 |" in table
