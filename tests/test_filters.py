"""Filters drop what no query should be about, with a reason each, and leave real text alone."""

from collections.abc import Sequence

import pytest

from mtr.corpus.demo import demo_documents
from mtr.corpus.filters import FilterOptions, FilterResult, filter_passages
from mtr.corpus.splitting import split_document
from mtr.errors import InputError
from mtr.records import Passage, Span

PROSE = "The fee for the year is not raised, because the costs of the office are falling again."


def passages(*documents: Sequence[str]) -> list[Passage]:
    """A passage for each text, a document for each list."""
    return [
        Passage(
            passage_id=f"{name}:{place}",
            document_id=str(name),
            text=text,
            span=Span(start=0, end=len(text)),
            source="s",
        )
        for name, texts in enumerate(documents)
        for place, text in enumerate(texts)
    ]


def fates(result: FilterResult) -> dict[str, str]:
    return {one.passage_id: one.reason for one in result.dropped}


def test_too_little_text_is_dropped_from_longer_documents_only() -> None:
    result = filter_passages(
        passages([PROSE, "See below."], ["See below."], ["没有。"], ["见下"], [PROSE, "关闭。"], ["7"])
    )
    assert fates(result) == {
        "0:1": "too little text",
        "3:0": "too little text",
        "4:1": "too little text",
        "5:0": "too little text",
    }
    assert [passage.passage_id for passage in result.kept] == ["0:0", "1:0", "2:0", "4:0"]
    assert result.counts == {"too little text": 4, "navigation": 0, "boilerplate": 0}
    assert "2 words, fewer than 8" in result.dropped[0].detail


@pytest.mark.parametrize(
    "text",
    [
        "- [Home](/)\n- [Our services and what they cost](/services)\n- [Contact](/contact)\n- [Imprint](/i)",
        "1 Introduction to the fees ........ 3\n2 Fees of the city . . . . . 14\n3 Refunds and what to do ......... 27",
        "1. Introduction to fees    3\n1.1 Fees of the office    14\n1.2 Refunds and more    27",
        "Home > Office of the city > Fees and taxes > Refunds of fees",
        "Home | About the office | Contact us | Imprint and privacy",
        "首页 > 城市办公室 > 费用和税收 > 费用退还说明",
        "Home\nAbout us\nServices\nFees\nContact\nImprint\nPrivacy policy",
        "12.5 13.5 14.5 -- 99 % 12/24 33 [1] [2] (4) 5; 6; 7; 8 ab cd ef gh ij kl mn op 100 200 300 400 500 600 700",
        "https://example.org/a\nhttps://example.org/b\nhttps://example.org/c\nhttps://example.org/d and more of it",
    ],
)
def test_navigation_is_dropped(text: str) -> None:
    assert set(fates(filter_passages(passages([PROSE, text])))) == {"0:1"}


@pytest.mark.parametrize(
    "text",
    [
        "Read [the rules](/rules) and [the fees](/fees) before you apply for a refund at the office.",
        "- [Rules](/rules): what you may bring to the office and when\n- [Fees](/fees): what each service costs",
        "| Code | Result |   |\n| s[i] = x | item i of s is replaced by x | (1) |\n| del s | all is removed | (2) |",
        "+-----------------------+-----------------------+\n| Operation of the list | What it gives back    |\n"
        "+=======================+=======================+\n| s.copy()              | a shallow copy of it  |",
        "   x = [1, 2, 3]\n   for value in x:\n       print(value)\n\nThe loop prints each value of the list in turn.",
        "1. Fill in the form of 2024.\n2. Pay the fee of 30.\n3. Wait for the answer, which takes a week or two.",
        "यह पहला वाक्य है और इसमें शुल्क के बारे में पर्याप्त जानकारी दी गई है।",
        "คณะกรรมการตัดสินใจเมื่อวานนี้ว่าจะไม่เพิ่มค่าธรรมเนียมสำหรับปีหน้า",
        "董事会昨天决定明年不提高费用，因为成本正在下降。",
    ],
)
def test_real_text_is_kept(text: str) -> None:
    assert fates(filter_passages(passages([PROSE, text]))) == {}


def test_links_below_a_paragraph_of_prose_are_kept_with_it() -> None:
    links = "\n".join(f"- [Page {number}](/pages/{number})" for number in range(6))
    assert fates(filter_passages(passages([PROSE, f"{PROSE} {PROSE}\n\n{links}"]))) == {}
    assert set(fates(filter_passages(passages([PROSE, f"The pages of the office:\n\n{links}"])))) == {"0:1"}


def test_boilerplate_of_many_documents_is_dropped_everywhere() -> None:
    footer = "This site uses cookies. Read on to agree.\nCopyright {} The City Office. All rights reserved."
    texts = [[f"{PROSE} It is number {word}.", footer.format(2000 + n)] for n, word in enumerate("abcdefg")]
    result = filter_passages(passages(*texts))
    assert set(fates(result).values()) == {"boilerplate"}
    assert len(result.dropped) == 7
    assert "100% of its text stands in 7 documents" in result.dropped[0].detail
    assert filter_passages(passages(*texts[:4])).counts["boilerplate"] == 0


def test_a_repeated_line_in_a_passage_with_its_own_text_is_kept() -> None:
    texts = [[f"{PROSE} {word * 9} differs.\nAll rights reserved."] for word in "abcdefg"]
    assert fates(filter_passages(passages(*texts))) == {}


def test_when_nothing_survives_the_filters_are_named() -> None:
    with pytest.raises(
        InputError, match=r"none of the 3 passages survives .*too little text 2, navigation 1.*0:0: 1 words"
    ):
        filter_passages(passages(["Nothing", "More", "Home | About the office | Contact us | Imprint and privacy"]))
    assert filter_passages([]).kept == ()


def test_options_change_the_limits() -> None:
    result = filter_passages(passages([PROSE, "See the rules below."]), FilterOptions(fewest_words=3))
    assert fates(result) == {}


def test_nothing_of_the_demo_corpus_is_taken_for_navigation() -> None:
    cut = [passage for document in demo_documents() for passage in split_document(document)]
    assert filter_passages(cut).dropped == ()
