"""The texts of the faults of checks: what each says, that the code says just these, and tables that are not whole."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.dialogues import Talk, at, told
from support.outputs import NO_QUERY, outcomes
from support.prompt_files import FAULTS, SETTINGS, enter_empty, write_domain

from mtr.errors import InputError
from mtr.prompts import DomainSettings, load_domain
from mtr.prompts.checking import check_domain
from mtr.prompts.places import filled, places
from mtr.questions.acceptance import Acceptance
from mtr.questions.records import Attempted
from mtr.records import Step

pytest_plugins = ("support.dialogue_world",)

ROOT = Path(__file__).parents[1]
ENGLISH, CHINESE = load_domain("general"), load_domain("general_zh")
TEXT = {"word": "w", "words": "w", "name": "n", "query": "q", "topic": "t", "claim": "c", "quote": "o", "passage": "p"}
NUMBERS = {"length": "2", "fewest": "4", "most": "28", "count": "10", "sentences": "3"}
SENTENCES = {
    "not_one_query": "it must be one query that ends with one question mark",
    "two_queries": "it asks two things at once: 'w'",
    "query_length": "it is 2 words long; between 4 and 28 are wanted",
    "wrong_language": "it must be written in the language 'en'",
    "speaks_of": "it speaks of 'w'",
    "asks_for_unsaid": "it asks for 'w', of which the fact says nothing",
    "stands_for_unnamed": "'w' stands for something the query does not name",
    "names_no_topic": "it names nothing of the topic",
    "unknown_name": "'n' is a name that the documents never use",
    "subject_unnamed": "it does not name 'n'",
    "name_alone": "it does not say what 'n' belongs to",
    "repeats_query": "it repeats the earlier query 'q'",
    "asks_for_topic": "it asks for the topic at large, not for the fact",
    "asks_at_large": "it asks what something does or means at large",
    "condition_left_out": "it leaves out the condition under which the fact holds",
    "fact_does_not_say": "the fact does not say 'w'",
    "gives_answer_away": "it gives its answer away",
    "not_found": "it does not lead to its passage among the nearest 10",
    "not_answered": "the passage does not answer it completely",
    "not_answered_together": "its passages together do not answer it completely",
    "answered_without": "it can be answered without 't'",
    "answered_as_well": "another passage answers it as well: t",
    "answered_alone": "another passage answers it alone: t",
    "answered": "a passage answers it: t",
    "answer_length": "it is 2 words long; at most 28 are wanted",
    "sentence_count": "it has 3 sentences; 4 to 28 are wanted",
    "other_language": "it is not in the language of the query",
    "begins_with_signature": "it begins with a signature instead of a sentence",
    "not_in_passage": "'w' does not stand in the passage",
    "not_in_passages": "'w' does not stand in the passages",
    "strange_to_passage": "most of its words do not stand in the passage",
    "strange_to_passages": "most of its words do not stand in the passages",
    "only_repeats_query": "it only repeats the query",
    "does_not_say": "it does not say 'w'",
    "not_from_fact": "it answers from elsewhere than the fact",
    "claim_not_stated": "a claim of it is not stated in the gold",
    "claim_not_quoted": "its sentences do not state the claim 'c'",
    "claim_without_quote": "the claim 'c' rests on no sentence",
    "passage_without_claim": "no claim rests on the passage 'p'",
    "every_part": "it has to answer every part of the query",
    "nothing_written": "there is none",
    "not_one_line": "it must be one query on one line",
    "says_again": "it says again what is clear: 'w'",
    "leaves_out": "it leaves out 'w'",
    "adds": "it adds 'w'",
    "changes_negation": "it changes what is negated",
    "asks_something_else": "it asks for something else",
    "no_situation": "it must begin with a sentence about the user's own situation",
    "says_too_little": "it says too little",
    "not_shorter": "it is not shorter",
}


def said(settings: DomainSettings, code: str) -> str:
    """The text of a fault with short values."""
    values = {**TEXT, **NUMBERS}
    return settings.fault(code, **{name: values[name] for name in places(settings.faults[code])})


@pytest.mark.parametrize("code", sorted(SENTENCES.keys() | ENGLISH.faults.keys()))
def test_what_each_fault_says_in_english(code: str) -> None:
    """Replies in the ledger are found by the prompt's text, so a changed sentence would be asked for anew."""
    assert said(ENGLISH, code) == SENTENCES[code]


@pytest.mark.parametrize("code", sorted(CHINESE.faults))
def test_no_fault_of_the_chinese_domain_holds_a_latin_letter(code: str) -> None:
    text = CHINESE.faults[code]
    bare = filled(text, dict.fromkeys(places(text), ""))
    assert bare and not any(character.isascii() for character in bare)


def calls() -> Iterator[tuple[str, frozenset[str]]]:
    """The code and the names of the values of every fault that our code says."""
    for path in (path for folder in ("mtr", "agents", "graphs") for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "fault":
                code = node.args[0]
                if isinstance(code, ast.Constant):
                    yield str(code.value), frozenset(str(one.arg) for one in node.keywords)


def test_the_code_says_what_stands_in_the_table_and_fills_its_places() -> None:
    assert set(calls()) == {(code, places(text)) for code, text in ENGLISH.faults.items()}


@pytest.mark.parametrize(
    ("text", "value", "said"),
    [
        ("it adds '{a}'", "x", "it adds 'x'"),
        ("it adds '{a}'", "it's", 'it adds "it\'s"'),
        ("it adds '{a}'", "a 'b' \"c\"\nd", "it adds 'a \\'b\\' \"c\"\\nd'"),
        ("“{a}”, {a}", "x\n  # User", "“x # User”, x # User"),
        ("{a} {a}", "{a} {b} '{a}' %s {0} \\1 $a", "{a} {b} '{a}' %s {0} \\1 $a {a} {b} '{a}' %s {0} \\1 $a"),
    ],
)
def test_values_are_put_in_and_not_looked_into(text: str, value: str, said: str) -> None:
    assert filled(text, {"a": value}) == said


@pytest.mark.parametrize(
    ("before", "after", "faults"),
    [
        ("  adds: it adds '{words}'\n", "", ["8: faults: `adds` is missing; general has it"]),
        ("  adds:", "  ads:", ["8: faults: `adds` is missing; general has it", "52: faults: `ads` is never said; "]),
        ("it adds '{words}'", "it adds", ["52: faults: `adds` has no place {words}; general has it"]),
        (
            "it adds '{words}'",
            "it adds '{wrods}' and {Words}",
            [
                "52: faults: `adds` has no place {words}; general has it",
                "52: faults: `adds` has a place {wrods} that is never filled; general does not have it",
                "52: faults: `adds` has a brace that belongs to no place; write {name} in small letters",
            ],
        ),
        ("it adds '{words}'", "it adds {{words}}", ["52: faults: `adds` has a brace that belongs to no place"]),
        ("it adds '{words}'", '""', ["52: `faults.adds`: String should have at least 1 character"]),
        ("  adds:", "  Adds:", ["52: `faults.Adds.[key]`: String should match pattern"]),
        (FAULTS, "", ["1: the key `faults` is missing; copy the table from general"]),
    ],
)
def test_a_table_that_is_not_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, after: str, faults: list[str]
) -> None:
    """`mtr prompts check` tells all of it with lines, and so does loading: no batch begins with such a domain."""
    folder = write_domain(enter_empty(tmp_path, monkeypatch))
    assert before in FAULTS
    (folder / "domain.yaml").write_text(SETTINGS + FAULTS.replace(before, after), encoding="utf-8")
    found = [str(fault).split(":", 1)[1] for fault in check_domain("tiny") if fault.path.endswith("domain.yaml")]
    assert all(one.startswith(fault) for one, fault in zip(found, faults, strict=True)), found
    with pytest.raises(InputError) as caught:
        load_domain("tiny")
    assert [line.split(":", 1)[1] for line in str(caught.value).splitlines()] == found


@pytest.mark.parametrize("settings", [ENGLISH, CHINESE], ids=["general", "general_zh"])
def test_a_reason_is_counted_without_what_varies(settings: DomainSettings) -> None:
    for code, text in settings.faults.items():
        acceptance = Acceptance()
        for word, number in (("red", "17"), ("blue", "4")):
            values = {name: number if name in NUMBERS else word for name in places(text)}
            outcome = f"rejected: {settings.fault(code, **values)}"
            step = Step(step_id="1", turn=1, attempt=1, node="check_query", outcome=outcome)
            acceptance.add("easy", Attempted(steps=(step,)), repeats=False)
        (check,) = acceptance.checks()
        assert [one.count for one in check.reasons] == [2]


async def test_the_advice_for_a_rejected_query_is_in_the_language_of_the_domain(talk: Talk) -> None:
    output = await talk({"user_simulator": at(range(99), NO_QUERY)}, turns=1, domain="general_zh", query_tries=2)
    assert outcomes(output, "check_query")[0] == f"rejected: {said(CHINESE, 'not_one_query')}"
    advised = [told(body).splitlines()[0] for body in talk.script.of("user_simulator")]
    assert set(advised) == {"建议：-", "建议：它必须是一个问题，结尾只用一个问号"}
