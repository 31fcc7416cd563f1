"""Queries are typed by their own question words, in the languages whose words are known."""

import pytest

from mtr.prompts import load_domain
from mtr.query_types import TYPES, query_type, typed_languages

FACT, HOW, WHY, COMPARE, YES_NO, OTHER = TYPES

ENGLISH = [
    ("Who invented the tower clock?", FACT),
    ("how many lamps does it have", FACT),
    ("In which year was it lit?", FACT),
    ("And when?", FACT),
    ("What's the default", FACT),
    ("Do you know who built it?", FACT),
    ("Can you tell me what a lighthouse is?", FACT),
    ("How do I lock a thread?", HOW),
    ("I want to know how locks work", HOW),
    ("Explain how it is lit.", HOW),
    ("ok, so how is that done?", HOW),
    ("Why?", WHY),
    ("Please tell me why it fell", WHY),
    ("How come nobody noticed?", WHY),
    ("What is the reason for the delay?", WHY),
    ("What is the difference between a list and a tuple?", COMPARE),
    ("Is a tuple better than a list?", COMPARE),
    ("tuples vs lists", COMPARE),
    ("How does it compare with the old one?", COMPARE),
    ("Is it open on Mondays?", YES_NO),
    ("So, does that raise an error?", YES_NO),
    ("Don’t they close?", YES_NO),
    ("I wonder whether it is open", YES_NO),
    ("When I open the box, can I eat it?", YES_NO),
    ("In the north, does a lamp, once lit, burn all night?", YES_NO),
    ("If the lamp fails, what happens?", FACT),
    ("I am a keeper who came late. The lamp is out, why is that?", WHY),
    ("I am new here. When does it open? Thanks!", FACT),
    ("people who live in lighthouses", OTHER),
    ("lighthouse height", OTHER),
    ("What about the other tower?", OTHER),
    ("Can you describe the keeper?", OTHER),
    ("Tell me about the keeper", OTHER),
    ("thank you", OTHER),
    ("", OTHER),
    ("?!", OTHER),
]
CHINESE = [
    ("青石桥是谁建的？", FACT),
    ("它有多少级台阶", FACT),
    ("哪一年迁走的？", FACT),
    ("有什么要求吗？", FACT),
    ("为什么迁走？", WHY),
    ("迁走的原因是什么？", WHY),
    ("怎么会这样？", WHY),
    ("怎样才能到达？", HOW),
    ("如何申请", HOW),
    ("现在还开放吗？", YES_NO),
    ("是否需要门票", YES_NO),
    ("两座桥有什么区别？", COMPARE),
    ("哪个更高？", COMPARE),
    ("青石桥 历史", OTHER),
    ("介绍一下青石桥", OTHER),
]


@pytest.mark.parametrize(("query", "kind"), ENGLISH)
def test_english(query: str, kind: str) -> None:
    assert query_type(query, "en") == kind


@pytest.mark.parametrize(("query", "kind"), CHINESE)
def test_chinese(query: str, kind: str) -> None:
    assert query_type(query, "zh") == kind


@pytest.mark.parametrize("language", ["ja", "de", "", None])
def test_a_language_without_words_has_no_types(language: str | None) -> None:
    assert query_type("Wer war das?", language) is None


@pytest.mark.parametrize(("domain", "language"), [("general", "en"), ("general_zh", "zh")])
def test_every_question_word_of_a_domain_is_known(domain: str, language: str) -> None:
    assert language in typed_languages()
    for word in load_domain(domain).words("question_words"):
        sentence = f"{word} x?" if language == "en" else f"它{word}？"
        assert query_type(sentence, language) not in (OTHER, None), word


def test_a_query_of_twenty_thousand_words_is_typed() -> None:
    assert query_type("lamp " * 20_000 + "why is it out?", "en") == WHY
    assert query_type("lamp, " * 20_000, "en") == OTHER
