"""The questions graph: a proven question of each tier or none, every retry edge, evidence verbatim in its gold."""

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from support.endpoint import Body, TestEndpoint, as_json
from support.question_world import CORPUS, Ask, Rule, build_world, endpoint, reply, told, verdict

from graphs.questions_state import QuestionOutput
from mtr.corpus.corpus import open_corpus
from mtr.corpus.sentences import sentence_spans
from mtr.questions.checks import SENTENCES
from mtr.questions.records import Question

NO_QUERY = as_json(query="Tell me about the station, please.")
DRAFTING = ("write_query", "write_answer", "contextualize")


@pytest.fixture(scope="module")
def running() -> Iterator[TestEndpoint]:
    with endpoint() as started:
        yield started


@pytest.fixture(scope="module")
def built(running: TestEndpoint, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A home with the corpus, and the settings."""
    folder = tmp_path_factory.mktemp("world")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MTR_HOME", str(folder / "home"))
        return folder / "home", asyncio.run(build_world(folder, running.base_url))


@pytest.fixture
def ask(built: tuple[Path, Path], running: TestEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.setenv("MTR_HOME", str(built[0]))
    return Ask(running, built[1], tmp_path / "ledger.sqlite")


def at(numbers: Sequence[int] | range, said: str | Body) -> Rule:
    """A rule that says this to the requests of these numbers."""
    return lambda _, number: said if number in numbers else None


def whole(output: QuestionOutput) -> Question:
    """The question, checked: gold of its tier, evidence verbatim, an answer of the right length."""
    assert output.abandoned == "" and output.question is not None
    question, passages = output.question, open_corpus(CORPUS).passages
    (turn,) = question.conversation.turns
    assert question.conversation.subset == question.tier
    assert turn.answerable is (question.tier != "unanswerable")
    assert len(turn.gold) == {"easy": 1, "medium": 2, "hard": 2, "unanswerable": 0}[question.tier]
    assert set(turn.gold) == {one.passage_id for one in turn.evidence}
    for one in turn.evidence:
        assert passages[one.passage_id].text[one.start : one.end] == one.text
    if turn.answerable:
        fewest, most = SENTENCES[question.tier]
        assert fewest <= len(sentence_spans(turn.answer)) <= most
        assert turn.answer == " ".join(claimed.claim for claimed in question.claims)
    assert not {one.passage_id for one in turn.hard_negatives} & set(turn.gold)
    assert len({step.step_id for step in output.steps}) == len(output.steps)
    return question


def nodes(output: QuestionOutput) -> list[str]:
    return [step.node for step in output.steps]


def outcomes(output: QuestionOutput, node: str) -> list[str]:
    return [step.outcome for step in output.steps if step.node == node]


@pytest.mark.parametrize("tier", ["easy", "medium", "hard", "unanswerable"])
async def test_json_in_a_whole_question_out(ask: Ask, tier: str) -> None:
    output = await ask(order={"tier": tier, "seed_item": 2})
    question = whole(output)
    assert question.tier == tier and question.kind == "what, who, when, where"
    assert bool(question.reasoning) is (tier == "hard")
    assert output == await ask(order={"tier": tier, "seed_item": 2})
    assert ask.script.asked == []


async def test_the_empty_form_makes_an_easy_question(ask: Ask) -> None:
    assert whole(await ask()).tier == "easy"


async def test_hard_gold_lies_in_two_documents(ask: Ask) -> None:
    (turn,) = whole(await ask(order={"tier": "hard"})).conversation.turns
    passages = open_corpus(CORPUS).passages
    assert len({passages[passage_id].document_id for passage_id in turn.gold}) == 2


async def test_the_planned_passage_comes_first_and_facts_of_others_are_skipped(ask: Ask) -> None:
    anchor = list(open_corpus(CORPUS).passages)[5]
    first, second = [
        whole(await ask(order={"anchors": [anchor], "skip": skip})).conversation.turns[0] for skip in (0, 1)
    ]
    assert first.gold == second.gold == (anchor,)
    assert first.evidence != second.evidence


async def test_a_faulty_query_gives_way_to_other_facts(ask: Ask) -> None:
    output = await ask({"query_writer": at([0], NO_QUERY)}, {"tier": "hard"})
    assert whole(output).conversation.turns[0].attempts == 2
    assert nodes(output).count("draw_passages") == 1
    first, second = ask.script.of("query_writer")
    assert told(first) != told(second) and "Advice: -" in told(second)


async def test_a_medium_query_that_failed_is_asked_for_fact_by_fact(ask: Ask) -> None:
    output = await ask({"query_writer": at([0], NO_QUERY)}, {"tier": "medium"})
    turn = whole(output).conversation.turns[0]
    assert turn.attempts == 2 and nodes(output).count("draw_passages") == 1
    assert len(ask.script.of("query_writer")) == 1 and len(ask.script.of("user_simulator")) == 2
    assert re.fullmatch(r"When does the [^?]+, and when does the [^?]+\?", turn.standalone_query)
    assert len(output.steps[4].calls) == 2 and output.steps[4].node == "write_query"


async def test_each_half_of_a_query_is_checked_about_its_own_fact(ask: Ask) -> None:
    at_large = as_json(query="What does station Alder stand for?")
    rules = {"query_writer": at([0], NO_QUERY), "user_simulator": at([1], at_large)}
    output = await ask(rules, {"tier": "medium"})
    assert whole(output).conversation.turns[0].attempts == 3
    assert outcomes(output, "check_query")[1].startswith("rejected: ")


async def test_a_passage_that_is_not_needed_ends_the_draft(ask: Ask) -> None:
    output = await ask({"need_verifier": at([1], verdict(True))}, {"tier": "medium"})
    question = whole(output)
    assert question.conversation.turns[0].attempts == 2
    assert "it can be answered without 'Station" in outcomes(output, "verify_need")[0]
    assert [v.passed for v in question.conversation.turns[0].verdicts if v.criterion == "passage needed"] == [True] * 2


async def test_passages_that_do_not_answer_together_end_the_draft(ask: Ask) -> None:
    output = await ask({"need_verifier": at([0], verdict(False))}, {"tier": "hard"})
    whole(output)
    assert "together do not answer" in outcomes(output, "verify_need")[0]


@pytest.mark.parametrize(("tier", "role", "number"), [("easy", "uniqueness_verifier", 1), ("hard", "need_verifier", 3)])
async def test_another_passage_that_answers_ends_the_draft(ask: Ask, tier: str, role: str, number: int) -> None:
    output = await ask({role: at([number], verdict(True))}, {"tier": tier})
    assert whole(output).conversation.turns[0].attempts == 2
    assert "another passage answers it" in outcomes(output, "verify_need")[0]


async def test_numbers_without_a_sentence_name_nothing(ask: Ask) -> None:
    """Code finds the sentences then, and the trace tells how many there were."""

    def miscounts(body: Body, number: int) -> str:
        return re.sub(r"\[\d+\]", "[0, 999]", str(reply(body)["choices"][0]["message"]["content"]))

    output = await ask({"answer_writer": miscounts}, {"tier": "hard"})
    question = whole(output)
    assert outcomes(output, "write_answer")[0].endswith("[12 misnumbered]")
    right = whole(await ask(order={"tier": "hard"}))
    assert question.conversation.turns[0].evidence == right.conversation.turns[0].evidence


async def test_a_short_hard_answer_is_written_again_with_advice(ask: Ask) -> None:
    def says_twice(body: Body, number: int) -> str | None:
        text = json.loads(reply(body)["choices"][0]["message"]["content"])
        return json.dumps({**text, "claims": [text["claims"][0]] * 5}) if number == 0 else None

    output = await ask({"answer_writer": says_twice}, {"tier": "hard"})
    assert whole(output).conversation.turns[0].attempts == 1
    assert "it has 1 sentences" in outcomes(output, "check_evidence")[0]
    first, second = ask.script.of("answer_writer")
    assert "Advice: it has 1 sentences" in told(second)
    assert (first["temperature"], second["temperature"]) == (0, 0.7)


async def test_a_hard_answer_does_without_the_claims_that_are_not_stated(ask: Ask) -> None:
    """The script makes six claims, and five are enough."""
    output = await ask({"evidence_verifier": at([2], verdict(False))}, {"tier": "hard"})
    question = whole(output)
    (turn,) = question.conversation.turns
    assert outcomes(output, "verify_evidence") == ["supported without 1 claims"]
    assert turn.answer == " ".join(one.claim for one in question.claims) and len(question.claims) == 5
    assert [verdict.passed for verdict in turn.verdicts if verdict.criterion == "claim support"] == [True] * 5


async def test_a_hard_answer_left_with_too_few_claims_is_written_again(ask: Ask) -> None:
    output = await ask({"evidence_verifier": at([1, 2], verdict(False))}, {"tier": "hard"})
    assert "do not state the claim" in outcomes(output, "verify_evidence")[0]
    assert len(ask.script.of("answer_writer")) > 1


async def test_a_claim_that_its_quotes_do_not_state_is_written_again_three_times_then_given_up(ask: Ask) -> None:
    """The script writes the same claim again, so the verifier's first ruling is replayed from the ledger."""
    output = await ask({"evidence_verifier": at([0], verdict(False))}, {"tier": "easy"})
    assert whole(output).conversation.turns[0].attempts == 2
    assert ["do not state the claim" in one for one in outcomes(output, "verify_evidence")] == [True] * 3 + [False]
    assert nodes(output)[:13].count("write_answer") == 3


async def test_a_query_that_a_passage_answers_is_not_unanswerable(ask: Ask) -> None:
    output = await ask({"uniqueness_verifier": at([2], verdict(True))}, {"tier": "unanswerable"})
    assert whole(output).conversation.turns[0].attempts == 2
    assert "a passage answers it: Station" in outcomes(output, "verify_absence")[0]


async def test_sets_spent_is_no_question_and_no_draft_repeats_a_request(ask: Ask) -> None:
    output = await ask({"need_verifier": at(range(999), verdict(False))}, {"tier": "medium"}, set_tries=2)
    assert output.question is None
    assert "medium: no proven query from 2 passage sets; last rejected: its passages together" in output.abandoned
    assert nodes(output).count("draw_passages") == 3 and nodes(output)[-1] == "abandon"
    keys = [call for step in output.steps if step.node in DRAFTING for call in step.calls]
    assert len(keys) == len(set(keys)) == 10


@pytest.mark.parametrize("role", ["user_simulator", "answerer", "contextualizer"])
async def test_an_unreadable_reply_is_a_failed_try(ask: Ask, role: str) -> None:
    output = await ask({role: at([0, 1], "I would rather not.")})
    whole(output)
    assert any(step.outcome.startswith("unreadable: ") for step in output.steps)
