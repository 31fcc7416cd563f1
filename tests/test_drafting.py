"""The small steps between the agents: fresh facts, users, far wordings, clusters used."""

from collections import Counter

import pytest
from support.conversations import make_turn
from support.passages import passage

from mtr.conversation.drafting import (
    far_wording,
    fresh_facts,
    place_of,
    short_topic,
    used_clusters,
    user_of,
    without_dash,
)
from mtr.corpus.facts import facts_of
from mtr.prompts import load_domain
from mtr.records import Evidence

ENGLISH = load_domain("general")
CHINESE = load_domain("general_zh")
GATES = passage(
    "gates",
    " ".join(
        f"The {colour} gate must close when the river exceeds {n}0 units."
        for n, colour in enumerate(("red", "blue", "green", "amber", "violet"), 1)
    ),
    title="Gates",
)


def test_fresh_facts_are_the_best_that_no_turn_has_used() -> None:
    facts = facts_of(GATES, ENGLISH, 2)
    assert len(facts) == 5
    assert fresh_facts(GATES, [], [], ENGLISH, 2) == facts[:3]
    used = facts[0]
    span = {"start": used.span.start, "end": used.span.end, "text": used.text}
    turn = make_turn(1, passage("p", "x The value is 7. It ends.", heading="H"))
    turn = turn.model_copy(update={"evidence": (Evidence.model_validate({"passage_id": "gates", **span}),)})
    assert fresh_facts(GATES, [turn], [], ENGLISH, 2) == facts[1:4]
    elsewhere = turn.model_copy(update={"evidence": (Evidence.model_validate({"passage_id": "other", **span}),)})
    assert fresh_facts(GATES, [elsewhere], [], ENGLISH, 2) == facts[:3]


def test_facts_that_take_up_what_the_turn_leaned_on_said_come_first() -> None:
    facts = facts_of(GATES, ENGLISH, 2)
    last = make_turn(1, passage("p", "x The value is 7. It ends.", heading="H"))
    said = last.model_copy(update={"standalone_query": "Who shuts the violet one?", "answer": "The keeper shuts it."})
    ranked = fresh_facts(GATES, [], [], ENGLISH, 2, leans_on=said)
    assert "violet" in ranked[0].text
    assert ranked[1:] == tuple(fact for fact in facts if fact != ranked[0])[:2]


def test_facts_given_up_are_not_fresh() -> None:
    facts = facts_of(GATES, ENGLISH, 2)
    assert fresh_facts(GATES, [], [place_of(facts[1]), place_of(facts[2])], ENGLISH, 2) == (facts[0], *facts[3:])
    assert fresh_facts(GATES, [], [place_of(fact) for fact in facts], ENGLISH, 2) == ()


@pytest.mark.parametrize("settings", [ENGLISH, CHINESE], ids=["general", "general_zh"])
def test_styles_take_turns_and_personas_are_drawn(settings: object) -> None:
    domain = CHINESE if settings is CHINESE else ENGLISH
    users = [user_of(domain, 7, slot) for slot in range(30)]
    assert Counter(style for style, _ in users) == dict.fromkeys(domain.styles, 10)
    assert {persona for _, persona in users} <= set(domain.personas)
    assert len({persona for _, persona in users}) > 3
    assert users == [user_of(domain, 7, slot) for slot in range(30)]


@pytest.mark.parametrize(
    ("opener", "wording", "wanted"),
    [
        ("Back to {topic}:", "When does it open?", "Back to Valves: when does it open?"),
        ("You spoke of {topic} earlier.", "When does it open?", "You spoke of Valves earlier. When does it open?"),
        ("Back to {topic}:", "I wonder when?", "Back to Valves: I wonder when?"),
        ("Back to {topic}:", "TCP or UDP?", "Back to Valves: TCP or UDP?"),
        ("回到{topic}：", "为什么？", "回到Valves：为什么？"),
        ("刚才提到{topic}，", "为什么？", "刚才提到Valves，为什么？"),
    ],
)
def test_a_far_wording_says_what_it_goes_back_to(opener: str, wording: str, wanted: str) -> None:
    settings = ENGLISH.model_copy(update={"phrases": {"far_openers": (opener,)}})
    assert far_wording(wording, "Valves", settings, 1, 2, 3) == wanted


def test_a_topic_with_braces_is_not_expanded() -> None:
    settings = ENGLISH.model_copy(update={"phrases": {"far_openers": ("Back to {topic}:",)}})
    assert far_wording("When?", "{topic} {x} ${HOME}", settings, 1, 2, 3).startswith("Back to {topic} {x} ${HOME}:")


def test_a_domain_without_openers_leaves_the_wording() -> None:
    bare = ENGLISH.model_copy(update={"phrases": {}})
    assert far_wording("When?", "Valves", bare, 1, 2, 3) == "When?"


def test_openers_vary_by_seed_and_place_alone() -> None:
    drawn = [far_wording("When?", "Valves", ENGLISH, 1, slot, 4) for slot in range(20)]
    assert len(set(drawn)) > 1
    assert drawn == [far_wording("When?", "Valves", ENGLISH, 1, slot, 4) for slot in range(20)]


@pytest.mark.parametrize(
    ("topic", "short"), [("Station - Valves", "Valves"), ("Station", "Station"), ("A - B - **C**", "C"), ("", "")]
)
def test_a_short_topic_is_the_heading(topic: str, short: str) -> None:
    assert short_topic(topic) == short


def test_clusters_in_order_of_first_use() -> None:
    turns = [make_turn(n, passage("p", "x The value is 7. It ends.", heading="H")) for n in (1, 2, 3)]
    golds = ("b", "a", "b2")
    turns = [turn.model_copy(update={"gold": (gold,)}) for turn, gold in zip(turns, golds, strict=True)]
    assert used_clusters(turns, {"a": "c1", "b": "c2", "b2": "c2"}) == ("c2", "c1")


def test_a_query_is_taken_without_the_dash_of_an_empty_input() -> None:
    assert without_dash(" - How long does it last?\n") == "How long does it last?"
    assert without_dash("-1 or 1?") == "-1 or 1?"
