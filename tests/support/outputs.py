"""What a dialogue run left, taken apart for tests: the checked conversation, its nodes, outcomes, calls and facts."""

from graphs.dialogue_state import DialogueOutput
from mtr.corpus.corpus import open_corpus
from mtr.records import Conversation, Step
from support.dialogues import CORPUS, told
from support.endpoint import Body, as_json

NO_QUERY = as_json(query="Tell me about the station, please.")
NO_JSON = "I would rather not."
DRAFTING = ("simulate_user", "write_answer", "contextualize", "plan_topic")
PROVEN = ["choose_passage", "simulate_user", "check_query", "verify_uniqueness"]
ANSWERED = ["write_answer", "verify_answer"]
WORDED = ["contextualize", "check_context"]


def whole(output: DialogueOutput, turns: int) -> Conversation:
    """The conversation, checked: all turns, evidence verbatim in its gold, each step once."""
    assert output.abandoned == ""
    assert output.conversation is not None
    corpus = open_corpus(CORPUS)
    assert [turn.turn for turn in output.conversation.turns] == list(range(1, turns + 1))
    for turn in output.conversation.turns:
        for one in turn.evidence:
            assert one.passage_id in turn.gold
            assert corpus.passages[one.passage_id].text[one.start : one.end] == one.text
        assert turn.verdicts[0].passed
        assert not {one.passage_id for one in turn.hard_negatives} & set(turn.gold)
    assert len({step.step_id for step in output.steps}) == len(output.steps)
    return output.conversation


def nodes(output: DialogueOutput, turn: int = 1) -> list[str]:
    """The nodes of a turn in the order they ran, the setting-out apart."""
    return [step.node for step in output.steps if step.turn == turn and step.node not in ("plan_moves", "plan_topic")]


def outcomes(output: DialogueOutput, node: str) -> list[str]:
    """What a node did, each time."""
    return [step.outcome for step in output.steps if step.node == node]


def calls_of(steps: list[Step]) -> list[str]:
    """Ledger keys of the drafts."""
    return [call for step in steps if step.node in DRAFTING for call in step.calls]


def fact_in(body: Body) -> str:
    """The fact that the user simulator was given."""
    return told(body).rpartition("Fact: ")[2].split("\n")[0]
