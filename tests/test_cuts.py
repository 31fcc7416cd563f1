"""The benchmark that proposes thresholds: its cuts, and its answers made wrong."""

import json
from pathlib import Path

import pytest
from support.passages import passage, passages

from benchmarks.thresholds.corruptions import negation_flipped, number_changed, sentence_added
from benchmarks.thresholds.cuts import area, best_cut, margin, share, strict_cut
from benchmarks.thresholds.marked import marked_questions
from mtr.errors import InputError
from mtr.prompts import load_domain


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("It opens at 120 units, not 30.", "It opens at 123 units, not 30."),
        ("建于1962年。", "建于1965年。"),
        ("It opens.", None),
    ],
)
def test_a_number_is_changed(answer: str, wrong: str | None) -> None:
    assert number_changed(answer) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("It is not deleted.", "It is deleted."),
        ("It doesn't run.", "It does run."),
        ("He cannot.", "He can."),
        ("It never ends.", "It always ends."),
        ("It is deleted.", "It is not deleted."),
        ("It opens only when the level is high.", "It opens only when the level is not high."),
        ("It opens when the level rises.", "It opens unless the level rises."),
        ("他不是教师。", "他是教师。"),
        ("他是教师。", "他不是教师。"),
        ("The value returned.", None),
    ],
)
def test_a_negation_is_flipped(answer: str, wrong: str | None) -> None:
    assert negation_flipped(answer) == wrong


def test_a_sentence_of_another_passage_is_added() -> None:
    other = passage("o", "# Pumps\n\nOld. The blue pump stops after half an hour.")
    wrong = sentence_added("It opens.", other, load_domain("general"))
    assert wrong == "It opens. The blue pump stops after half an hour."
    assert sentence_added("它开了。", other, load_domain("general_zh")) is None


def test_the_area_under_the_curve() -> None:
    assert area([0.9, 0.8], [0.1, 0.8]) == pytest.approx(0.875)
    assert area([0.9], []) is None


def test_shares_of_nothing_are_not_measured() -> None:
    assert share([], 0.5) is None
    assert share([0.5, 0.4], 0.5) == 0.5


def test_the_best_cut_lies_in_the_middle_of_the_gap() -> None:
    assert best_cut([0.9, 0.8], [0.1, 0.42]) == 0.65


def test_a_strict_cut_goes_up_until_few_wrong_cases_pass() -> None:
    right, wrong = [0.95, 0.9, 0.7, 0.6, 0.6], [0.1, 0.1, 0.1, 0.1, 0.65]
    assert best_cut(right, wrong) < 0.65
    assert strict_cut(right, wrong, 0.0) == 0.7
    assert strict_cut([0.4], [0.95], 0.0) == best_cut([0.4], [0.95])


def test_the_margin_keeps_nine_queries_of_ten() -> None:
    assert margin([0.3] * 9 + [0.01]) == pytest.approx(0.3)
    assert margin([-0.5]) == 0.0


def test_a_marked_question_leads_to_the_one_passage_that_holds_its_answer(tmp_path: Path) -> None:
    here = passages(
        ["The gate opens at noon.", "It closes at noon, or at nine in June.", "Elsewhere it closes at nine."]
    )
    asked = [("When does it open or close?", "at noon"), ("When does it close in June?", "nine")]
    qas = [{"question": query, "answers": [{"text": answer, "answer_start": 0}]} for query, answer in asked]
    paragraph = {"context": "The gate opens at noon. It closes at noon, or at nine in June.", "qas": qas}
    file = tmp_path / "squad.json"
    file.write_text(json.dumps({"data": [{"paragraphs": [paragraph]}]}), encoding="utf-8")
    assert marked_questions(file, here) == [("When does it close in June?", "nine", here[1])]
    with pytest.raises(InputError, match="no marked answer lies in a passage"):
        marked_questions(file, here[2:])
    file.write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match=r"squad.json: not a file in the layout of SQuAD"):
        marked_questions(file, here)
