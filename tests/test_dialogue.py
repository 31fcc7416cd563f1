"""The dialogue graph: whole conversations or none, and documents that are only data.

The corpus is full of traps (see `support.dialogues`), so every run here is also one over hostile documents.
"""

from typing import Any

import pytest
from support import stations
from support.dialogues import CORPUS, IN_A_FACT, ORDERS, TITLE, Talk, at, role_of, told
from support.endpoint import Body, as_json
from support.outputs import NO_JSON, NO_QUERY, fact_in, nodes, outcomes, whole

from mtr.corpus.corpus import open_corpus
from mtr.corpus.facts import readable
from mtr.corpus.markup import shown
from mtr.errors import InputError
from mtr.llm.ledger import Ledger
from mtr.prompts import prompt_header, render

pytest_plugins = ("support.dialogue_world",)


@pytest.mark.parametrize("order", [{}, {"conversation_id": "x-0001", "seed_item": 1, "attempt": 2}])
async def test_json_in_a_whole_conversation_out(talk: Talk, order: dict[str, Any]) -> None:
    output = await talk(order=order, turns=4, conversations=2, switch_share=1.0)
    conversation = whole(output, 4)
    assert conversation.conversation_id == order.get("conversation_id", "demo-0001")
    assert [turn.move for turn in conversation.turns].count("switch") == 1
    assert len(conversation.clusters) >= 2
    assert output == await talk(order=order, turns=4, conversations=2, switch_share=1.0)
    assert talk.script.asked == []


@pytest.mark.parametrize("turns", [1, 2])
async def test_short_conversations_are_whole_too(talk: Talk, turns: int) -> None:
    conversation = whole(await talk(turns=turns, switch_share=1.0), turns)
    assert conversation.turns[0].move == "open"


async def test_a_far_reference_says_what_it_goes_back_to(talk: Talk) -> None:
    conversation = whole(await talk(turns=3, far_reference_share=1 / 3), 3)
    last = conversation.turns[2]
    assert (last.move, last.refers_to) == ("return", 1)
    assert last.gold == conversation.turns[0].gold
    assert "Station" in last.query and last.query != last.standalone_query
    assert last.query.endswith("?")


async def test_a_named_cluster_opens(talk: Talk) -> None:
    corpus = open_corpus(CORPUS)
    last = corpus.clusters[-1].cluster_id
    conversation = whole(await talk(order={"cluster_id": last}, turns=1), 1)
    assert conversation.clusters == (last,)


async def test_an_unknown_cluster_is_named(talk: Talk) -> None:
    with pytest.raises(InputError, match="no cluster 'nowhere'"):
        await talk(order={"cluster_id": "nowhere"}, turns=1)


async def test_passages_spent_is_no_conversation(talk: Talk) -> None:
    output = await talk({"user_simulator": at(range(99), NO_QUERY)}, turns=2, passage_tries=2)
    assert output.conversation is None
    assert "turn 1 (open) found no proven query in 2 passages" in output.abandoned
    assert "question mark" in output.abandoned
    assert nodes(output)[-1] == "abandon"
    assert len(talk.script.of("user_simulator")) == 6


async def test_a_later_turn_that_fails_is_no_short_conversation(talk: Talk) -> None:
    output = await talk({"user_simulator": at(range(1, 99), NO_QUERY)}, turns=2, passage_tries=1)
    assert output.conversation is None
    assert output.abandoned.startswith("turn 2 (")


@pytest.mark.parametrize("said", [NO_JSON, as_json(reason="far away", number=99)])
async def test_a_topic_that_cannot_be_chosen_is_no_conversation(talk: Talk, said: str) -> None:
    output = await talk({"topic_planner": at(range(9), said)}, turns=3, switch_share=1.0)
    assert output.conversation is None and output.abandoned
    assert [step.node for step in output.steps][-3:] == ["plan_topic", "plan_topic", "abandon"]
    first, *_, last = talk.script.of("topic_planner")
    assert (first["temperature"], last["temperature"]) == (0, 0.7)


async def test_a_topic_chosen_the_second_time_is_taken(talk: Talk) -> None:
    output = await talk({"topic_planner": at([0, 1], NO_JSON)}, turns=3, switch_share=1.0)
    assert whole(output, 3).turns[1].move == "switch"
    assert outcomes(output, "plan_topic")[0].startswith("rejected: ")


async def test_the_steps_lead_to_what_was_sent(talk: Talk) -> None:
    output = await talk(turns=1)
    ledger = Ledger(talk.ledger)
    try:
        roles = [ledger.entry(call).role for step in output.steps for call in step.calls]
    finally:
        ledger.close()
    assert roles[0] == "user_simulator" and roles[-1].startswith(("answer_verifier", "contextualizers/"))


async def test_documents_are_data(talk: Talk) -> None:
    output = await talk(turns=3, switch_share=1.0)
    conversation = whole(output, 3)
    script = talk.script
    for body in script.asked:
        role = role_of(body)
        _check_fixed_part(body, f"contextualizers/{conversation.style}" if role == "contextualizer" else role)
    for body in [*script.of("uniqueness_verifier"), *script.of("answerer"), *script.of("answer_verifier")]:
        (name,) = {name for name, *_ in stations.FACT.findall(told(body))}
        text = open_corpus(CORPUS).passages
        passage = next(one for one in text.values() if f"station {name} " in one.text)
        orders = ORDERS.replace("{name}", name)
        assert orders in passage.text
        assert shown(passage.text) in told(body) and readable(TITLE.replace("{name}", name)) in told(body)
        fence = told(body).split(">", 1)[0].removeprefix("<")
        assert told(body).count(f"</{fence}>") == 1
        assert told(body).index(shown(orders)) < told(body).index(f"</{fence}>")
    asked = [fact_in(body) for body in script.of("user_simulator")]
    assert all(readable(TITLE.split("{name}")[1]) in told(body) for body in script.of("user_simulator"))
    assert all("{x}" not in fact or fact.endswith(IN_A_FACT) for fact in asked)
    assert all(turn.verdicts[0].passed for turn in conversation.turns)


def _check_fixed_part(body: Body, role: str) -> None:
    """All but the last message is the prompt's own, byte for byte."""
    values = dict.fromkeys(prompt_header("general", role).inputs, "-")
    wanted = render("general", role, values).messages
    sent = [(said["role"], said["content"]) for said in body["messages"]]
    assert sent[:-1] == [(said.role, said.content) for said in wanted[:-1]]
    assert sent[-1][0] == "user"


async def test_a_fact_with_template_marks_is_asked_about_as_it_stands(talk: Talk) -> None:
    for seed in range(9):
        output = await talk(turns=2, seed=seed)
        if any(fact_in(body).endswith(IN_A_FACT) for body in talk.script.of("user_simulator")):
            break
    evidence = [one.text for turn in whole(output, 2).turns for one in turn.evidence]
    assert any(text.endswith(IN_A_FACT) for text in evidence)
