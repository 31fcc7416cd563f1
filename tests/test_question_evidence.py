"""Claims of an answer and their quotes: chosen by code for one passage, found by code in any."""

from support.passages import passage

from mtr.prompts import load_domain
from mtr.questions.evidence import Quoted, locate, quoted_by_code

ENGLISH = load_domain("general")
STOPWORDS = ENGLISH.stopwords
SLUICE = passage(
    "sluice",
    "The sluice is painted green.  It opens when the\nlevel is above 40 units. The keeper lives in the tower and rings "
    "the bell at noon.",
)


def quotes(answer: str) -> list[tuple[str, ...]]:
    """The quotes of each claim."""
    return [one.quotes for one in quoted_by_code(answer, [SLUICE], STOPWORDS)]


def test_each_sentence_of_an_answer_is_a_claim_with_the_sentence_that_says_it() -> None:
    first, second = quotes("It opens when the level is above 40 units. The bell is rung by the keeper.")
    assert [one.split()[-2] for one in first] == ["40"]
    assert [one.split()[-1] for one in second] == ["noon."]


def test_a_claim_that_rests_on_two_sentences_quotes_both() -> None:
    (one,) = quotes("The sluice opens when the level is above 40 units.")
    assert [text.split()[1] for text in one] == ["opens"]
    (both,) = quotes("The green painted sluice opens when the level is above 40 units.")
    assert sorted(one.split()[1] for one in both) == ["opens", "sluice"]


def test_quotes_by_code_stand_in_the_passage() -> None:
    located = locate(quoted_by_code("The level must be above 40 units.", [SLUICE], STOPWORDS), [SLUICE], ENGLISH)
    (claimed,) = located.claims
    for one in claimed.evidence:
        assert SLUICE.text[one.start : one.end] == one.text and "\n" in one.text


def test_a_claim_that_shares_nothing_has_no_quote_and_is_refused() -> None:
    quoted = quoted_by_code("Dragons sleep.", [SLUICE], STOPWORDS)
    assert quoted == (Quoted(claim="Dragons sleep.", quotes=()),)
    assert "has no quote" in locate(quoted, [SLUICE], ENGLISH).fault
