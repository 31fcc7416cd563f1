"""Sentences end where a reader would say so, in any script; nothing of the text is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtr.corpus.sentences import sentence_spans


def sentences(text: str, *, prose_only: bool = False) -> list[str]:
    return [text[span.start : span.end] for span in sentence_spans(text, prose_only=prose_only)]


@pytest.mark.parametrize(
    "parts",
    [
        ["One ends here.", "Two begins."],
        ["Dr. Smith met Prof. Jones, e.g. in Rome, i.e. the capital vs. the coast.", "It rained."],
        ["It costs 3.14 or 1,000.50 dollars.", "See a.b.c and os.path.join(a, b) for more.", "Done"],
        ["The U.S. Government paid at 5 p.m. yesterday.", "Then it closed."],
        ["Apples, pears, etc. are fruit.", "We sell apples, pears, etc.", "The shop opens early."],
        ["J. R. R. Tolkien wrote it.", "Nobody else did."],
        ["See fig. 3 and no. 4 in sec. 2.", "They differ."],
        ["He waited ... and waited.", "Then he left..."],
        ['"Why?" he asked.', '"Because it is so."', "She left."],
        ["“It is.” “It is not!”"],
        ["She said (so he told me.)", "Then she left."],
        ["The value is kept.[1]", "It is never changed. [2]", "Nobody knows why."],
        ['Call "__init__()" first.', '"__new__()" is intended for subclasses.', "`foo` is not.", "x.y() is neither."],
        ['The "." operator binds.', 'Uses "!" as a mark.'],
        ["Really?!", "Yes!!!", "Yahoo! is a company."],
        ["Am 3. Oktober war z.B. alles zu.", "Die Läden öffnen am 4. Oktober."],
        ["Это т.е. первое предложение.", "Второе — тоже."],
        ["¿Qué es?", "¡Nada!", "Es así."],
        ["هل هذا صحيح؟", "نعم هذا صحيح."],
        ["यह पहला वाक्य है।", "यह दूसरा है॥", "तीसरा"],
    ],
)
def test_scripts_with_spaces(parts: list[str]) -> None:
    text = " ".join(parts)
    expected = ["“It is.”", "“It is not!”"] if parts[0].startswith("“") else parts
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "parts",
    [
        ["董事会昨天开会。", "费用不变！", "为什么？", "因为成本下降。"],
        ["他说：“我不知道。”", "然后他走了。"],
        ["「そうです。」と彼は言った。", "雨が降った。", "（終わり。）", "次"],
        ["他想……然后回答了。", "版本3.11发布了。", "Python 3.12 也是。"],
        ["真的吗？！", "是的。"],
    ],
)
def test_scripts_without_spaces(parts: list[str]) -> None:
    assert sentences("".join(parts)) == parts


def test_thai_breaks_at_a_space_once_long_enough() -> None:
    clause = "คณะกรรมการตัดสินใจเมื่อวานนี้ว่าจะไม่เพิ่มค่าธรรมเนียมสำหรับปีหน้าเพราะต้นทุนลดลง"
    assert sentences(f"{clause} {clause} ครับ {clause}") == [clause, f"{clause}", f"ครับ {clause}"]


def test_line_breaks_inside_a_paragraph_do_not_end_a_sentence() -> None:
    text = "A sentence over\ntwo lines.  Another\n   one.\n\nA new paragraph without a full stop\n"
    text += "\n# A heading\n- one\n- two\nEnd"
    assert sentences(text) == [
        "A sentence over\ntwo lines.",
        "Another\n   one.",
        "A new paragraph without a full stop",
        "# A heading",
        "- one",
        "- two\nEnd",
    ]


def test_list_marks_are_no_sentences() -> None:
    assert sentences("1. First thing. More of it.\n2. Second.\n(a) Third.") == [
        "1. First thing.",
        "More of it.",
        "2. Second.",
        "(a) Third.",
    ]


def test_a_hanging_indent_is_one_paragraph_and_a_term_is_not() -> None:
    note = "[1] The exception is passed on to the caller unless there is\n    a clause that raises another one."
    assert sentences(note + "\n\nterm\n    What it means.") == [note, "term", "What it means."]


MANUAL = """\
Calls
*****

The syntax is:

   call ::= primary "(" [args] ")"

object.close(self)
object.open(self)

   Called when it is closed.  It must
   not fail.

   >>> x.close()
   True

====  ====
a     b
====  ====
"""


def test_prose_only_leaves_out_headings_code_signatures_and_tables() -> None:
    assert sentences(MANUAL, prose_only=True) == [
        "The syntax is:",
        "Called when it is closed.",
        "It must\n   not fail.",
    ]
    assert "".join("".join(sentences(MANUAL)).split()) == "".join(MANUAL.split())


def test_a_passage_that_begins_inside_indented_prose() -> None:
    text = 'If "__new__()" returns\n   nothing, the rest\n   is skipped.\n\n   It ends here.'
    assert sentences(text, prose_only=True) == [
        'If "__new__()" returns\n   nothing, the rest\n   is skipped.',
        "It ends here.",
    ]


PIECES = [
    "a",
    "B",
    ".",
    "!",
    "…",
    "。",
    "」",
    '"',
    ")",
    " ",
    "\n",
    "\n\n",
    "- ",
    "#",
    "```",
    "|",
    "1.",
    "e.g.",
    "中",
    "ก",
    "।",
    "   ",
    "==",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=60))
def test_no_character_is_lost_or_doubled(text: str) -> None:
    spans = sentence_spans(text)
    place = 0
    for span in spans:
        assert place <= span.start < span.end
        assert not text[place : span.start].strip()
        assert text[span.start : span.end] == text[span.start : span.end].strip()
        place = span.end
    assert not text[place:].strip()
