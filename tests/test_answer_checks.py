"""Checks of an answer: each fault alone, answers that have none, and the evidence that carries an answer."""

import pytest
from support.passages import passage

from mtr.conversation.answer_checks import answer_fault, evidence_for
from mtr.corpus.facts import facts_of
from mtr.prompts import load_domain
from mtr.records import Evidence, Passage

ENGLISH = load_domain("general")
CHINESE = load_domain("general_zh")
VALVES = passage(
    "alder",
    "The red valve opens only when the oil temperature exceeds 120 units in the hall. "
    "The operator reads the temperature from a brass dial. The blue pump stops after 30 minutes.",
    title="Station Alder",
    heading="Valves",
)
DIALS = passage("dials", "A brass dial shows the oil temperature. Every dial is cleaned in March.", title="Dials")
BRIDGE = passage("bridge", "由于河道改线，青石桥于1962年被整体迁移到城南公园的湖边。", title="青石桥")
QUERY = "When does the red valve in Station Alder open?"
CHINESE_QUERY = "青石桥为什么在1962年被整体迁移？"


def english(answer: str, gold: tuple[Passage, ...] = (VALVES,), query: str = QUERY) -> str:
    """The fault of an answer about the valve."""
    return answer_fault(answer, query, facts_of(VALVES, ENGLISH, 1)[0], gold, ENGLISH)


def chinese(answer: str) -> str:
    """The fault of an answer about the bridge."""
    return answer_fault(answer, CHINESE_QUERY, facts_of(BRIDGE, CHINESE, 1)[0], (BRIDGE,), CHINESE)


@pytest.mark.parametrize(
    "answer",
    [
        "It opens when the oil temperature exceeds 120 units.",
        "Only when the oil temperature exceeds 120 units in the hall.",
        "The red valve opens only when the temperature of the oil exceeds 120 units, which the operator reads.",
    ],
)
def test_clean_answers_pass(answer: str) -> None:
    assert english(answer) == ""


def test_one_word_of_the_fact_that_the_query_lacks_is_an_answer() -> None:
    assert english("Oil.", query="Which temperature opens the red valve above 120 units?") == ""
    assert "only repeats" in english("Temperature.", query="Which temperature opens the red valve above 120 units?")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("", "it is 0 words long"),
        (" \n", "it is 0 words long"),
        ("The oil temperature exceeds 120 units. " * 16, "words long; at most 90"),
        ("当油温超过120时红色阀门才打开。", "not in the language of the query"),
        ("The passage says the oil temperature exceeds 120 units.", "speaks of 'passage'"),
        ("It opens when the oil temperature exceeds 130 units.", "'130' does not stand in the passage"),
        ("`io.open` opens it when the oil temperature exceeds 120 units.", "'io.open' does not stand"),
        ("Engineers celebrate lovely weather whenever 120 happy choirs sing.", "most of its words"),
        ("valve.open(red) Opens only when the oil temperature exceeds 120 units.", "begins with a signature"),
        ("The blue pump stops after 30 minutes.", "answers from elsewhere than the fact"),
    ],
)
def test_each_fault_is_named(answer: str, fault: str) -> None:
    assert fault in english(answer)


def test_an_answer_that_only_repeats_the_query() -> None:
    query = "Does the red valve open when the oil temperature exceeds the limit of units?"
    assert "only repeats the query" in english(
        "The red valve opens when the oil temperature exceeds units.", query=query
    )
    assert english("Yes, the red valve opens when the oil temperature exceeds units.", query=query) == ""
    assert english("The red valve opens when the oil temperature exceeds 120.", query=query) == ""


def test_an_answer_tells_more_than_half_of_the_names_listed() -> None:
    text = "The handler must set `mode`, `level`, `owner` and `group` before the first call is made."
    sheet = passage("handler", text, title="Handler")
    (fact,) = facts_of(sheet, ENGLISH, 1)
    query = "What must the handler set before the first call is made?"
    assert answer_fault("It must set `mode`, the level and the owner.", query, fact, (sheet,), ENGLISH) == ""
    assert "leaves out 'group'" in answer_fault("It must set `mode` and the level.", query, fact, (sheet,), ENGLISH)


def test_a_call_is_told_whatever_is_handed_to_it() -> None:
    text = "Calling `send(x, 1)` is the same as calling `post(x)` and `wait()` unless the queue is full."
    sheet = passage("queue", text, title="Queue")
    (fact,) = facts_of(sheet, ENGLISH, 1)
    query = "What is the same as sending to the queue unless it is full?"
    assert answer_fault("Calling `post(x)` and `wait()` is the same.", query, fact, (sheet,), ENGLISH) == ""


def test_what_a_further_gold_says_is_known() -> None:
    answer = "It opens when the oil temperature exceeds 120 units, and the dial is cleaned in March."
    assert english(answer, (VALVES, DIALS)) == ""


def test_a_forbidden_word_is_free_where_the_gold_says_it() -> None:
    sheet = passage("text", "The document must be signed before 120 copies of it are sent out.", title="Rules")
    (fact,) = facts_of(sheet, ENGLISH, 1)
    answer = "The document must be signed before 120 copies are sent."
    assert answer_fault(answer, "What must happen before copies are sent?", fact, (sheet,), ENGLISH) == ""


@pytest.mark.parametrize("answer", ["因为河道改线。", "由于河道改线，它被整体迁移到城南公园。"])
def test_clean_chinese_answers_pass(answer: str) -> None:
    assert chinese(answer) == ""


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("", "它的长度是0个词，最多90个词"),
        ("Because the river was moved.", "它用的不是问题的语言"),
        ("文中说因为河道改线。", "它提到了“文中”"),
        ("因为1958年河道改线。", "段落里没有“1958”"),
        ("因为战争爆发以后市民反对修建铁路。", "它的大部分词语在段落里没有出现"),
    ],
)
def test_each_fault_is_named_in_chinese(answer: str, fault: str) -> None:
    assert chinese(answer) == fault


def texts(evidence: tuple[Evidence, ...], gold: tuple[Passage, ...]) -> list[str]:
    """The texts, each found verbatim in its passage."""
    by_id = {one.passage_id: one for one in gold}
    for one in evidence:
        assert by_id[one.passage_id].text[one.start : one.end] == one.text
    return [one.text for one in evidence]


def test_evidence_is_the_sentence_of_the_fact() -> None:
    fact = facts_of(VALVES, ENGLISH, 1)[0]
    found = evidence_for("It opens when the oil temperature exceeds 120 units.", fact, (VALVES,), ENGLISH)
    assert texts(found, (VALVES,)) == [VALVES.text[fact.span.start : fact.span.end]]


def test_evidence_grows_by_the_sentences_that_carry_the_rest() -> None:
    fact = facts_of(VALVES, ENGLISH, 1)[0]
    answer = "When the oil temperature exceeds 120 units, as the operator reads from a brass dial."
    found = texts(evidence_for(answer, fact, (VALVES,), ENGLISH), (VALVES,))
    assert [text.split()[1] for text in found] == ["red", "operator"]


def test_every_gold_that_carries_part_of_the_answer_gives_evidence() -> None:
    fact = facts_of(VALVES, ENGLISH, 1)[0]
    answer = "When the oil temperature, which a brass dial shows, exceeds 120 units."
    found = evidence_for(answer, fact, (VALVES, DIALS), ENGLISH)
    assert {one.passage_id for one in found} == {"alder", "dials"}
    texts(found, (VALVES, DIALS))


def test_chinese_evidence_is_verbatim() -> None:
    fact = facts_of(BRIDGE, CHINESE, 1)[0]
    assert texts(evidence_for("因为河道改线。", fact, (BRIDGE,), CHINESE), (BRIDGE,)) == [BRIDGE.text]


def test_a_further_gold_gives_its_nearest_sentence_or_nothing() -> None:
    fact = facts_of(VALVES, ENGLISH, 1)[0]
    near = passage("n:0-60", "Nothing to see here at all. The valve was painted in spring.")
    far = passage("f:0-60", "Nobody remembers the garden. Its roses faded long ago.")
    found = evidence_for("The valve opens.", fact, (VALVES, near, far), ENGLISH)
    assert [one.text for one in found if one.passage_id == near.passage_id] == ["The valve was painted in spring."]
    assert not [one for one in found if one.passage_id == far.passage_id]
