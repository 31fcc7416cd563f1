"""Code checks of queries that join facts: each passage's own words taken up, and when two may be asked for in one."""

import pytest
from support.passages import passage

from mtr.corpus.facts import Fact
from mtr.prompts import load_domain
from mtr.questions.checks import tier_answer_fault, tier_query_fault
from mtr.questions.tiers import Tier
from mtr.records import Span

SETTINGS = load_domain("general")


def fact(passage_id: str, topic: str, text: str) -> Fact:
    return Fact(passage_id=passage_id, span=Span(start=0, end=len(text)), text=text, topic=topic, context="")


LOOPS = (
    fact("a", "The loop statement", "A skip jumps to the following item of the list."),
    fact("b", "The loop statement", "The header expression is evaluated once and yields an iterable."),
)
GUIDES = (
    fact("a", "Mercury pump", "Its gasket lasts two winters."),
    fact("b", "Bronze pump", "Grease is applied each spring."),
)


def fault(query: str, group: tuple[Fact, ...], tier: Tier = "medium") -> str:
    words = {word for one in group for word in f"{one.topic} {one.text} {query}".casefold().split()}
    return tier_query_fault(query, tier, group, words, SETTINGS)


def test_a_query_of_one_fact_alone_leaves_the_other_out() -> None:
    asked = "Which item does a skip jump to in the loop statement?"
    assert fault(asked, LOOPS) == f"it leaves out '{LOOPS[1].text}'"
    assert fault("In the loop statement, which item follows a skip and how often is the header evaluated?", LOOPS) == ""


def test_topics_that_differ_tell_passages_apart() -> None:
    assert fault("Which needs care in more winters, the mercury pump or the bronze pump?", GUIDES) == ""
    assert (
        fault("Which part of the mercury pump is worn out after two winters?", GUIDES) == "it leaves out 'Bronze pump'"
    )


@pytest.mark.parametrize(("tier", "refused"), [("medium", False), ("hard", True), ("unanswerable", True)])
def test_only_what_takes_a_fact_of_each_may_ask_twice(tier: Tier, refused: bool) -> None:
    query = "When is the bronze pump greased, and how long does the gasket of the mercury pump last?"
    assert ("two things at once" in fault(query, GUIDES, tier)) is refused


def test_a_query_that_takes_several_facts_may_be_longer() -> None:
    asked = "In the loop statement of a program that walks over a long list of names, which item of that list follows"
    longer = f"{asked} a skip, and how often is the header evaluated?"
    assert fault(longer, LOOPS) == ""
    assert "words long; between 4 and 36" in fault(
        longer.replace("names", "names and of many other things that it holds"), LOOPS
    )
    assert "between 4 and 28" in fault(longer.replace(", and how", " at"), LOOPS[:1], "easy")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("青石桥在城南公园，而云溪桥成为名胜。", "它只是重复了问题"),
        ("青石桥因河道改线迁到城南公园，而云溪桥因传说成为名胜。", ""),
    ],
)
def test_an_answer_of_the_query_s_own_characters_only_repeats_it(answer: str, said: str) -> None:
    """Its pairs of characters differ where the question words stood."""
    chinese = load_domain("general_zh")
    query = "青石桥为何在城南公园，而云溪桥为何成为名胜？"
    gold = [
        passage("qingshi", "由于河道改线，青石桥被整体迁移到城南公园。"),
        passage("yunxi", "云溪桥因为一个传说而成为名胜。"),
    ]
    assert tier_answer_fault(answer, query, "medium", (), gold, chinese) == said


@pytest.mark.parametrize(
    ("answer", "says_more"),
    [
        ("The bronze pump is greased in spring. The gasket of the mercury pump lasts two winters.", True),
        ("It takes place each spring. It lasts 2 winters.", True),
        (
            "The bronze pump is greased in spring. The gasket of the mercury pump lasts as long as the gasket lasts.",
            False,
        ),
        ("The bronze pump is greased when it is greased. Its gasket lasts two winters.", False),
        ("Grease is applied each spring. How many winters does its gasket last, or 2 at least?", False),
    ],
)
def test_each_sentence_of_a_medium_answer_says_more_than_the_query(answer: str, says_more: bool) -> None:
    query = "When is the bronze pump greased, and how long does the gasket of the mercury pump last?"
    gold = [passage("a", "Its gasket lasts two winters, 2 at least."), passage("b", "Grease is applied each spring.")]
    said = tier_answer_fault(answer, query, "medium", GUIDES, gold, SETTINGS)
    assert said == ("" if says_more else "it only repeats the query")


@pytest.mark.parametrize(
    ("answer", "left_out"),
    [
        ("Its gasket lasts two winters. Grease is put on each spring.", ""),
        ("Its gasket lasts two winters. It is kept in a dry hall on a wooden board.", "Grease is applied each spring."),
        ("Its gasket lasts long in dry halls. Grease is put on each spring.", "Its gasket lasts two winters."),
    ],
)
def test_a_medium_answer_takes_something_of_each_fact(answer: str, left_out: str) -> None:
    query = "Which care does the bronze pump need, and how long does the gasket of the mercury pump last?"
    gold = [
        passage("a", "Its gasket lasts two winters, long in dry halls."),
        passage("b", "Grease is applied each spring. It is kept in a dry hall on a wooden board."),
    ]
    said = tier_answer_fault(answer, query, "medium", GUIDES, gold, SETTINGS)
    assert said == (f"it leaves out '{left_out}'" if left_out else "")


def test_a_number_of_a_long_fact_is_something_of_it() -> None:
    long = "Grease is applied in 1870 by hand, whatever the weather, the harvest, the wind or the keeper says."
    gold = [passage("a", "Its gasket lasts two winters."), passage("b", long)]
    query = "When did the bronze pump get grease, and how long does the gasket of the mercury pump last?"
    group = (GUIDES[0], fact("b", "Bronze pump", long))
    answer = "It got grease in 1870. Its gasket lasts two winters."
    assert tier_answer_fault(answer, query, "medium", group, gold, SETTINGS) == ""
    other = answer.replace("in 1870", "on its board")
    assert "it leaves out 'Grease" in tier_answer_fault(other, query, "medium", group, gold, SETTINGS)


@pytest.mark.parametrize(
    ("answer", "says_more"),
    [
        ("You have to ask the keeper of the keys first.", True),
        ("Ask the keeper.", True),
        ("You may have to open the gate of the river station at night.", False),
        ("You might not open the gate of the river station at night.", False),
        ("You have to be careful first when you open the gate of the river station at night.", False),
        ("No, not the gate at night.", True),
    ],
)
def test_an_easy_answer_says_more_than_the_query(answer: str, says_more: bool) -> None:
    gate = fact("a", "River station", "You may have to ask the keeper of the keys first to open the gate at night.")
    gold = [passage("a", gate.text, title="River station")]
    said = tier_answer_fault(
        answer, "What do I have to do to open the gate of the river station at night?", "easy", (gate,), gold, SETTINGS
    )
    assert (said == "it only repeats the query") is not says_more
