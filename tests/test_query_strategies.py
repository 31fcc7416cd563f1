"""Query strategies: what becomes of a conversation, what is cut, what is left out, what a model writes."""

import pytest

from mtr.datasets.records import AnyTurn, Said
from mtr.errors import EndpointError, InputError, ReplyError
from mtr.llm.tokens import count_tokens
from mtr.retrieval.asked import RewrittenStrategy
from mtr.retrieval.protocols import Queries, QueryStrategy
from mtr.retrieval.queries import cut_left
from mtr.retrieval.query_specs import query_strategy


def turn(query: str, *history: str, standalone: str | None = None, name: str = "c::1") -> AnyTurn:
    """A turn; the history is what user and assistant said by turns, the user first."""
    said = [Said(speaker="assistant" if place % 2 else "user", text=text) for place, text in enumerate(history)]
    number = len(history) // 2 + 1
    return AnyTurn(
        query_id=name, conversation_id="c", turn=number, query=query, history=tuple(said), standalone_query=standalone
    )


THIRD = turn("and now?", "first?", "one.", "second?", "two.", standalone="And what is third?")


def no_rewriter(name: str, model: str, most: int) -> QueryStrategy:
    raise AssertionError(f"{name} was asked for")


@pytest.mark.parametrize(
    ("spec", "query"),
    [
        ("last_turn", "and now?"),
        ("history", "first?\none.\nsecond?\ntwo.\nand now?"),
        ("history:0", "and now?"),
        ("history:1", "second?\ntwo.\nand now?"),
        ("history:2", "first?\none.\nsecond?\ntwo.\nand now?"),
        ("history:9", "first?\none.\nsecond?\ntwo.\nand now?"),
        ("all_queries", "first?\nsecond?\nand now?"),
        ("standalone", "And what is third?"),
    ],
)
async def test_the_query_of_a_turn(spec: str, query: str) -> None:
    strategy = query_strategy(spec, 512, no_rewriter)
    assert strategy.name == spec
    assert await strategy.queries([THIRD]) == Queries({"c::1": query})


async def test_history_without_answers_counts_turns_by_queries() -> None:
    said = tuple(Said(speaker="user", text=text) for text in ("first?", "second?"))
    bare = THIRD.model_copy(update={"history": said})
    found = await query_strategy("history:1", 512, no_rewriter).queries([bare])
    assert found.texts["c::1"] == "second?\nand now?"


@pytest.mark.parametrize("most", [1, 3, 10, 50, 500])
def test_a_long_text_keeps_its_end_within_the_tokens(most: int) -> None:
    text = " ".join(f"word{number}" for number in range(300))
    kept = cut_left(text, most)
    assert text.endswith(kept) and kept.startswith("word") and kept.endswith("word299")
    assert count_tokens(kept) <= most or " " not in kept
    longer = text[: -len(kept)].split()
    assert not longer or count_tokens(f"{longer[-1]} {kept}") > most


def test_a_query_of_twenty_thousand_tokens_loses_its_beginning() -> None:
    kept = cut_left("Why is that so? " * 4000 + "Because of the tide?", 64)
    assert kept.endswith("Because of the tide?") and count_tokens(kept) <= 64


@pytest.mark.parametrize(
    "spec", ["last_turn", "standalone", "history", "history:2", "all_queries", "rewritten:house/m"]
)
async def test_no_strategy_hands_on_more_than_the_tokens(spec: str) -> None:
    async def rewrite(one: AnyTurn, sample: int) -> str:
        raise ReplyError("rubbish")

    text = "Why is that so? " * 4000 + "Because of the tide?"
    strategy = query_strategy(spec, 64, lambda name, model, most: RewrittenStrategy(name, rewrite, most))
    found = (await strategy.queries([turn(text, "before?", "yes.", standalone=text)])).texts["c::1"]
    assert found.endswith("Because of the tide?") and count_tokens(found) <= 64


@pytest.mark.parametrize("text", ["", " \n ", "short"])
def test_what_fits_stays_as_it_is(text: str) -> None:
    assert cut_left(text, 2) == text


async def test_turns_without_a_standalone_query_are_left_out() -> None:
    strategy = query_strategy("standalone", 512, no_rewriter)
    found = await strategy.queries([THIRD, turn("x", name="c::2")])
    assert found == Queries({"c::1": "And what is third?"})
    with pytest.raises(InputError, match="--query standalone: no turn"):
        await strategy.queries([turn("x")])


@pytest.mark.parametrize("spec", ["last", "history:x", "history:-1", "rewritten", "rewritten:", "last_turn:3", ""])
def test_an_unknown_strategy_is_named_with_those_there_are(spec: str) -> None:
    with pytest.raises(InputError, match=r"no query strategy .* rewritten:MODEL"):
        query_strategy(spec, 512, no_rewriter)


async def test_a_rewriter_is_handed_in_and_what_it_cannot_read_stays_as_typed_and_is_told() -> None:
    asked: list[tuple[str, int]] = []

    async def rewrite(one: AnyTurn, sample: int) -> str:
        asked.append((one.query, sample))
        if one.query == "bad" or (one.query == "late" and sample < 2):
            raise ReplyError("rubbish")
        return one.query.upper()

    strategy = query_strategy(
        "rewritten:house/large", 512, lambda name, model, most: RewrittenStrategy(name, rewrite, most)
    )
    turns = [turn("one", name="c::1"), turn("bad", name="c::2"), turn("late", name="c::3")]
    assert strategy.name == "rewritten:house/large"
    assert await strategy.queries(turns) == Queries({"c::1": "ONE", "c::2": "bad", "c::3": "LATE"}, ("c::2",))
    assert [sample for query, sample in asked if query == "bad"] == [0, 1, 2], "asked again twice, and no more"
    assert [sample for query, sample in asked if query == "one"] == [0]


async def test_a_failing_endpoint_stops_the_rewriting() -> None:
    async def rewrite(one: AnyTurn, sample: int) -> str:
        raise EndpointError("down")

    with pytest.raises(ExceptionGroup) as caught:
        await RewrittenStrategy("r", rewrite).queries([THIRD])
    assert caught.group_contains(EndpointError, match="down")
