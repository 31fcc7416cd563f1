"""The dialogue graph's ways back: which step is tried again with what advice, and when a fact is given up."""

import asyncio

import pytest
from support import stations
from support.dialogues import CORPUS, Talk, at, role_of, told, verdict
from support.endpoint import Body, as_json, chat_body
from support.outputs import ANSWERED, NO_JSON, NO_QUERY, PROVEN, WORDED, calls_of, fact_in, nodes, outcomes, whole

from mtr.corpus.corpus import open_corpus

pytest_plugins = ("support.dialogue_world",)


async def test_a_faulty_query_gives_way_to_the_next_fact(talk: Talk) -> None:
    output = await talk({"user_simulator": at([0], NO_QUERY)}, turns=1)
    assert whole(output, 1).turns[0].attempts == 2
    assert nodes(output)[:3] == ["choose_passage", "simulate_user", "check_query"]
    assert nodes(output)[3:5] == ["simulate_user", "check_query"]
    assert "question mark" in outcomes(output, "check_query")[0]
    first, second = talk.script.of("user_simulator")
    assert fact_in(first) != fact_in(second)
    assert "Advice: -" in told(second)


async def test_the_same_fact_again_with_advice_and_warmer(talk: Talk) -> None:
    output = await talk({"user_simulator": at([0], NO_QUERY)}, turns=1, query_tries=2)
    whole(output, 1)
    first, second = talk.script.of("user_simulator")
    assert fact_in(first) == fact_in(second)
    assert "Advice: it must be one query that ends with one question mark" in told(second)
    assert (first["temperature"], second["temperature"]) == (0, 0.7)


async def test_a_rival_that_answers_gives_way_to_the_next_fact(talk: Talk) -> None:
    output = await talk({"uniqueness_verifier": at([1], verdict(True))}, turns=1)
    turn = whole(output, 1).turns[0]
    assert turn.attempts == 2 and len(turn.gold) == 1
    assert "another passage answers it as well: Station" in outcomes(output, "verify_uniqueness")[0]
    assert nodes(output)[:5] == [*PROVEN, "simulate_user"]
    assert all(one.probability is not None and one.probability < 0.5 for one in turn.hard_negatives)


async def test_a_gold_that_does_not_answer_gives_way_to_the_next_fact(talk: Talk) -> None:
    output = await talk({"uniqueness_verifier": at([0], verdict(False))}, turns=1)
    assert whole(output, 1).turns[0].attempts == 2
    assert "does not answer it completely" in outcomes(output, "verify_uniqueness")[0]


async def test_multi_gold_takes_a_sure_rival(talk: Talk) -> None:
    output = await talk({"uniqueness_verifier": at([1], verdict(True))}, turns=1, uniqueness="multi-gold")
    turn = whole(output, 1).turns[0]
    assert turn.attempts == 1 and len(turn.gold) == 2
    assert told(talk.script.of("answerer")[0]).count("</passage-") == 2
    assert turn.gold[1] not in {one.passage_id for one in turn.hard_negatives}


async def test_an_unreadable_verdict_is_no_verdict(talk: Talk) -> None:
    output = await talk({"uniqueness_verifier": at([0, 1], chat_body("perhaps"))}, turns=1)
    assert whole(output, 1).turns[0].attempts == 2
    assert "could not be read" in outcomes(output, "verify_uniqueness")[0]


async def test_an_unfaithful_answer_is_written_again_then_the_fact_is_given_up(talk: Talk) -> None:
    def other(body: Body, number: int) -> str | None:
        plain = stations.reply(body)["choices"][0]["message"]["content"]
        return plain.replace("The ", "Only the ") if number == 1 else None

    output = await talk({"answer_verifier": at([0, 1], verdict(False)), "answerer": other}, turns=1)
    assert whole(output, 1).turns[0].attempts == 2
    assert nodes(output)[:9] == [*PROVEN, *ANSWERED, *ANSWERED, "simulate_user"]
    assert outcomes(output, "verify_answer")[:2] == ["rejected: a claim of it is not stated in the gold"] * 2
    first, second, third = talk.script.of("answerer")
    assert "Advice: a claim of it is not stated in the gold" in told(second)
    assert (first["temperature"], second["temperature"], third["temperature"]) == (0, 0.7, 0)
    assert "Advice: -" in told(third)


async def test_an_answer_that_is_right_the_second_time_is_kept(talk: Talk) -> None:
    output = await talk({"answerer": at([0], as_json(answer="It never opens before 999999."))}, turns=1)
    assert whole(output, 1).turns[0].attempts == 1
    assert "'999999' does not stand in the passage" in outcomes(output, "verify_answer")[0]


@pytest.mark.parametrize(("role", "node"), [("user_simulator", "simulate_user"), ("answerer", "write_answer")])
async def test_an_unreadable_reply_is_a_failed_try(talk: Talk, role: str, node: str) -> None:
    output = await talk({role: at([0, 1], NO_JSON)}, turns=1)
    whole(output, 1)
    assert outcomes(output, node)[0].startswith("unreadable: ")
    assert next(step for step in output.steps if step.node == node).calls == ()


@pytest.mark.parametrize("said", [as_json(query="Why?"), NO_JSON])
async def test_a_bad_wording_is_tried_again_then_the_standalone_query_is_typed(talk: Talk, said: str) -> None:
    output = await talk({"contextualizer": at(range(9), said)}, turns=2)
    second = whole(output, 2).turns[1]
    assert second.query == second.standalone_query
    assert second.refers_to is None
    assert nodes(output, 2)[-5:] == [*WORDED, *WORDED, "keep_turn"]


async def test_a_wording_that_is_right_the_second_time_is_typed(talk: Talk) -> None:
    output = await talk({"contextualizer": at([0], as_json(query="Why?"))}, turns=2)
    whole(output, 2)
    first, second = talk.script.of("contextualizer")[:2]
    assert "Advice: it " in told(second) and first["temperature"] != second["temperature"]


async def test_facts_spent_lead_to_the_next_passage(talk: Talk) -> None:
    output = await talk({"user_simulator": at(range(3), NO_QUERY)}, turns=1)
    assert whole(output, 1).turns[0].attempts == 4
    assert nodes(output).count("choose_passage") == 2


async def test_a_pool_spent_leads_to_the_nearest_in_the_collection(talk: Talk) -> None:
    """Three facts of each passage fail, of twelve passages; the opening's cluster has fewer."""
    output = await talk({"user_simulator": at(range(36), NO_QUERY)}, turns=1, passage_tries=30)
    (turn,) = whole(output, 1).turns
    tried = [outcome.rsplit(": ", 1)[0] for outcome in outcomes(output, "choose_passage")]
    assert len(tried) == len(set(tried)) == 13 and turn.gold == (tried[-1],) and turn.move == "open"
    cluster_of = (await asyncio.to_thread(open_corpus, CORPUS)).cluster_of
    changes = [cluster_of[one] != cluster_of[tried[0]] for one in tried]
    assert changes == sorted(changes) and changes[-1]


def moody(body: Body, number: int) -> str | Body | None:
    """Every third reply of a role is bad."""
    if number % 3 != 1:
        return None
    return {
        "user_simulator": NO_QUERY,
        "uniqueness_verifier": verdict(False),
        "answerer": as_json(answer="It opens at 999999."),
        "answer_verifier": verdict(False),
        "contextualizer": as_json(query="Why?"),
        "topic_planner": NO_JSON,
    }[role_of(body)]


@pytest.mark.parametrize("seed", range(2))
async def test_no_draft_repeats_a_request(talk: Talk, seed: int) -> None:
    rules = dict.fromkeys(
        ("user_simulator", "uniqueness_verifier", "answerer", "answer_verifier", "contextualizer"), moody
    )
    output = await talk(rules, turns=5, switch_share=1.0, far_reference_share=0.2, seed=seed, query_tries=1 + seed % 2)
    whole(output, 5)
    assert sum(step.outcome.startswith("rejected") for step in output.steps) > 5
    keys = calls_of(output.steps)
    assert len(keys) == len(set(keys))
