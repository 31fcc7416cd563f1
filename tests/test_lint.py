"""Each rule of lint: a planted fault is found at its line and nothing else is; a clean set has no finding."""

import os
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from support.beir_folders import CORPUS, QRELS, QUERIES, STANDALONE, clean_set, passage_text, row, write_beir

from mtr.datasets.converting import convert
from mtr.datasets.lint import RULES, Finding, lint, lint_dataset
from mtr.datasets.records import AnyTurn, Dataset, Said
from mtr.errors import InputError

Files = dict[str, list[str]]
GERMAN = "Wann wurde der Hafen der ersten Stadt gebaut, und zu welchen Stunden ist er für Schiffe geschlossen?"


def put(file: str, line: int, text: str) -> Callable[[Files], None]:
    """Replace a line, counted from 1; the one after the last is added."""

    def change(files: Files) -> None:
        files[file][line - 1 : line] = [text]

    return change


def both(*changes: Callable[[Files], None]) -> Callable[[Files], None]:
    def change(files: Files) -> None:
        for one in changes:
            one(files)

    return change


ROW_FAULTS = [
    ("passage-id-conflict", CORPUS, 8, put(CORPUS, 8, row("1", "Quite another text about the town.", title=""))),
    ("passage-id-repeat", CORPUS, 8, put(CORPUS, 8, row("1", passage_text(1), title=""))),
    ("query-id-conflict", QUERIES, 7, put(QUERIES, 7, row("c1::1", "how deep is the harbour of the first town?"))),
    ("query-id-repeat", STANDALONE, 7, lambda files: files[STANDALONE].append(files[STANDALONE][0])),
    ("id-type", CORPUS, 7, put(CORPUS, 7, row(7, passage_text(7)))),
    ("id-type", CORPUS, 1, put(CORPUS, 1, row(1, passage_text(1)))),
    ("id-look-alike", CORPUS, 8, put(CORPUS, 8, row("1\u200b", passage_text(8)))),
    ("gold-id-form", QRELS, 2, put(QRELS, 2, "c1::1\t1 \t1")),
    ("gold-id-form", QRELS, 2, put(QRELS, 2, "c1::1\t\ufeff1\t1")),
    ("gold-id-form", QRELS, 2, put(QRELS, 2, "c1::1\t１\t1")),
    ("gold-id-form", QRELS, 2, put(QRELS, 2, "c1::1\t1.0\t1")),
    ("gold-missing", QRELS, 2, put(QRELS, 2, "c1::1\t99\t1")),
    ("query-id-form", QRELS, 2, put(QRELS, 2, " c1::1\t1\t1")),
    ("query-missing", QRELS, 8, put(QRELS, 8, "c9::1\t1\t1")),
    ("qrel-conflict", QRELS, 8, put(QRELS, 8, "c1::1\t1\t2")),
    ("qrel-repeat", QRELS, 8, put(QRELS, 8, "c1::1\t1\t1")),
    ("qrel-negative", QRELS, 8, put(QRELS, 8, "c1::1\t7\t-1")),
    ("blank-query", QUERIES, 6, put(QUERIES, 6, row("c3::2", "\u200b \n"))),
    ("blank-passage", CORPUS, 8, put(CORPUS, 8, row("8", " \u00a0\u200b\n", title="A title"))),
    ("text-repeat", CORPUS, 8, put(CORPUS, 8, row("8", passage_text(7).upper().replace(" ", "  "), title=""))),
    ("query-is-passage", QUERIES, 1, put(CORPUS, 8, row("c1::1", passage_text(8)))),
    ("query-is-passage", STANDALONE, 2, put(STANDALONE, 2, row("c1::2", passage_text(7)))),
    ("language-mismatch", QUERIES, 1, put(STANDALONE, 1, row("c1::1", GERMAN))),
    ("language-mismatch", QUERIES, 1, put(STANDALONE, 1, row("c1::1", "第一个城镇的港口是什么时候建成的？"))),
]

READING_FAULTS = [
    (CORPUS, 3, "{not json"),
    (CORPUS, 3, '["a list"]'),
    (CORPUS, 3, '{"_id": "3"}'),
    (CORPUS, 3, '{"_id": null, "text": "words"}'),
    (QUERIES, 3, '{"_id": "", "text": "words"}'),
    (QUERIES, 3, '{"_id": "c2::1", "text": null}'),
    (QRELS, 3, "c1::2\t2"),
    (QRELS, 3, "c1::2\t2\tgood"),
]


def found(path: Path) -> list[Finding]:
    return list(lint(path, "beir"))


def names(findings: list[Finding]) -> set[str]:
    return {finding.rule for finding in findings}


def test_a_clean_folder_has_no_finding(tmp_path: Path) -> None:
    assert found(write_beir(tmp_path)) == []


@pytest.mark.parametrize(("rule", "file", "line", "change"), ROW_FAULTS)
def test_a_planted_fault_is_found_at_its_line_and_nothing_else(
    tmp_path: Path, rule: str, file: str, line: int, change: Callable[[Files], None]
) -> None:
    (finding,) = found(write_beir(tmp_path, change))
    assert (finding.rule, finding.file, finding.line) == (rule, str(tmp_path / file), line)
    assert finding.severity == RULES[rule].severity and finding.message


@pytest.mark.parametrize(("file", "line", "text"), READING_FAULTS)
def test_a_line_that_is_no_row_is_named_and_the_others_are_still_read(
    tmp_path: Path, file: str, line: int, text: str
) -> None:
    change = both(put(file, line, text), put(CORPUS, 8, row("8", "", title="")), put(QRELS, 8, "c1::1\t99\t1"))
    findings = found(write_beir(tmp_path, change))
    (bad,) = [finding for finding in findings if finding.rule == "row-unreadable"]
    assert (bad.file, bad.line) == (str(tmp_path / file), line)
    (refused,) = [finding for finding in findings if finding.rule == "set-unreadable"]
    assert f"{tmp_path / file}:{line}" in refused.message
    assert {"blank-passage", "gold-missing"} <= names(findings)


def test_bytes_that_are_no_text_end_the_reading_of_that_file_only(tmp_path: Path) -> None:
    folder = write_beir(tmp_path, put(QRELS, 8, "c9::1\t1\t1"))
    with (folder / CORPUS).open("ab") as file:
        file.write(b'{"_id": "8", "text": "\xff"}\n')
    findings = found(folder)
    assert {"row-unreadable", "set-unreadable", "query-missing"} == names(findings)
    assert any(f"{folder / CORPUS}:8" in finding.message for finding in findings)


def test_gold_without_text_and_twins_of_gold(tmp_path: Path) -> None:
    blank = found(write_beir(tmp_path / "blank", put(CORPUS, 1, row("1", " ", title=""))))
    assert [(f.rule, f.line, f.id) for f in blank] == [("blank-gold", 2, "c1::1"), ("blank-passage", 1, "1")]
    twin = found(write_beir(tmp_path / "twin", put(CORPUS, 8, row("8", passage_text(1), title=""))))
    assert [(f.rule, f.line, f.id) for f in twin] == [("gold-twin", 2, "c1::1"), ("text-repeat", 8, "8")]
    assert "'8', not marked gold" in twin[0].message
    both_gold = both(put(CORPUS, 8, row("8", passage_text(1), title="")), put(QRELS, 8, "c1::1\t8\t1"))
    assert names(found(write_beir(tmp_path / "both", both_gold))) == {"text-repeat"}


def test_twins_beyond_the_first_three_are_counted(tmp_path: Path) -> None:
    def change(files: Files) -> None:
        files[CORPUS] += [row(str(n), passage_text(1), title="") for n in range(10, 20)]

    twins = [finding for finding in found(write_beir(tmp_path, change)) if finding.rule == "gold-twin"]
    assert [twin.message for twin in twins] == ["gold '1' has the text of '10', '11', '12' and 7 more, not marked gold"]


def test_a_missing_passage_that_is_no_gold_is_no_fault(tmp_path: Path) -> None:
    assert found(write_beir(tmp_path, put(QRELS, 8, "c1::1\t99\t0"))) == []


def test_a_missing_turn_is_found(tmp_path: Path) -> None:
    def change(files: Files) -> None:
        for file in (QUERIES, STANDALONE, QRELS):
            files[file] = [line.replace("c2::2", "c2::4") for line in files[file]]

    (gap,) = found(write_beir(tmp_path, change))
    assert (gap.rule, gap.file, gap.line) == ("turn-gap", str(tmp_path / QUERIES), 4)
    assert "turns 2 to 3 are missing before turn 4 of 'c2'" in gap.message


def changed(place: int, **fields: object) -> Dataset:
    """The clean set, one turn of it changed."""
    dataset = clean_set()
    turns = list(dataset.turns)
    turns[place] = AnyTurn.model_validate({**turns[place].model_dump(), **fields})
    return dataset.model_copy(update={"turns": tuple(turns)})


def said(*speakers: str) -> tuple[Said, ...]:
    return tuple(Said.model_validate({"speaker": who, "text": f"words {n}"}) for n, who in enumerate(speakers))


TURN_FAULTS = [
    ("answer-missing", "c1::2", changed(1, answer=None)),
    ("answer-blank", "c1::2", changed(1, answer=" \u200b")),
    ("answer-blank", "c1::2", changed(1, other_answers=("yes", ""))),
    ("roles-in-a-row", "c1::2", changed(1, history=said("user", "assistant", "assistant"))),
    ("roles-in-a-row", "c1::2", changed(1, history=said("user"))),
    ("turn-gap", "c1::2", changed(1, turn=3, history=said("user", "assistant"))),
    ("turn-left-out", "c1::2", changed(1, turn=3, history=said("user", "assistant", "user", "assistant"))),
    ("turn-repeat", "c1::2", changed(1, turn=1, history=())),
    ("language-mismatch", "c1::2", changed(1, standalone_query=GERMAN)),
]


def test_a_clean_data_set_has_no_finding() -> None:
    assert list(lint_dataset(clean_set(), "harbours.json")) == []


@pytest.mark.parametrize(("rule", "query_id", "dataset"), TURN_FAULTS)
def test_a_fault_of_a_turn_is_found_by_its_id(rule: str, query_id: str, dataset: Dataset) -> None:
    (finding,) = lint_dataset(dataset, "harbours.json")
    assert (finding.rule, finding.file, finding.line, finding.id) == (rule, "harbours.json", None, query_id)


def test_what_is_no_fault_of_a_turn() -> None:
    assert list(lint_dataset(changed(1, answer=None, answerable=False), "x")) == []
    dataset = clean_set()
    silent = tuple(
        turn.model_copy(update={"answer": None, "history": tuple(s for s in turn.history if s.speaker == "user")})
        for turn in dataset.turns
    )
    assert list(lint_dataset(dataset.model_copy(update={"turns": silent}), "x")) == []


def test_two_messages_in_a_row_are_told_once_not_at_every_later_turn() -> None:
    history = said("user", "user", "assistant")
    turns = [
        AnyTurn(query_id=f"c::{t}", conversation_id="c", turn=t, query=f"query {t}", history=history, answer="yes")
        for t in (2, 3, 4)
    ]
    findings = list(lint_dataset(clean_set().model_copy(update={"turns": tuple(turns)}), "x"))
    assert [f.id for f in findings if f.rule == "roles-in-a-row"] == ["c::2"]


def test_short_queries_of_another_language_count_together() -> None:
    words = ("Wann wurde er gebaut?", "Wann ist er geschlossen?", "Welche Schiffe liegen dort im Winter?")
    turns = [
        AnyTurn(
            query_id=f"c::{t}", conversation_id="c", turn=t, query=word, history=said(*["user", "assistant"] * (t - 1))
        )
        for t, word in enumerate(words, 1)
    ]
    (finding,) = lint_dataset(clean_set().model_copy(update={"turns": tuple(turns)}), "x")
    assert (finding.rule, finding.id) == ("language-mismatch", "c::1")
    assert "in 'de', its passages are in 'en'" in finding.message


def test_a_passage_without_prose_has_no_language() -> None:
    table = " ".join(f"word{n}x{n}" for n in range(60))
    passages = {key: one.model_copy(update={"text": f"{key} {table}"}) for key, one in clean_set().passages.items()}
    assert list(lint_dataset(clean_set().model_copy(update={"passages": passages}), "x")) == []


def test_what_could_not_be_checked_is_noted() -> None:
    (note,) = lint_dataset(clean_set().model_copy(update={"passages": {}}), "x")
    assert (note.rule, note.severity) == ("not-checked", "note") and "no passage texts" in note.message


def test_every_rule_has_a_planted_fault() -> None:
    planted = {rule for rule, *_ in (*ROW_FAULTS, *TURN_FAULTS)}
    elsewhere = {"set-unreadable", "row-unreadable", "blank-gold", "gold-twin", "not-checked"}
    assert planted | elsewhere == set(RULES)
    order = [rule.severity for rule in RULES.values()]
    assert order == sorted(order, key=["error", "warning", "note"].index)


def test_the_guide_lists_every_rule_with_its_severity() -> None:
    guide = (Path(__file__).parents[1] / "docs/datasets.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in guide.splitlines() if line.startswith(("| error", "| warning", "| note"))]
    listed = {name: severity.strip() for _, severity, names, *_ in rows for name in re.findall(r"`([a-z-]+)`", names)}
    assert listed == {rule.name: rule.severity for rule in RULES.values()}


def test_mtrag_files_are_read_with_their_lines(tmp_path: Path) -> None:
    convert(clean_set(), tmp_path / "set", to="mtrag")
    folder = tmp_path / "set/retrieval_tasks/harbours"
    assert names(list(lint(folder, "mtrag"))) == set()
    with (folder / "qrels/dev.tsv").open("a", encoding="utf-8") as file:
        file.write("c1<::>1\t99\t1\n")
    (finding,) = lint(tmp_path / "set")
    assert (finding.rule, finding.file, finding.line) == ("gold-missing", str(folder / "qrels/dev.tsv"), 8)
    (tmp_path / "set/corpora/harbours.jsonl").unlink()
    (note,) = lint(folder)
    assert note.rule == "not-checked"


def test_a_path_that_cannot_be_read_is_an_error_of_the_user(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        list(lint(tmp_path / "nothing", "beir"))
    with pytest.raises(InputError, match="there is no layout 'bear'"):
        list(lint(tmp_path, "bear"))
    with pytest.raises(InputError, match="not plain to see"):
        list(lint(tmp_path))


def test_the_pool_of_mtrag_cloud() -> None:
    shared = os.environ.get("MTR_SHARED")
    if not shared:
        pytest.skip("MTR_SHARED is not set")
    findings = list(lint(Path(shared) / "data/mtrag/retrieval_tasks/cloud"))
    counts = Counter(finding.rule for finding in findings)
    assert (counts["text-repeat"], counts["blank-passage"], counts["gold-missing"]) == (536, 3, 20)
    assert counts["answer-missing"] == 21 and counts["language-mismatch"] == 0
    assert all(finding.line is not None for finding in findings if finding.rule == "text-repeat")
