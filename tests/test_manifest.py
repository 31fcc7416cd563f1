"""The manifest counts what was reached and never turns the unknown into a number."""

import pytest
from support.conversations import make_conversation, make_passage, make_turn
from support.manifests import make_spent

from mtr.datasets.manifest import Share, Tally, per_kept_turn
from mtr.spent import merge_spent, tokens_of


def test_shares_name_what_they_rest_on() -> None:
    tally = Tally()
    tally.add(make_conversation("a", turns=2))
    turns = (
        make_turn(1, make_passage(1)),
        make_turn(2, make_passage(2), move="switch", refers_to=1),
        make_turn(3, make_passage(3), move="return", refers_to=1),
    )
    tally.add(make_conversation("b").model_copy(update={"turns": turns, "style": "terse"}))
    shares = tally.shares()
    assert shares.moves["switch"] == Share(n=1, of=5) and shares.moves["shift"] == Share(n=0, of=5)
    assert shares.styles == {"plain": Share(n=1, of=2), "terse": Share(n=1, of=2)}
    assert shares.switched == Share(n=1, of=2)
    assert shares.far_references == Share(n=1, of=5)


def test_spending_is_summed_by_model_and_role() -> None:
    merged = merge_spent([make_spent("b"), make_spent("a"), make_spent("a", calls=1, usd=None)])
    assert [(one.role, one.calls, one.usd, one.cached_tokens) for one in merged] == [
        ("a", 11, None, 800),
        ("b", 10, 0.5, 400),
    ]


def test_cost_of_a_kept_turn() -> None:
    cost = per_kept_turn([make_spent("a"), make_spent("b")], turns=4, seconds=20.0, human_usd=2.5)
    assert (cost.tokens, cost.seconds, cost.usd, cost.ratio_to_human) == (600.0, 5.0, 0.25, 0.1)


@pytest.mark.parametrize("human", [None, 2.0])
def test_an_unknown_price_is_null(human: float | None) -> None:
    cost = per_kept_turn([make_spent("a"), make_spent("b", usd=None)], turns=4, seconds=20.0, human_usd=human)
    assert cost.usd is None and cost.ratio_to_human is None and cost.tokens == 600.0


def test_unmeasured_calls_leave_the_tokens_unknown_but_for_embeddings() -> None:
    lines = [make_spent("a"), make_spent("embedding", unmeasured=3, prompt_tokens=0, completion_tokens=0)]
    assert tokens_of(lines) == 1200
    assert tokens_of([*lines, make_spent("b", unmeasured=1)]) is None


def test_nothing_kept_has_no_cost_per_turn() -> None:
    cost = per_kept_turn([make_spent()], turns=0, seconds=20.0, human_usd=2.0)
    assert (cost.tokens, cost.seconds, cost.usd, cost.ratio_to_human) == (None, None, None, None)
