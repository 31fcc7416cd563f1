"""Thresholds: cuts on P(yes) where there is one, the written word where there is none."""

import pytest
from pydantic import ValidationError

from mtr.errors import InputError
from mtr.thresholds import Thresholds, thresholds_for

CUTS = Thresholds(gold=0.6, together=0.65, margin=1.0, support=0.7, second_gold=0.9)


@pytest.mark.parametrize("written", [True, False])
def test_a_probability_overrules_the_written_word(written: bool) -> None:
    for rule, cut in (
        (CUTS.is_gold, 0.6),
        (CUTS.is_supported, 0.7),
        (CUTS.answer_together, 0.65),
        (CUTS.is_second_gold, 0.9),
    ):
        assert not rule(cut - 0.01, written)
        assert rule(cut, written)
        assert rule(1.0, written)


@pytest.mark.parametrize("written", [True, False])
def test_without_log_probabilities_the_written_word_counts(written: bool) -> None:
    assert CUTS.is_gold(None, written) is written
    assert CUTS.is_supported(None, written) is written
    assert CUTS.is_second_gold(None, written) is written
    assert CUTS.rivals(None, written, None) is written


@pytest.mark.parametrize(
    ("other", "gold", "rivals"),
    [
        (0.9, 0.9, True),
        (0.78, 0.9, True),
        (0.76, 0.9, False),
        (0.1, 0.95, False),
        (0.98, 0.99, True),
        (0.97, 0.99, False),
        (1.0, 1.0, True),
        (0.99, 1.0, False),
    ],
)
def test_a_rival_comes_within_the_margin(other: float, gold: float, rivals: bool) -> None:
    assert CUTS.rivals(other, not rivals, gold) is rivals


@pytest.mark.parametrize(
    ("rest", "together", "suffices"), [(0.8, 0.7, True), (0.7, 0.7, True), (0.66, 0.7, True), (0.64, 0.7, False)]
)
def test_the_rest_of_a_set_has_a_margin_of_its_own(rest: float, together: float, suffices: bool) -> None:
    cuts = CUTS.model_copy(update={"need": 0.25})
    assert cuts.suffices(rest, not suffices, together) is suffices
    assert cuts.suffices(None, suffices, together) is cuts.suffices(rest, suffices, None) is suffices


@pytest.mark.parametrize(("other", "gold"), [(None, 0.9), (0.9, None)])
def test_one_probability_alone_decides_nothing(other: float | None, gold: float | None) -> None:
    assert CUTS.rivals(other, True, gold)
    assert not CUTS.rivals(other, False, gold)


def test_a_model_nobody_measured_gets_the_defaults() -> None:
    assert thresholds_for("openai/unheard-of", "en") == Thresholds()


def test_the_embedded_model_is_measured() -> None:
    assert thresholds_for("local/qwen2.5-coder-1.5b", "en") != Thresholds()


def test_a_margin_is_never_negative() -> None:
    with pytest.raises(ValidationError):
        Thresholds(margin=-0.1)


@pytest.mark.parametrize("field", ["gold", "support", "second_gold"])
@pytest.mark.parametrize("value", [-0.1, 1.1])
def test_cuts_are_probabilities(field: str, value: float) -> None:
    with pytest.raises(ValidationError):
        Thresholds(**{field: value})


def test_the_users_own_cuts_come_first() -> None:
    own = {"local/qwen2.5-coder-1.5b": {"gold": 0.9}}
    assert thresholds_for("local/qwen2.5-coder-1.5b", "en", own) == Thresholds(gold=0.9)
    assert thresholds_for("openai/unheard-of", "en", own) == Thresholds()
    with pytest.raises(InputError, match=r"mtr.toml: \[thresholds.\"a/b\"\] gould"):
        thresholds_for("a/b", "en", {"a/b": {"gould": 0.9}})


def test_a_language_has_cuts_of_its_own_where_they_are_others() -> None:
    own = {"a/b": {"gold": 0.6, "claim": 0.7, "zh": {"claim": 0.9}}}
    assert thresholds_for("a/b", "zh", own) == Thresholds(gold=0.6, claim=0.9)
    assert thresholds_for("a/b", "de", own) == thresholds_for("a/b", "en", own) == Thresholds(gold=0.6, claim=0.7)
    with pytest.raises(InputError, match=r"mtr.toml: \[thresholds.\"a/b\"\] claims"):
        thresholds_for("a/b", "zh", {"a/b": {"zh": {"claims": 0.9}}})


def test_the_embedded_model_is_held_to_more_in_chinese() -> None:
    model = "local/qwen2.5-coder-1.5b"
    assert thresholds_for(model, "zh").claim > thresholds_for(model, "en").claim


def test_a_table_that_is_no_language_is_told() -> None:
    with pytest.raises(InputError, match=r"thresholds.\"a/b\".chinese\]: not the code of a language"):
        thresholds_for("a/b", "zh", {"a/b": {"gold": 0.6, "chinese": {"gold": 0.9}}})


def test_passages_together_have_the_cut_of_one_unless_they_have_their_own() -> None:
    assert Thresholds(gold=0.7).together == 0.7
    assert Thresholds(gold=0.7, together=0.6).together == 0.6
    assert Thresholds().together == Thresholds().gold
