"""Claims of an answer and the sentences that they rest on: those named for them, and those that code adds."""

from support.passages import passage

from mtr.prompts import load_domain
from mtr.questions.evidence import claims_of, evidence_fault, evidenced, said_together, sentences_of
from mtr.questions.records import Claimed

ENGLISH = load_domain("general")
STOPWORDS = ENGLISH.stopwords
SLUICE = passage(
    "sluice",
    "The sluice is painted green.  It opens when the\nlevel is above 40 units. The keeper lives in the tower and rings "
    "the bell at noon.",
)


BARGE = passage("barge", "A barge waits below the sluice. It is loaded with coal.")


def texts(answer: str) -> list[list[str]]:
    """The words of the sentences behind each claim."""
    claims = evidenced(claims_of(answer), [SLUICE], STOPWORDS)
    return [[" ".join(evidence.text.split()) for evidence in one.evidence] for one in claims]


def test_each_sentence_of_an_answer_is_a_claim_with_the_sentence_that_says_it() -> None:
    first, second = texts("It opens when the level is above 40 units. The bell is rung by the keeper.")
    assert [one.split()[-2] for one in first] == ["40"]
    assert [one.split()[-1] for one in second] == ["noon."]


def test_a_claim_that_rests_on_two_sentences_has_both() -> None:
    (one,) = texts("The sluice opens when the level is above 40 units.")
    assert [text.split()[1] for text in one] == ["opens"]
    (both,) = texts("The green painted sluice opens when the level is above 40 units.")
    assert sorted(one.split()[1] for one in both) == ["opens", "sluice"]


def test_a_named_sentence_leads_and_code_adds_what_it_leaves_open() -> None:
    painted, opens, _ = sentences_of([SLUICE])
    named = Claimed(claim="The painted sluice opens above 40 units.", evidence=(painted,))
    (claimed,) = evidenced([named], [SLUICE], STOPWORDS)
    assert claimed.evidence == (painted, opens)


def test_evidence_is_verbatim_whatever_stands_between_words() -> None:
    (claimed,) = evidenced(claims_of("The level must be above 40 units."), [SLUICE], STOPWORDS)
    for one in claimed.evidence:
        assert SLUICE.text[one.start : one.end] == one.text and "\n" in one.text


def test_a_claim_that_shares_nothing_has_no_evidence_and_is_refused() -> None:
    claims = evidenced(claims_of("Dragons sleep."), [SLUICE], STOPWORDS)
    assert claims == (Claimed(claim="Dragons sleep.", evidence=()),)
    assert "rests on no sentence" in evidence_fault(claims, [SLUICE], ENGLISH)


def test_a_passage_that_carries_no_claim_is_a_fault() -> None:
    claims = evidenced(claims_of("The sluice is painted green."), [SLUICE, BARGE], STOPWORDS)
    assert "no claim rests on the passage 'A barge waits" in evidence_fault(claims, [SLUICE, BARGE], ENGLISH)
    assert not evidence_fault(claims, [SLUICE], ENGLISH)


def test_claims_in_a_row_have_a_space_between_them_where_the_script_has() -> None:
    assert said_together(claims_of("It opens. It shuts.")) == "It opens. It shuts."
    assert said_together(claims_of("门开了。门关了。")) == "门开了。门关了。"
