"""Checks of a query: each fault alone, with a query that has just that one, and queries that have none."""

import pytest
from support.passages import passage

from mtr.conversation.query_checks import query_fault
from mtr.corpus.facts import Fact, facts_of
from mtr.prompts import load_domain
from mtr.records import Passage, Span
from mtr.words import tokens

ENGLISH = load_domain("general")
CHINESE = load_domain("general_zh")
VALVES = passage(
    "alder",
    "The red valve opens only when the oil temperature exceeds 120 units in the hall. "
    "Water of the river cools the hall of Station Alder.",
    title="Station Alder",
    heading="Valves",
)
BRIDGE = passage(
    "bridge", "由于河道改线，青石桥于1962年被整体迁移到城南公园的湖边。公园的湖水很清，每天都有游人来。", title="青石桥"
)
EARLIER = ["What happens in the hall when the oil temperature exceeds the limit?", "红色的灯笼为什么挂在湖边？"]


def vocabulary_of(sheet: Passage) -> frozenset[str]:
    """Every word of the passage, its title and its heading."""
    return frozenset(tokens(f"{sheet.title}\n{sheet.heading}\n{sheet.text}"))


def english(query: str, fact: Fact | None = None) -> str:
    """The fault of a query about the valve."""
    about = fact or facts_of(VALVES, ENGLISH, 1)[0]
    return query_fault(query, about, EARLIER, vocabulary_of(VALVES), ENGLISH)


def chinese(query: str) -> str:
    """The fault of a query about the bridge."""
    return query_fault(query, facts_of(BRIDGE, CHINESE, 1)[0], EARLIER, vocabulary_of(BRIDGE), CHINESE)


@pytest.mark.parametrize(
    "query",
    [
        "When does the red valve in Station Alder open?",
        "At which oil temperature does the red valve in Station Alder open?",
        "What does the red valve do when the oil temperature rises?",
        "Can the red valve of Station Alder open at 50 units?",
        "What must the oil temperature exceed before the red valve opens?",
    ],
)
def test_clean_queries_pass(query: str) -> None:
    assert english(query) == ""


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("", "one query that ends with one question mark"),
        ("When does the red valve in Station Alder open", "one question mark"),
        ("When does the red valve open? Please tell me.", "one question mark"),
        ("When does the red valve open? At which temperature?", "one question mark"),
        ("When does the red valve open and why is oil in it?", "asks two things at once: 'and why'"),
        ("Red valve open?", "3 words long"),
        ("When does " + "the red valve of the station " * 7 + "open?", "words long; between 4 and 28"),
        ("红色阀门在什么温度下才会打开？", "written in the language 'en'"),
        ("When does the document say that the red valve opens?", "speaks of 'document'"),
        ("According to what rule does the red valve open?", "speaks of 'according to'"),
        ("What is the purpose of the red valve and oil?", "asks for 'purpose', of which the fact says nothing"),
        ("When does it open, the red valve?", "'it' stands for something the query does not name"),
        ("When are you going out tonight for dinner?", "names nothing of the topic"),
        ("When does the red valve of TideDB open?", "'tidedb' is a name that the documents never use"),
        ("When does the red valve call `open_all` at last?", "'open_all' is a name that the documents never use"),
        ("What happens in the hall when oil temperature exceeds its limit?", "repeats the earlier query"),
        ("Which valves are there at Station Alder?", "asks for the topic at large"),
        ("What does the red valve do?", "at large"),
        ("Why does the red valve open at that oil temperature?", "the fact does not say 'why'"),
        (
            "Does the red valve open only when the oil temperature exceeds 120 units in the hall?",
            "gives its answer away",
        ),
    ],
)
def test_each_fault_is_named(query: str, fault: str) -> None:
    assert fault in english(query)


def test_a_pronoun_behind_what_it_stands_for_is_clear() -> None:
    assert english("When does the red valve open, and at which oil temperature is it?") == ""
    assert english("At which oil temperature does the red valve open its lid?") == ""


@pytest.mark.parametrize(
    ("sentence", "query", "unclear"),
    [
        ("In March the harbour gave us the red valve of the hall.", "Which valve did the harbour give us?", "us"),
        ("In March the harbour gave us the red valve of the hall.", "Which valve did Station Alder get?", ""),
        ("The red valve of the hall opens in March.", "When can we open the red valve of the hall?", ""),
        ("Our office of US valves opens in March.", "When does the office of US valves open?", ""),
    ],
)
def test_the_we_of_an_author_is_not_that_of_a_user(sentence: str, query: str, unclear: str) -> None:
    fact = Fact(passage_id="alder", span=Span(start=0, end=len(sentence)), text=sentence, topic="Station Alder - Hall")
    said = query_fault(query, fact, (), frozenset(tokens(f"{sentence} {query}")), ENGLISH)
    assert said == (f"'{unclear}' stands for something the query does not name" if unclear else "")


def test_an_abbreviation_is_no_pronoun() -> None:
    sentence = "The IT hall of Station Alder opens in March."
    fact = Fact(passage_id="alder", span=Span(start=0, end=len(sentence)), text=sentence, topic="Station Alder - Hall")
    words = frozenset(tokens(sentence))
    assert query_fault("When does the IT hall of Station Alder open?", fact, (), words, ENGLISH) == ""
    assert "'it' stands for" in query_fault("When does it open the hall of Station Alder?", fact, (), words, ENGLISH)


def test_a_forbidden_word_is_free_where_it_is_the_topic() -> None:
    sheet = passage("text", "The text must be encoded before 120 units of it are sent.", title="Text encoding")
    (fact,) = facts_of(sheet, ENGLISH, 1)
    query = "Before how many units are sent must the text be encoded?"
    assert query_fault(query, fact, (), vocabulary_of(sheet), ENGLISH) == ""
    other = query.replace("text", "document")
    assert "speaks of 'document'" in query_fault(other, fact, (), vocabulary_of(sheet), ENGLISH)


@pytest.mark.parametrize(
    ("query", "speaks"),
    [
        ("Who signs the decision document before the valve is opened?", False),
        ("Who signs the document before the valve is opened?", True),
        ("Which valve does the document say a keeper may open?", True),
    ],
)
def test_a_forbidden_word_is_free_where_the_fact_has_a_thing_of_that_name(query: str, speaks: bool) -> None:
    sheet = passage(
        "gate", "The keeper signs a decision document before the valve is opened.", title="Keeper and valve"
    )
    (fact,) = facts_of(sheet, ENGLISH, 1)
    fault = query_fault(query, fact, (), vocabulary_of(sheet) | {"who", "which", "say", "may"}, ENGLISH)
    assert ("speaks of 'document'" in fault) is speaks


def test_the_query_names_what_the_signature_defines() -> None:
    text = "writer.flush(size)\n\n   Called when the buffer is full, unless the flag was set before it was opened.\n"
    sheet = passage("lib", text, title="Stringlib")
    (fact,) = facts_of(sheet, ENGLISH, 1)
    known = vocabulary_of(sheet) | {"flush"}
    assert query_fault("When is the buffer flush called if it is full?", fact, (), known, ENGLISH) == ""
    assert "does not name 'flush'" in query_fault("When is the full buffer called?", fact, (), known, ENGLISH)


@pytest.mark.parametrize(
    ("sentence", "query", "passes"),
    [
        ("The gate holds 12 locks of iron.", "How many locks does the gate hold?", True),
        ("The gate holds locks of iron.", "How many locks does the gate hold?", False),
        ("The gate rests until the river falls.", "How long does the gate rest?", True),
        ("The gate rests on iron feet.", "How long does the gate rest?", False),
        ("The gate closes because the river rises.", "Why does the gate close?", True),
        ("The gate closes with iron locks.", "Why does the gate close?", False),
        ("The locks of the gate are painted red.", "When are the locks of the gate painted?", False),
        ("The gate makes a noise with wet locks.", "What happens when the gate has wet locks?", True),
        ("The gate makes a noise with wet locks.", "Which noise is heard when the locks are wet?", True),
    ],
)
def test_the_fact_must_hold_what_the_query_demands(sentence: str, query: str, passes: bool) -> None:
    sheet = passage("gate", sentence, title="Gate")
    span = {"start": 0, "end": len(sentence)}
    fact = Fact.model_validate({"passage_id": "gate", "span": span, "text": sentence, "topic": "Gate"})
    fault = query_fault(query, fact, (), vocabulary_of(sheet), ENGLISH)
    assert fault == "" if passes else "the fact does not say" in fault


@pytest.mark.parametrize(
    "query",
    [
        "青石桥为什么在1962年被整体迁移？",
        "青石桥是哪一年被整体迁移到城南公园的？",
        "青石桥为什么被整体迁移，它在哪一年迁到公园？",
        "青石桥被整体迁移到城南公园的原因是什么？",
    ],
)
def test_clean_chinese_queries_pass(query: str) -> None:
    assert chinese(query) == ""


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("青石桥为什么被整体迁移", "它必须是一个问题，结尾只用一个问号"),
        ("青石桥因河道改线被整体迁移？", "它必须是一个问题，结尾只用一个问号"),
        ("青石桥为什么被迁移？是哪一年？", "它必须是一个问题，结尾只用一个问号"),
        ("青石桥？", "它的长度是2个词，应在4到28个词之间"),
        ("Why was the bridge moved to the park in 1962?", "它必须用中文写"),
        ("文中说青石桥为什么被整体迁移？", "它提到了“文中”"),
        ("青石桥被整体迁移有什么意义？", "它问的是“意义”，而事实没有说到这一点"),
        ("它为什么在1962年被整体迁移？", "“它”指代不明，问题里没有写出它指什么"),
        ("它在哪一年被整体迁移，青石桥为什么搬到公园？", "“它”指代不明，问题里没有写出它指什么"),
        ("红色的灯笼为什么挂在湖边呢？", "它重复了之前的问题“红色的灯笼为什么挂在湖边？”"),
        ("青石桥的颜色和石料如何？", "它笼统地问主题，而不是问这条事实"),
        ("由于河道改线，青石桥于1962年被整体迁移到城南公园的湖边？", "它把答案写进了问题"),
    ],
)
def test_each_fault_is_named_in_chinese(query: str, fault: str) -> None:
    assert chinese(query) == fault


def test_a_domain_without_word_lists_has_no_such_checks() -> None:
    bare = ENGLISH.model_copy(update={"phrases": {"stopwords": ENGLISH.words("stopwords")}, "demands": {}})
    fact = facts_of(VALVES, ENGLISH, 1)[0]
    query = "Why does the document say that the red valve opens?"
    assert query_fault(query, fact, (), vocabulary_of(VALVES), bare) == ""


def test_a_name_of_code_stands_beside_what_it_belongs_to() -> None:
    text = "If `low_or_high` is not a number, the entry is skipped and an error is raised at once."
    sheet = passage("filters", text, title="Range filters")
    (fact,) = facts_of(sheet, ENGLISH, 1)
    alone, named = "Which entry is skipped when `low_or_high` is not a number?", "range filter"
    assert "does not say what 'low_or_high' belongs to" in query_fault(alone, fact, [], vocabulary_of(sheet), ENGLISH)
    assert query_fault(alone.replace("entry", named), fact, [], vocabulary_of(sheet), ENGLISH) == ""
    numbered = fact.model_copy(update={"text": text.replace("a number", "3.5 or more")})
    query = "Which entry is skipped when it is not 3.5 or more?".replace("it", "the value")
    assert "belongs to" not in query_fault(query, numbered, [], vocabulary_of(sheet) | {"3.5"}, ENGLISH)


@pytest.mark.parametrize(
    ("query", "left_out"),
    [
        ("What happens when the operator uses the red valve in the hall?", True),
        ("What happens when the red valve loses the pressure of the main pump?", False),
        ("When is the emergency gate closed at once by the operator?", False),
    ],
)
def test_the_condition_of_a_fact_is_named_or_asked_for(query: str, left_out: bool) -> None:
    text = "When the red valve loses the pressure of the main pump, the operator closes the emergency gate at once."
    sheet = passage("gate", text, title="Red valve")
    (fact,) = facts_of(sheet, ENGLISH, 1)
    fault = query_fault(query, fact, [], vocabulary_of(sheet) | set(tokens(query)), ENGLISH)
    assert ("leaves out the condition" in fault) == left_out, fault
