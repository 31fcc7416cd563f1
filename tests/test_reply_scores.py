"""Reading scores: in JSON or behind a label, on the scale or not at all."""

import pytest
from pydantic import Field
from support.replies import Graded, raw, read

from mtr.llm import Reply
from mtr.llm.reading import read_reply


class Half(Reply):
    grade: float = Field(ge=0, le=4, multiple_of=0.5)


SCORES: dict[str, tuple[str, int | None]] = {
    "in JSON": ('{"reason": "x", "score": 4}', 4),
    "above": ('{"reason": "x", "score": 6}', None),
    "below": ('{"reason": "x", "score": 0}', None),
    "between": ('{"reason": "x", "score": 3.5}', None),
    "with a point": ('{"reason": "x", "score": 3.0}', 3),
    "as text": ('{"reason": "x", "score": "4"}', None),
    "as a fraction": ('{"reason": "x", "score": "4/5"}', None),
    "true": ('{"reason": "x", "score": true}', None),
    "label": ("Score: 2", 2),
    "bold label": ("**Score:** 2", 2),
    "bold number": ("Score: **2**", 2),
    "heading": ("### Final rating: 5\nAll of it is there.", 5),
    "after the reason": ("The answer covers two of three needs.\n\nRating: 3", 3),
    "after a sentence": ("On a scale of 1 to 5. The rating is 4.", 4),
    "out of": ("Overall score: 4 out of 5.", 4),
    "with stars": ("Rating: 4 stars", 4),
    "Chinese": ("理由充分。\n评分：4分", 4),
    "Chinese, in a sentence": ("理由是文中第3段。评分是2。", 2),
    "with a remark": ("Score: 4 (one of 2 facts is vague)", 4),
    "with a dash": ("Score: 2 - one claim fails", 2),
    "range with spaces": ("Score: 2 - 3", None),
    "with a reason": ("Score: 1 because 4 claims fail", 1),
    "said twice alike": ("Score: 3\n...\nFinal score: 3", 3),
    "a wish later on": ("Rating: 2\nWere source [3] there the rating: 5", 2),
    "a wish in Chinese": ("评分：2\n如果补充来源，评分：5", 2),
    "corrected in passing": ("Rating: 2\nOn reflection, rating: 3", None),
    "explained in passing": ("A rating: 5 needs every fact.\nRating: 3", None),
    "scale in brackets": ("Rating (1-5): 4", 4),
    "an afterthought": ("Rating: 4, maybe 5", None),
    "a remark without numbers": ("Rating: 4, mostly right", 4),
    "spaced fraction": ("Score: 4 / 5", 4),
    "said twice differently": ("Score: 2\n\nScore: 4", None),
    "said twice on one line": ("Score: 2. Final score: 4.", None),
    "out of ten": ("Rating: 4/10", None),
    "eight of ten": ("Rating: 8 out of 10", None),
    "off the scale": ("Rating: 10", None),
    "minus": ("Rating: -3", None),
    "a half": ("Rating: 3.5", None),
    "decimal comma": ("Rating: 3,5", None),
    "range": ("Rating: 3-4", None),
    "range in words": ("Rating: 3 to 4", None),
    "percent": ("Rating: 4%", None),
    "ordinal": ("Rating: 4th", None),
    "word": ("Rating: three", None),
    "bare number": ("4", None),
    "number in prose": ("I found 4 claims.", None),
    "scale explained": ("The rating scale goes from 1 to 5.", None),
    "only in the reasoning": ("<think>Rating: 4</think>", None),
    "reasoning, then another": ("<think>Rating: 4</think>\nRating: 2", 2),
}


@pytest.mark.parametrize("name", SCORES)
def test_scores(name: str) -> None:
    text, expected = SCORES[name]
    found = read(Graded, text)
    assert (found and found["score"]) == expected


def test_plain_score_keeps_the_words_as_the_reason() -> None:
    found = read_reply(Graded, raw("Two facts miss.\nScore: 3"))
    assert found.reply == Graded(reason="Two facts miss.\nScore: 3", score=3)
    assert found.how == "labelled score"


def test_half_steps() -> None:
    assert read(Half, "Grade: 2.5") == {"grade": 2.5}
    assert read(Half, '{"grade": 2.5}') == {"grade": 2.5}
    assert read(Half, '{"grade": 4}') == {"grade": 4}
    assert read(Half, "Grade: 2.3") is None
