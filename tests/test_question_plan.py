"""What a set is planned to hold: exact counts at every ratio, quotas by stratum, types where facts offer them."""

from collections import Counter
from itertools import product

import pytest

from mtr.corpus.facts import Fact
from mtr.errors import InputError
from mtr.questions.facts import specifics
from mtr.questions.sampling import draw_passages, quotas, quotas_reached
from mtr.questions.strata import DIMENSIONS, Strata
from mtr.questions.tiers import SHARES, TIERS, apportion, slot_tiers, tier_counts
from mtr.questions.types import COMPARISON, FACT, HOW, TARGETS, WHY, offered, targets, wanted_types
from mtr.records import Span

RATIOS = [weights for weights in product((0, 1, 3, 7, 33.3), repeat=3) if any(weights)]


@pytest.mark.parametrize("count", [1, 2, 7, 100, 500, 10_001])
def test_counts_add_up_and_are_off_by_less_than_one(count: int) -> None:
    for weights in RATIOS:
        parts = apportion(count, weights)
        assert sum(parts) == count
        for part, weight in zip(parts, weights, strict=True):
            assert abs(part - count * weight / sum(weights)) < 1


def test_the_usual_shares() -> None:
    assert tier_counts(100, SHARES, 5) == {"easy": 40, "medium": 35, "hard": 25, "unanswerable": 5}
    assert tier_counts(60, SHARES) == {"easy": 24, "medium": 21, "hard": 15, "unanswerable": 0}
    assert tier_counts(500, {"easy": 1, "medium": 1, "hard": 1})["easy"] == 167
    with pytest.raises(InputError, match="all 0"):
        tier_counts(5, dict.fromkeys(TIERS, 0))


def test_slots_hold_exactly_the_counts_and_depend_on_the_seed_alone() -> None:
    counts = tier_counts(101, SHARES, 3)
    slots = slot_tiers(counts, 7)
    assert Counter(slots) == counts
    assert slots == slot_tiers(counts, 7) != slot_tiers(counts, 8)


def world(passages: int = 300) -> dict[str, Strata]:
    """One document with half of all passages, many with one; rare structures."""
    return {
        f"p{n}": Strata(
            document="big" if n % 2 else f"d{n % 40}",
            length=("short", "middling", "long")[n % 3],
            structure="table" if n % 60 == 5 else "list" if n % 20 == 3 else "prose",
            cluster=f"c{n % 25}",
        )
        for n in range(passages)
    }


@pytest.mark.parametrize("count", [30, 60, 120])
def test_no_stratum_is_missed_and_none_dominates(count: int) -> None:
    strata = world()
    draw = draw_passages(strata, count, 7)
    assert len(set(draw.passage_ids)) == count
    reached = quotas_reached(strata, Counter(draw.passage_ids), count)
    for dimension in DIMENSIONS:
        rows = [one for one in reached if one.dimension == dimension]
        assert sum(one.quota for one in rows) == sum(one.reached for one in rows) == count
        assert all(one.reached for one in rows if one.quota), dimension
    big = next(one for one in reached if one.stratum == "big")
    assert big.reached / count < 0.6 * big.passages / len(strata)


def test_a_draw_depends_on_its_seed_alone() -> None:
    strata = world()
    assert draw_passages(strata, 50, 7) == draw_passages(strata, 50, 7)
    assert draw_passages(strata, 50, 7) != draw_passages(strata, 50, 8)


def test_passages_without_facts_are_passed_over_and_named() -> None:
    strata = world(40)
    draw = draw_passages(strata, 30, 7, lambda passage_id: 1 if int(passage_id[1:]) % 4 else None)
    assert not {p for p in draw.passage_ids if int(p[1:]) % 4 == 0}
    assert {int(p[1:]) % 4 for p in draw.barren} == {0}
    assert draw_passages(strata, 5, 7, lambda _: None).passage_ids == ()


def test_passages_that_tell_something_specific_come_first_and_no_stratum_is_missed() -> None:
    strata = world()

    def specifics(passage_id: str) -> int:
        return int(int(passage_id[1:]) // 7 % 3 == 0)

    drawn = draw_passages(strata, 60, 7, specifics).passage_ids
    usual = draw_passages(strata, 60, 7).passage_ids
    assert sum(map(specifics, drawn)) > 1.7 * sum(map(specifics, usual))
    reached = quotas_reached(strata, Counter(drawn), 60)
    assert all(one.reached for one in reached if one.quota)


@pytest.mark.parametrize(
    ("topic", "text", "count"),
    [
        ("Rooms", "You should always be patient with your guests.", 0),
        ("Rooms", "The gym opens at 7 on Mondays.", 2),
        ("Alder House", "The keeper of Alder House has the key.", 0),
        ("Rooms", "Set `quiet` before you call reset().", 2),
        ("青石桥", "青石桥于1962年迁到「城南公园」。", 2),
    ],
)
def test_what_a_fact_tells_specifically(topic: str, text: str, count: int) -> None:
    span = Span(start=0, end=len(text))
    assert specifics(Fact(passage_id="p", span=span, text=text, topic=topic)) == count


def test_more_queries_than_passages_go_round_again() -> None:
    draw = draw_passages(world(20), 50, 7)
    assert set(Counter(draw.passage_ids).values()) == {2, 3}


def test_few_queries_give_each_stratum_at_most_one() -> None:
    assert set(quotas(world(), 10)["cluster"].values()) == {0, 1}


def test_types_go_where_they_are_offered() -> None:
    tiers = ("easy",) * 50 + ("hard",) * 50
    offers = [offered("easy", (WHY, FACT) if n % 10 == 0 else (FACT,)) for n in range(50)]
    offers += [offered("hard", ())] * 50
    wanted = wanted_types(tiers, offers, 7, "en")
    assert Counter(wanted) == targets(100) == {kind: round(100 * share) for kind, share in TARGETS.items()}
    assert all(kind in offer for kind, offer in zip(wanted, offers, strict=True))
    assert sum(kind == WHY for kind in wanted[:50]) == 5
    assert all(tier == "hard" for tier, kind in zip(tiers, wanted, strict=True) if kind in (COMPARISON, HOW))
    assert set(wanted_types(tiers, offers, 7, "sw")) == {None}


def test_what_joins_two_facts_asks_for_a_reason_only_where_one_of_them_has_it() -> None:
    assert offered("medium", {FACT}) == {FACT, COMPARISON}
    assert offered("medium", {WHY, None}) == {FACT, WHY, COMPARISON}
    assert WHY in offered("hard", {FACT})
