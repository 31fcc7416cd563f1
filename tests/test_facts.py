"""Facts: which sentences of a passage a query can be about, under which topic, in which order."""

import pytest
from support.passages import passage

from mtr.corpus.facts import Fact, facts_of, readable, topic_of
from mtr.prompts import load_domain
from mtr.records import Passage

ENGLISH = load_domain("general")
CHINESE = load_domain("general_zh")
MANUAL = passage(
    "manual:0-600",
    "# Parts\n\nSee the list of all parts below.\n\n## Valves\n\n"
    "The red valve opens only when the oil temperature exceeds 120 units in the hall. "
    "This is done because the pump cannot run without enough pressure in the pipe. "
    "Some people like valves. Does it open when the pump runs at 40 units in winter? "
    "It raises an error when the pressure is low, as follows:\n\n    limit = 10\n    limits = {2: 3}\n\n"
    "## Pumps\n\n- The pump stops after 30 minutes unless the operator holds the switch down for longer.\n",
    title="Station",
)
STONE_BRIDGE = passage(
    "bridge:0-80",
    "青石桥位于城南公园，由于河道改线，该桥于1962年被整体迁移到城南公园。"
    "此后它成为市民休闲的地方，因为这里风景优美而且交通便利。桥长三百二十米。",
    title="青石桥",
)


def by_word(facts: tuple[Fact, ...], word: str) -> Fact:
    """The one fact that holds the word."""
    (found,) = [fact for fact in facts if word in fact.text]
    return found


def test_telling_sentences_are_facts_and_nothing_else() -> None:
    facts = facts_of(MANUAL, ENGLISH, 1)
    assert {fact.text.split()[1] for fact in facts} == {"red", "is", "pump"}
    for word in ("limit", "See the list", "as follows", "Some people", "winter"):
        assert not any(word in fact.text for fact in facts)


@pytest.mark.parametrize(("sheet", "settings"), [(MANUAL, ENGLISH), (STONE_BRIDGE, CHINESE)])
def test_a_span_is_the_sentence(sheet: Passage, settings: object) -> None:
    facts = facts_of(sheet, CHINESE if settings is CHINESE else ENGLISH, 3)
    assert facts
    for fact in facts:
        sentence = sheet.text[fact.span.start : fact.span.end]
        assert sentence == sentence.strip()
        assert readable(sentence.removeprefix("- ")) == fact.text
        assert fact.passage_id == sheet.passage_id


def test_a_list_bullet_belongs_to_the_span_but_not_to_what_is_read() -> None:
    fact = by_word(facts_of(MANUAL, ENGLISH, 1), "operator")
    assert MANUAL.text[fact.span.start : fact.span.end].startswith("- The pump")
    assert fact.text.startswith("The pump")


def test_a_numbered_step_comes_after_a_sentence_that_tells_as_much() -> None:
    told = "The {} valve opens only when the oil temperature exceeds 120 units in the hall."
    steps = passage("s:0-200", f"1. {told.format('red')}\n\n{told.format('green')}\n", title="Station")
    assert all("green" in facts_of(steps, ENGLISH, seed)[0].text for seed in range(12))


def test_the_topic_is_the_nearest_heading_under_the_title() -> None:
    facts = facts_of(MANUAL, ENGLISH, 1)
    assert by_word(facts, "red valve").topic == "Station - Valves"
    assert by_word(facts, "operator").topic == "Station - Pumps"


def test_the_topic_is_the_signature_that_is_described() -> None:
    text = (
        "writer.flush(size)\n\n   Called when the buffer of the writer is full, unless it was opened with a flag.\n\n"
        "writer.seek(place)\n\n   Returns the new place, which must be at most 4096 bytes from the start.\n"
    )
    facts = facts_of(passage("lib:0-190", text, title="Stringlib"), ENGLISH, 1)
    assert by_word(facts, "buffer").topic == "Stringlib - writer.flush(size)"
    assert by_word(facts, "4096").topic == "Stringlib - writer.seek(place)"


@pytest.mark.parametrize(
    ("title", "heading", "topic"),
    [
        ("Station", "Valves", "Station - Valves"),
        ("Valves of the station", "Valves", "Valves of the station"),
        ("Valves", "Valves of the station", "Valves of the station"),
        ("", "Valves", "Valves"),
        ("Station", "", "Station"),
        ("", "", ""),
    ],
)
def test_title_and_heading_do_not_repeat_each_other(title: str, heading: str, topic: str) -> None:
    assert topic_of(passage("p", "Just text.", title=title, heading=heading)) == topic


def test_a_fact_that_points_back_has_the_sentence_before_as_context() -> None:
    facts = facts_of(MANUAL, ENGLISH, 1)
    assert by_word(facts, "because").context.startswith("The red valve opens")
    assert by_word(facts, "red valve").context == ""
    assert by_word(facts_of(STONE_BRIDGE, CHINESE, 1), "休闲").context.startswith("青石桥位于")


def test_a_fact_that_points_back_at_nothing_is_none() -> None:
    alone = passage("p", "This is done because the pump cannot run without enough pressure in the pipe.")
    assert facts_of(alone, ENGLISH, 1) == ()


def test_a_sentence_too_far_above_is_no_context() -> None:
    far = "The red valve is opened by the operator.\n\n\n\nThis is done because the pump cannot run without pressure."
    assert facts_of(passage("p", far), ENGLISH, 1) == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "If x is negative, the call f(x) must return {} == {'a': 1} and raises nothing at all there.",
        "The grammar must read rule ::= name because nothing else is ever accepted by the parser.",
        "The valve must (as the manual says, open only when the pressure exceeds 120 units there.",
        "When the pressure falls, the valve must open?",
        "opens only when the oil temperature exceeds 120 units in the hall of the station.",
        "The valve must open only when the pressure exceeds 120 units:",
        "Must open when hot.",
        "Changed in version 3.4: the valve must open only when the pressure exceeds 120 units.",
        "For example, the valve must open only when the pressure exceeds 120 units in the hall.",
        "As described above, the valve must open only when the pressure exceeds 120 units there.",
        "The valve is of a nice colour and stands in a large and bright hall with a view.",
    ],
)
def test_sentences_that_are_no_facts(sentence: str) -> None:
    assert facts_of(passage("p", f"{sentence}\n"), ENGLISH, 1) == ()


@pytest.mark.parametrize(
    ("sentence", "opening"),
    [
        ("The gate is closed because the river runs high in spring and in autumn.", "Why"),
        ("Calling the gate twice raises ValueError in every station of the north.", "Which exception"),
        ("The gate must never be opened by hand in any station of the whole north.", "What must"),
        ("The gate weighs 1200 kilos in each of the stations of the north country.", "Which"),
        ("If the river runs high in March, call the keeper of the north gate at once.", "What should I do if"),
        ("Please bring 2 lamps to the north gate before the river runs high in spring.", "How do I"),
        ("If the river runs high in March, calls to the keeper of the gate are free.", "What happens if"),
        ("If the calls of 3 keepers are lost, all of the gates are closed by the office.", "What happens if"),
    ],
)
def test_the_opening_follows_the_cue(sentence: str, opening: str) -> None:
    (fact,) = facts_of(passage("p", sentence), ENGLISH, 1)
    assert fact.opening == opening


def test_chinese_facts() -> None:
    facts = facts_of(STONE_BRIDGE, CHINESE, 1)
    assert {fact.text[:3] for fact in facts} == {"青石桥", "此后它"}
    assert {fact.topic for fact in facts} == {"青石桥"}
    assert by_word(facts, "迁移").opening == "为什么"


def test_the_order_depends_on_the_seed_alone() -> None:
    orders = {seed: facts_of(MANUAL, ENGLISH, seed) for seed in range(8)}
    assert all(facts == facts_of(MANUAL, ENGLISH, seed) for seed, facts in orders.items())
    assert len({tuple(fact.span.start for fact in facts) for facts in orders.values()}) > 1
    assert len({frozenset(fact.span.start for fact in facts) for facts in orders.values()}) == 1


def test_a_far_more_telling_fact_comes_first_whatever_the_seed() -> None:
    text = (
        "The hall was built in 1920 by two brothers from the north. "
        "The valve must never open unless the pressure exceeds 120 units, because otherwise the pump stops."
    )
    for seed in range(20):
        assert "pressure" in facts_of(passage("p", text), ENGLISH, seed)[0].text


def test_lines_are_joined_and_code_stands_in_backticks() -> None:
    assert readable("a built-\nin  rule\nsays") == "a built-in rule says"
    assert readable('the "r"\nflag') == "the `r` flag"


def test_no_facts_in_a_passage_of_code() -> None:
    assert facts_of(passage("p", ">>> valve = 3\n>>> valve + 1\n4\n"), ENGLISH, 1) == ()


def test_what_goes_back_to_the_margin_is_no_longer_about_the_signature() -> None:
    described = "Opens the sluice only when the level is above 40 units in the basin."
    note = "All gates are closed by hand after 30 minutes unless the pump is running."
    text = f"gate.open(level)\n\n   {described}\n\nNote:\n\n  {note}\n"
    sheet = passage("gate:0-200", text, title="Gates", heading="gate.open(level)")
    topics = {fact.text: fact.topic for fact in facts_of(sheet, ENGLISH, 1)}
    assert topics == {described: "Gates - gate.open(level)", note: "Gates"}
    rest = passage(
        "gate:60-200", f"{described}\n   It is loud.\n\nNote:\n\n  {note}\n", title="Gates", heading="gate.open(level)"
    )
    topics = {fact.text: fact.topic for fact in facts_of(rest, ENGLISH, 1)}
    assert topics == {described: "Gates - gate.open(level)", note: "Gates"}
