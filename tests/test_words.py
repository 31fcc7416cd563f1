"""Words as the checks count them: tokens, lengths, stems, names and numbers, in scripts with and without spaces."""

import pytest

from mtr.prompts import load_domain
from mtr.words import (
    any_of,
    contains,
    content_words,
    identifiers,
    is_dense,
    jaccard,
    length,
    numbers,
    overlap,
    stem,
    tokens,
)

ENGLISH = load_domain("general").stopwords
CHINESE = load_domain("general_zh").stopwords


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The reader's e-mail, don't!", ["the", "reader's", "e-mail", "don't"]),
        ("io.StringIO raises 3.14", ["io.stringio", "raises", "3.14"]),
        ("the __init__ and _x of ___", ["the", "__init__", "and", "_x", "of"]),
        ("青石桥。在城南", ["青石桥", "在城南"]),
        ("建于1962年，共320米", ["建于", "1962", "年", "共", "320", "米"]),
        ("用Python3写的__init__方法", ["用", "python3", "写的", "__init__", "方法"]),
        ("ÉCOLE straße", ["école", "strasse"]),
        ("", []),
    ],
)
def test_tokens(text: str, wanted: list[str]) -> None:
    assert tokens(text) == wanted


def test_length_counts_words_and_dense_characters() -> None:
    assert length("two words") == 2
    assert length("青石桥在城南") == pytest.approx(6 * 0.6)
    assert length("建于1962年") == pytest.approx(1 + 3 * 0.6)
    assert length("") == 0


@pytest.mark.parametrize(
    ("text", "dense"),
    [("青石桥", True), ("ひらがな", True), ("ภาษาไทย", True), ("plain", False), ("12 %", False), ("", False)],
)
def test_dense_scripts(text: str, dense: bool) -> None:
    assert is_dense(text) is dense


def test_a_mostly_english_text_with_one_foreign_name_is_not_dense() -> None:
    assert not is_dense("The bridge 青石桥 was moved to the southern park of the town")
    assert is_dense("青石桥的Python接口于2020年发布")


@pytest.mark.parametrize(
    ("one", "other"),
    [("raises", "raised"), ("raised", "raise"), ("raising", "raise"), ("stopped", "stops"), ("reader's", "reader")],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("valve", "value"), ("close", "class"), ("open", "operator")])
def test_other_words_do_not(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_content_words_leave_out_stopwords_and_single_letters() -> None:
    assert content_words("Why does the reader of x raise an error 5?", ENGLISH) == {"reader", "rais", "error", "5"}
    assert content_words("Why is it so?", ENGLISH) == set()
    assert content_words("What's wrong, doesn't it start? They're the reader’s.", ENGLISH) == {
        "wrong",
        "start",
        "reader",
    }


def test_content_words_of_a_dense_script_are_bigrams_cut_at_stopwords() -> None:
    assert content_words("青石桥为什么在1962年被迁移？", CHINESE) == {"青石", "石桥", "1962", "迁移"}


def test_overlap_and_jaccard() -> None:
    assert overlap({"a", "b"}, {"b", "c"}) == 0.5
    assert overlap([], {"a"}) == 1.0
    assert jaccard({"a", "b"}, {"b", "c"}) == pytest.approx(1 / 3)
    assert jaccard([], []) == 0.0


def test_numbers_as_written() -> None:
    assert numbers("1,000 parts, 3.14 at 10:30, v2 and 120.") == {"1,000", "3.14", "10:30", "2", "120"}
    assert numbers("１２０米，建于1962年") == {"１２０", "1962"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Call `foo bar` first", {"foo bar"}),
        ("os.path.join() joins", {"os.path.join"}),
        ("set my_var or myVar, then run()", {"my_var", "myvar", "run"}),
        ("call `send(x, 1)`", {"send(x, 1)"}),
        ("an ordinary Sentence about Alder.", set()),
        ("调用os.path方法", {"os.path"}),
        ("人口约3.5万人", {"3.5"}),
        ("先执行run()再退出", {"run"}),
    ],
)
def test_identifiers(text: str, wanted: set[str]) -> None:
    assert identifiers(text) == wanted


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        ("the cat sat", "CAT", True),
        ("concatenate", "cat", False),
        ("in due to course", "due to", True),
        ("猫在桌上", "桌上", True),
        ("a+b (c)", "(c)", True),
        ("cats", "cat", False),
    ],
)
def test_contains_whole_words(text: str, phrase: str, found: bool) -> None:
    assert contains(text, phrase) is found


def test_any_of_names_the_first_phrase() -> None:
    assert any_of("the end of the text", ("excerpt", "text", "end")) == "text"
    assert any_of("nothing", ("x",)) == ""
