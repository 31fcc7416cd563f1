"""Passages have exact spans, lose nothing, and end where a reader would pause."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtr.corpus.demo import demo_documents
from mtr.corpus.splitting import STRETCH, split_document
from mtr.errors import InputError
from mtr.records import Document, Passage

SENTENCE = "The fee for the year is not raised, because the costs of the office are falling again. "


def document(text: str) -> Document:
    return Document(document_id="d", title="Doc", text=text, source="d.txt")


def split(text: str, size: int = 1000) -> list[Passage]:
    return split_document(document(text), size=size)


def check(text: str, passages: list[Passage], size: int) -> None:
    """Exact spans in order, only white space between them, none above the stretched size."""
    place = 0
    for passage in passages:
        start, end = passage.span.start, passage.span.end
        assert text[start:end] == passage.text == passage.text.strip()
        assert not text[place:start].strip()
        assert passage.passage_id == f"d:{start}-{end}"
        assert len(passage.text) <= STRETCH * size
        place = end
    assert not text[place:].strip()


BITS = [
    "word ",
    "Word",
    SENTENCE,
    ".",
    "。",
    "中文",
    "ไทย",
    "é",
    "e\u0301",
    "\n",
    "\n\n",
    "# H\n",
    "Title\n=====\n",
    "- item\n",
]
BITS += ["```\n", "   code = 1\n", "x" * 130, "1. ", ": ", "| a | b |\n", "👩\u200d👧", "f(x)\n\n   Called.\n\n"]


def test_a_passage_never_begins_with_white_space() -> None:
    text = f"word {'x' * 400}f(x)\n\n   Called.\n\nword Title\n=====\n   code = 1\n| a | b |\n"
    check(text, split(text, 100), 100)


@settings(max_examples=120, deadline=None)
@given(st.lists(st.sampled_from(BITS), max_size=60).map("".join), st.sampled_from([100, 137, 400]))
def test_nothing_but_white_space_is_lost(text: str, size: int) -> None:
    check(text, split(text, size), size)


@given(st.text(max_size=300))
def test_any_text_at_all(text: str) -> None:
    check(text, split(text, 100), 100)


def test_the_demo_corpus_is_cut_into_fair_passages() -> None:
    lengths = []
    for one in demo_documents():
        passages = split_document(one)
        check(
            one.text,
            [
                passage.model_copy(update={"passage_id": f"d:{passage.span.start}-{passage.span.end}"})
                for passage in passages
            ],
            800,
        )
        lengths += [len(passage.text) for passage in passages if len(one.text) > 1200]
    assert sum(560 <= length <= 960 for length in lengths) > 0.75 * len(lengths)
    assert sum(length < 400 for length in lengths) < 0.03 * len(lengths)


def test_blank_short_and_single_sentence_documents() -> None:
    assert split("") == split(" \n\t\n") == []
    assert [passage.text for passage in split("One sentence")] == ["One sentence"]
    assert [passage.text for passage in split("\n\n  One.\n\n# Two\n\nThree.  \n", 100)] == ["One.\n\n# Two\n\nThree."]


def test_a_short_tail_stays_with_its_neighbour() -> None:
    assert len(split(SENTENCE * 13)) == 1
    lengths = [len(passage.text) for passage in split(SENTENCE * 15)]
    assert len(lengths) == 2
    assert min(lengths) >= 500


def test_paragraphs_go_before_sentences_and_sentences_before_words() -> None:
    paragraph = SENTENCE * 4
    for passage in split((paragraph.strip() + "\n\n") * 9):
        assert passage.text.startswith("The fee") and passage.text.endswith("again.")
        assert len(passage.text.replace("\n\n", " ")) + 1 in {len(paragraph) * n for n in (2, 3)}
    for passage in split(SENTENCE * 50):
        assert passage.text.startswith("The fee") and passage.text.endswith("again.")
    for passage in split("never ending prose without any stop " * 200):
        assert set(passage.text.split()) <= {"never", "ending", "prose", "without", "any", "stop"}


@pytest.mark.parametrize(
    ("sentence", "ends"),
    [
        ("董事会昨天决定明年不提高费用，因为成本正在下降。", "。"),
        ("取締役会は「来年の料金を引き上げない。」と決めた。", "決めた。"),
        ("हम अगले वर्ष शुल्क नहीं बढ़ाएंगे क्योंकि लागत कम हो रही है। ", "।"),
        ("هل ترتفع الرسوم في العام المقبل بسبب التكاليف؟ ", "؟"),
        ("คณะกรรมการตัดสินใจว่าจะไม่เพิ่มค่าธรรมเนียมสำหรับปีหน้าเพราะต้นทุนลดลง ", "ลดลง"),
    ],
)
def test_sentences_of_many_scripts_stay_whole(sentence: str, ends: str) -> None:
    passages = split(sentence * 60, 400)
    assert len(passages) > 3
    assert all(passage.text.endswith(ends) for passage in passages)
    assert all(passage.text.startswith(sentence[:5]) for passage in passages)


def test_chinese_without_any_full_stop_breaks_at_a_comma() -> None:
    passages = split("董事会昨天决定明年不提高费用，" * 60, 200)
    assert all(passage.text.endswith("，") for passage in passages)


def test_a_heading_begins_a_passage_and_stays_with_what_follows() -> None:
    section = "## Fees {}\n\n" + SENTENCE * 8 + "\n\n"
    text = "# Rules\n\n" + "".join(section.format(number) for number in range(5))
    passages = split(text)
    assert [passage.text.split("\n", 1)[0] for passage in passages] == [
        "# Rules",
        *(f"## Fees {n}" for n in range(1, 5)),
    ]
    assert [passage.heading for passage in passages] == [f"Fees {n}" for n in range(5)]
    assert all(passage.title == "Doc" for passage in passages)


def test_headings_are_never_the_end_of_a_passage() -> None:
    for length in range(1, 30):
        text = SENTENCE * length + "\n\nFees\n----\n\n### Deeper\n\n" + SENTENCE * 20
        for passage in split(text):
            assert not re.search(r"(----|### Deeper)$", passage.text)


def test_the_heading_above_is_known_inside_a_long_section() -> None:
    text = (
        "Intro.\n\nFees\n====\n\n"
        + (SENTENCE * 3 + "\n\n") * 10
        + "Refunds\n-------\n\n"
        + (SENTENCE * 3 + "\n\n") * 10
    )
    passages = split(text)
    assert [passage.heading for passage in passages][1:3] == ["Fees"] * 2
    assert passages[-1].heading == "Refunds"


@pytest.mark.parametrize(
    ("heading", "label"),
    [
        ("## [Fees](https://example.org/fees) of 2024 ##", "Fees of 2024"),
        ("### **Fees** {#fees}", "Fees"),
        ("=====\nFees\n=====", "Fees"),
        ("Fees\n^^^^", "Fees"),
        ("费用说明\n--------", "费用说明"),
        ("#hashtag is no heading.", ""),
        ("- Fees\n-------", ""),
    ],
)
def test_headings_as_they_read(heading: str, label: str) -> None:
    assert split(f"{heading}\n\n{SENTENCE}")[0].heading == label


def test_a_lead_in_and_a_signature_stay_with_what_follows() -> None:
    for length in range(1, 16):
        text = SENTENCE * length + "\n\nUse it like this:\n\n   pad(text, 3)\n   pad(text, 4)\n\n" + SENTENCE * 9
        assert not any(passage.text.endswith("like this:") for passage in split(text))
        text = SENTENCE * length + "\n\nstr.pad(text[, width])\n\n   " + SENTENCE * 9 + "\n\n" + SENTENCE * 9
        assert not any(passage.text.endswith("width])") for passage in split(text))


def test_a_signature_names_the_passage_that_begins_below_it() -> None:
    body = "\n\n".join("   " + SENTENCE * 3 for _ in range(8))
    passages = split(f"Strings\n*******\n\nstr.pad(text)\n\n{body}\n\nThe end of it. {SENTENCE * 12}")
    assert [passage.heading for passage in passages] == ["str.pad(text)", "str.pad(text)", "Strings", "Strings"][
        : len(passages)
    ]


def test_a_tag_of_a_page_names_no_passage() -> None:
    body = "\n\n".join("   " + SENTENCE * 3 for _ in range(4))
    for passage in split(f'Strings\n*******\n\n<div class="wide">\n\n{body}\n\n</div>\n\n{SENTENCE * 12}'):
        assert passage.heading == "Strings"


def test_code_that_fits_is_not_torn() -> None:
    code = "\n\n".join(f"x{number} = {number}\ny{number} = x{number} * 2" for number in range(30))
    indented = "\n".join("    " + line if line else "" for line in code.split("\n"))
    for length in range(0, 14):
        for block in (f"```python\n{code}\n```", indented):
            text = SENTENCE * length + "\n\n" + block + "\n\n" + SENTENCE * 12
            assert sum(block.strip() in passage.text for passage in split(text)) == 1


def test_a_word_is_torn_only_when_it_is_longer_than_a_passage() -> None:
    passages = split("a" * 500 + " " + "b" * 3000 + " end", 1000)
    assert passages[0].text.startswith("a" * 500)
    assert "".join(passage.text for passage in passages).replace(" ", "") == "a" * 500 + "b" * 3000 + "end"
    for passage in split("e\u0301" * 2000, 101):
        assert passage.text[0] == "e" and passage.text[-1] == "\u0301"


@pytest.mark.parametrize("unit", [SENTENCE, "word ", "x", "中"])
def test_the_time_grows_with_the_length_of_a_line(unit: str) -> None:
    seconds = []
    for length in (20_000, 160_000):
        text = unit * (length // len(unit))
        check(text, split(text), 1000)
        seconds.append(min(_seconds_to_split(text) for _ in range(3)))
    assert seconds[1] < 30 * seconds[0] + 0.1


def _seconds_to_split(text: str) -> float:
    begin = time.process_time()
    split(text)
    return time.process_time() - begin


def test_sizes_in_tokens() -> None:
    tokens = pytest.importorskip("mtr.llm.tokens")
    text = ("# Fees\n\n" + SENTENCE * 7 + "\n\n") * 15 + "word " * 1500 + "中" * 1000
    passages = split_document(document(text), size=200, unit="tokens")
    counts = [tokens.count_tokens(passage.text) for passage in passages]
    assert max(counts) <= 1.05 * STRETCH * 200
    assert sum(counts) / len(counts) > 120
    assert "".join("".join(passage.text.split()) for passage in passages) == "".join(text.split())


def test_a_size_too_small_is_refused() -> None:
    with pytest.raises(InputError, match="too small; use 100 or more"):
        split("Text.", 99)


def test_the_same_document_gives_the_same_passages() -> None:
    text = SENTENCE * 40
    assert split(text) == split(text)
